/** Part of the output of a terminal. Numbers count from 1. */
interface OutputPart {
  readonly number: number;
  readonly text: string;
}

/** Recent output that is kept for a page that connects again, in UTF-16 units; more than a process sends ahead. */
const MAX_KEPT = 131_072;

/** Creates the recent output of a terminal. */
export function createOutputLog(): OutputLog {
  return new OutputLog();
}

export type { OutputLog };

class OutputLog {
  readonly #parts: OutputPart[] = [];
  #last = 0;
  #length = 0;

  /** Number of the newest part; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  add(text: string): void {
    this.#last += 1;
    this.#length += text.length;
    this.#parts.push({ number: this.#last, text });
  }

  /** Returns the first kept part after a number; null when there is none yet. */
  after(number: number): OutputPart | null {
    return this.#parts.find((part) => part.number > number) ?? null;
  }

  /** Drops the oldest parts that were passed on, up to the limit of what is kept. */
  trim(passedOn: number): void {
    for (let [first] = this.#parts; first && this.#length > MAX_KEPT; [first] = this.#parts) {
      if (first.number > passedOn) return;
      this.#length -= first.text.length;
      this.#parts.shift();
    }
  }
}
