import type { Clock } from '../../platform/clock.ts';
import type { OpenFax, Person } from './types.ts';

/** One window of a person with a fax open. */
interface Viewer {
  readonly person: Person;
  readonly fax: OpenFax;
  /** Time at which this window opened the fax, in epoch ms. */
  readonly since: number;
  /** Time of the last report of this window, in epoch ms. */
  readonly reportedAt: number;
}

/** Window that sent a report. */
interface Report {
  readonly person: Person;
  /** ID of the window, unique among those of the person. */
  readonly window: string;
}

/** Maximum age of a report. Windows report every 10 seconds. */
const LIFETIME_MS = 25_000;
const MAX_WINDOWS_PER_PERSON = 20;
const MAX_WINDOWS = 2_000;

/** Creates the table of open faxes and their viewers, in memory. `onChange` is called with each fax that a person opened or left. */
export function createViewers(parts: { clock: Clock; onChange: (fax: OpenFax) => void }): Viewers {
  return new Viewers(parts);
}

export type { Viewers };

class Viewers {
  readonly #clock: Clock;
  readonly #onChange: (fax: OpenFax) => void;
  /** By person and window, in the order of their last reports, the oldest first. */
  readonly #viewers = new Map<string, Viewer>();

  constructor({ clock, onChange }: { clock: Clock; onChange: (fax: OpenFax) => void }) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Records that a window has a fax open. */
  open({ person, window }: Report, fax: OpenFax): void {
    const key = keyOf(person, window);
    const before = this.#viewers.get(key);
    const now = this.#clock.now();
    const isSame = before?.fax.id === fax.id;
    const isFirst = !this.#hasOpen(person.id, fax.id);
    this.#viewers.delete(key);
    this.#viewers.set(key, { person, fax, since: isSame ? before.since : now, reportedAt: now });
    if (before && !isSame) this.#notifyLeft(before);
    if (isFirst) this.#onChange(fax);
    this.#dropExcess(person.id);
  }

  /** Records that a window no longer has a fax open. */
  leave({ person, window }: Report): void {
    this.#remove(keyOf(person, window));
  }

  /** Removes the windows that stopped reporting. */
  expire(): void {
    const now = this.#clock.now();
    // The clock of the computer may have been set back.
    for (const [key, { reportedAt }] of this.#viewers)
      if (Math.abs(now - reportedAt) >= LIFETIME_MS) this.#remove(key);
  }

  /** Lists the open faxes by ID, each with its viewers, the first to open it first. Leaves out the windows of one person. */
  listOpenByOthers(
    personId: string,
  ): ReadonlyMap<string, { fax: OpenFax; people: { person: Person; since: number }[] }> {
    this.expire();
    const faxes = new Map<string, { fax: OpenFax; people: { person: Person; since: number }[] }>();
    const viewers = [...this.#viewers.values()].sort((one, other) => one.since - other.since);
    for (const { person, fax, since } of viewers) {
      if (person.id === personId) continue;
      const entry = faxes.get(fax.id) ?? { fax, people: [] };
      faxes.set(fax.id, entry);
      if (entry.people.every((other) => other.person.id !== person.id)) entry.people.push({ person, since });
    }
    return faxes;
  }

  #hasOpen(personId: string, faxId: string): boolean {
    return [...this.#viewers.values()].some(({ person, fax }) => person.id === personId && fax.id === faxId);
  }

  #remove(key: string): void {
    const viewer = this.#viewers.get(key);
    if (!viewer) return;
    this.#viewers.delete(key);
    this.#notifyLeft(viewer);
  }

  #notifyLeft({ person, fax }: Viewer): void {
    if (!this.#hasOpen(person.id, fax.id)) this.#onChange(fax);
  }

  #dropExcess(personId: string): void {
    const own = [...this.#viewers].filter(([, { person }]) => person.id === personId);
    if (own.length > MAX_WINDOWS_PER_PERSON && own[0]) this.#remove(own[0][0]);
    const [oldest] = this.#viewers.keys();
    if (this.#viewers.size > MAX_WINDOWS && oldest !== undefined) this.#remove(oldest);
  }
}

const keyOf = (person: Person, window: string) => `${person.id} ${window}`;
