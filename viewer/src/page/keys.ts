// The keyboard: one table from which keys are heard and the help is written.
import { make } from "./dom";

export interface Key {
    /** As `KeyboardEvent.key` has it, with `Shift+` and `Ctrl+` before where they matter. */
    keys: string[];
    words: string;
    does: (key: string) => void;
    group: string;
}

const SIGNS: Record<string, string> = {
    " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓",
};

export class Keys {
    private overlay: HTMLDialogElement | null = null;
    private hear = (event: KeyboardEvent) => this.press(event);

    constructor(private table: Key[], private host: HTMLElement) {
        window.addEventListener("keydown", this.hear);
    }

    dispose(): void {
        window.removeEventListener("keydown", this.hear);
        this.overlay?.remove();
    }

    private press(event: KeyboardEvent): void {
        if (event.altKey || event.metaKey || this.overlay?.open) return;
        const target = event.target as HTMLElement;
        if (takesText(target)) return;
        // A focused button or slider keeps the keys that work it.
        const own = target.matches("button, summary, input[type=checkbox]") ? [" ", "Enter"]
            : target.matches("input[type=range], [role=slider], select") ? ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] : [];
        if (own.includes(event.key)) return;
        const shift = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
        const key = (event.ctrlKey ? "Ctrl+" : "") + shift + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
        const entry = this.table.find(({ keys }) => keys.includes(key));
        if (!entry) return;
        event.preventDefault();
        entry.does(key);
    }

    help(): void {
        const groups = [...new Set(this.table.map(({ group }) => group))];
        const rows = (group: string) => this.table.filter((key) => key.group === group).map(({ keys, words }) =>
            make("div", { class: "key" }, make("span", {}, ...keys.map((key) => make("kbd", {}, written(key)))), make("span", {}, words)));
        this.overlay?.remove();
        this.overlay = make("dialog", { class: "help", "aria-label": "Keys", onclick: () => this.overlay?.close() },
            make("h2", {}, "Everything by keyboard"),
            make("div", { class: "groups" }, ...groups.map((group) => make("section", {}, make("h3", {}, group), ...rows(group)))),
            make("p", {}, "Mouse: drag to turn, right button to shift, wheel to zoom; drag on the chart to move in time. Esc closes this."));
        this.host.append(this.overlay);
        this.overlay.showModal();
    }
}

function takesText(element: HTMLElement): boolean {
    return element.matches("textarea, input:not([type=range]):not([type=checkbox])");
}

function written(key: string): string {
    const [, before, last] = /^((?:Shift\+|Ctrl\+)*)(.+)$/.exec(key) ?? ["", "", key];
    return (before ?? "").replaceAll("+", " ") + (SIGNS[last ?? ""] ?? (last?.length === 1 ? last.toUpperCase() : last));
}
