// Elements made in one expression, and numbers as people read them.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;
type Child = Node | string | null | undefined | false;

/** `on…` attributes are listeners; `true` sets an attribute without value; `false` and undefined leave it away. */
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
    return element;
}

/** A button that shows a sign and says its words aloud and on hover. */
export function button(sign: string | Node, words: string, click: () => void, more: Attributes = {}): HTMLButtonElement {
    return make("button", { type: "button", title: words, "aria-label": words, onclick: click, ...more }, sign);
}

/** A row of a panel: what it is, and what changes it. */
export function row(words: string, control: HTMLElement, help = ""): HTMLLabelElement {
    return make("label", { class: "row", title: help || undefined }, make("span", {}, words), control);
}

export function check(words: string, on: boolean, change: (on: boolean) => void, help = ""): { row: HTMLElement; box: HTMLInputElement } {
    const box = make("input", { type: "checkbox", checked: on, onchange: () => change(box.checked) });
    return { row: make("label", { class: "check", title: help || undefined }, box, make("span", {}, words)), box };
}

export function section(title: string, ...children: Child[]): HTMLDetailsElement {
    return make("details", { class: "section", open: true }, make("summary", {}, title), ...children);
}

/** Words that are there already are left alone: the browser would lay them out anew. */
export function setText(element: HTMLElement, words: string): void {
    if (element.textContent !== words) element.textContent = words;
}

/** Three digits, or so many that values a step apart differ, without needless zeros: 0.125, 12.3, 4.56e6. */
export function readable(value: number | null | undefined, step = Infinity): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    const needed = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step)) + 1;
    const digits = Number.isFinite(needed) ? Math.min(Math.max(needed, 3), 7) : 3;
    if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)) return value.toExponential(digits - 1).replace("e+", "e");
    return String(Number(value.toPrecision(digits)));
}

/** 1.25 s, 3 min 20 s. */
export function seconds(value: number): string {
    if (value < 60) return `${Number(value.toPrecision(2))} s`;
    return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function saveFile(name: string, content: Blob): void {
    const link = make("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
