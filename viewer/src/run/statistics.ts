// The rows of a run's statistics as columns, growing as the run goes on.
import type { Source } from "../source/source";

/** Beyond this many rows every second one is given up: no screen has as many points. */
const MOST = 60_000;

export class Statistics {
    columns: Record<string, (number | null)[]> = { t: [] };
    private next = 0;
    private busy = false;

    constructor(private source: Source, private run: string) {}

    get rows(): number {
        return this.columns["t"]?.length ?? 0;
    }

    column(name: string): (number | null)[] {
        return this.columns[name] ?? [];
    }

    /** Pulls the rows that are new; says whether there were any. */
    async pull(): Promise<boolean> {
        if (this.busy) return false;
        this.busy = true;
        try {
            const part = await this.source.stats(this.run, this.next);
            if (part.next === this.next) return false;
            this.next = part.next;
            this.append(part.columns);
            return true;
        } finally {
            this.busy = false;
        }
    }

    private append(columns: Record<string, (number | null)[]>): void {
        const before = this.rows;
        for (const [name, values] of Object.entries(columns)) {
            const column = (this.columns[name] ??= new Array<number | null>(before).fill(null));
            for (const value of values) column.push(value);
        }
        if (this.rows <= MOST) return;
        for (const [name, values] of Object.entries(this.columns)) this.columns[name] = values.filter((_, k) => k % 2 === 0);
    }

    /** The value of a column at the last row not after `t`. */
    at(name: string, t: number): number | null {
        const times = this.column("t");
        let low = 0;
        let high = times.length;
        while (low < high) {
            const mid = (low + high) >> 1;
            if ((times[mid] ?? 0) <= t + 1e-9) low = mid + 1;
            else high = mid;
        }
        return this.column(name)[low - 1] ?? null;
    }
}
