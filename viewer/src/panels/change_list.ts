// What was changed under way: recorded with the run, so that it can be repeated to the same bits.
import { make, section } from "../page/dom";
import { changeWords } from "../run/change_words";
import type { Run } from "../run/run";

export class ChangeList {
    readonly element: HTMLElement;
    private list = make("ol", { class: "changes", "aria-live": "polite" });
    private empty = make("p", { class: "soft" },
        "Nothing yet. Turn a dial or pull a body: it is written down, and ", make("code", {}, "visviva run"), " repeats it.");

    constructor(private run: Run) {
        this.element = section("Recorded changes", this.list, this.empty);
        run.listen((news) => news === "changes" && this.renew());
        this.renew();
    }

    private renew(): void {
        const { changes, info } = this.run;
        this.empty.hidden = changes.length > 0;
        this.list.replaceChildren(...changes.slice(-100).map((change) => {
            return make("li", {}, make("span", { class: "soft" }, `${(change.step * info.h).toFixed(2)} s`), ` ${changeWords(change)}`);
        }));
        this.list.scrollTop = this.list.scrollHeight;
    }
}
