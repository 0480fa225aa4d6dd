import { quietEnd } from '../shared/quiet-time.ts';
import type { Preferences } from './preferences.ts';

interface QuietTimeParts {
  readonly preferences: Pick<Preferences, 'current' | 'change'>;
  /** Called when it begins, changes or ends, with its end (ISO), and null when it is off. */
  readonly onChange: (until: string | null) => void;
  /** Called when it ends, with the number of notices that were not shown. */
  readonly onEnd: (notices: number) => void;
}

export type { QuietTime };

export function createQuietTime(parts: QuietTimeParts): QuietTime {
  return new QuietTime(parts);
}

/** *Do not disturb*: until its end no notice of a page is shown, and then one says how many there were. */
class QuietTime {
  readonly #parts: QuietTimeParts;
  #timer: NodeJS.Timeout | undefined;
  #wasOn = false;
  #held = 0;

  constructor(parts: QuietTimeParts) {
    this.#parts = parts;
    this.follow();
  }

  /** Turns it on until then, and off for null. */
  async set(until: Date | null): Promise<void> {
    await this.#parts.preferences.change({ quietUntil: until?.toISOString() ?? null });
    this.follow();
  }

  /** Returns true while it is on, and counts the notice. */
  holdsBack(): boolean {
    if (this.#end() === null) return false;
    this.#held += 1;
    return true;
  }

  /** Applies what is preferred now. */
  follow(): void {
    clearTimeout(this.#timer);
    const end = this.#end();
    if (end !== null) this.#timer = setTimeout(() => this.follow(), Date.parse(end) - Date.now());
    const hasEnded = this.#wasOn && end === null;
    this.#wasOn = end !== null;
    this.#parts.onChange(end);
    if (!hasEnded) return;
    const held = this.#held;
    this.#held = 0;
    this.#parts.onEnd(held);
  }

  #end(): string | null {
    return quietEnd(this.#parts.preferences.current.quietUntil, Date.now());
  }
}
