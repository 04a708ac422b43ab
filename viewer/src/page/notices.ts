// Short words that come and go: what went wrong, and what to do.
import { make } from "./dom";

/** [ms] */
const STAYS = 8000;

export class Notices {
    readonly element = make("div", { class: "notices", role: "status", "aria-live": "polite" });
    private lasting: HTMLElement | null = null;

    say(words: string): void {
        if (this.element.lastElementChild?.textContent === words) return;
        const notice = make("div", { class: "notice" }, words);
        this.element.append(notice);
        setTimeout(() => notice.remove(), STAYS);
        while (this.element.childElementCount > 4) this.element.firstElementChild?.remove();
    }

    /** Stays until it is taken back with no words. */
    keep(words: string): void {
        this.lasting?.remove();
        this.lasting = words ? make("div", { class: "notice lasting" }, words) : null;
        if (this.lasting) this.element.append(this.lasting);
    }
}
