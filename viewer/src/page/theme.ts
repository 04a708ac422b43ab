// Light or dark: as the system says until a person says otherwise.

const KEY = "visviva-theme";

export class Theme {
    dark: boolean;
    private listeners: ((dark: boolean) => void)[] = [];

    constructor() {
        const asked = window.matchMedia("(prefers-color-scheme: dark)");
        this.dark = remembered() ? remembered() === "dark" : asked.matches;
        asked.addEventListener("change", (event) => {
            if (!remembered()) this.set(event.matches);
        });
        this.set(this.dark);
    }

    /** Tells at once, and at each change. */
    listen(listener: (dark: boolean) => void): void {
        this.listeners.push(listener);
        listener(this.dark);
    }

    /** Nobody listens any more. */
    forget(): void {
        this.listeners = [];
    }

    toggle(): void {
        this.set(!this.dark);
        try {
            localStorage.setItem(KEY, this.dark ? "dark" : "light");
        } catch {
            // A page opened from disk may have no storage.
        }
    }

    private set(dark: boolean): void {
        this.dark = dark;
        document.documentElement.dataset["theme"] = dark ? "dark" : "light";
        this.listeners.forEach((listener) => listener(dark));
    }
}

function remembered(): string | null {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}
