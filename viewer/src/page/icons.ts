// Signs on buttons, drawn: fonts do not have them everywhere.
import { make } from "./dom";

const PATHS = {
    play: "M6 4l12 8-12 8z",
    pause: "M6 4h4v16H6zM14 4h4v16h-4z",
    back: "M15 5v14l-9-7z",
    on: "M9 5v14l9-7z",
    start: "M5 5h2.5v14H5zM19 5v14l-10-7z",
    end: "M16.5 5H19v14h-2.5zM5 5v14l10-7z",
    loop: "M12 5a7 7 0 1 1-6.6 4.7l2 .7A5 5 0 1 0 12 7v3L7 6l5-4z",
    theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18v-2a7 7 0 0 0 0-14z",
};

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): HTMLElement {
    const frame = make("span", { class: "icon", "aria-hidden": "true" });
    frame.innerHTML = `<svg viewBox="0 0 24 24" width="16" height="16"><path d="${PATHS[name]}" fill="currentColor"/></svg>`;
    return frame;
}
