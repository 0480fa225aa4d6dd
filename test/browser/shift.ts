import type { Page } from 'playwright';
import { t } from '../../renderer/texts/work.ts';

/** Way to finish the open fax, or to hand it over, by keyboard alone. */
export type Routine = 'chip' | 'last note' | 'take first' | 'typed' | 'note first' | 'hand over';

/** Typing counts as one key for each letter. */
const TYPED = 'Sent to Dr. Lee.';
const ASIDE = 'Page 2 is faint.';

/** Keys that each routine takes, for a person who reads the fax and knows what to do. */
export const KEYS_OF: Readonly<Record<Routine, number>> = {
  chip: 2,
  'last note': 1,
  'take first': 4,
  typed: TYPED.length + 2,
  'note first': ASIDE.length + 4,
  'hand over': 3,
};

/** Entry in the history of a work item that a person's keys leave. */
interface Deed {
  /** Number of the sender as the screen shows it. */
  readonly sender: string;
  readonly kind: 'assigned' | 'acknowledged' | 'noted' | 'done';
  /** The note, or the new owner; empty for others. */
  readonly words: string;
}

/** Milliseconds from the last key of a fax until the next one shows. */
interface Reaction {
  /** The sender of the next fax is painted. */
  readonly first: number;
  /** Its first page is painted as well. */
  readonly settled: number;
}

/** One person at the desk, whose keys are counted. */
export class DeskPerson {
  readonly page: Page;
  readonly name: string;
  keys = 0;
  readonly reactions: Reaction[] = [];
  /** Everything that the person did, in order. */
  readonly deeds: Deed[] = [];
  /** Called after each act, such as to take a picture. */
  onAct: (act: string) => Promise<unknown> = async () => undefined;
  /** Called for each fax before it is finished, such as to leave the time in which a person reads it. */
  onRead: () => Promise<unknown> = async () => undefined;
  #lastNote = '';

  constructor(page: Page, name = '') {
    this.page = page;
    this.name = name;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Opens the item at this place of the list, counted from 0. */
  async openAt(index: number): Promise<void> {
    for (let n = 0; n <= index; n += 1) await this.press('j');
    await this.press('Enter');
    await this.page.locator(PICTURE).waitFor();
  }

  /**
   * Finishes the fax that is open, or hands it over to `colleague`; with `isLast` no other one opens. Returns the sender it
   * was from.
   */
  async finish(routine: Routine, { isLast = false, colleague = '' } = {}): Promise<string> {
    const { page } = this;
    const sender = (await page.locator(SENDER).textContent()) ?? '';
    await page.locator(READY).first().waitFor();
    await this.onRead();
    const last = await this.#prepare(routine, sender, colleague);
    const before = await page.locator(PICTURE).getAttribute('data-src');
    if (!isLast)
      await page.evaluate(`void (window.reaction = (${reaction})(${JSON.stringify([sender, before])}))`);
    await this.press(last);
    if (!isLast) this.reactions.push(await page.evaluate('window.reaction'));
    if (routine === 'hand over') this.#did(sender, 'assigned', colleague);
    else this.#did(sender, 'done', this.#lastNote);
    await this.onAct(`${routine} ${sender}`);
    return sender;
  }

  /** Presses all keys but the last, which is returned. */
  async #prepare(routine: Routine, sender: string, colleague: string): Promise<string> {
    const { page } = this;
    switch (routine) {
      case 'chip':
        return this.#chooseChip();
      case 'last note':
        return 'Shift+D';
      case 'take first':
        await this.press('o');
        await page.locator(ACKNOWLEDGE).waitFor();
        this.#did(sender, 'assigned', this.name);
        await this.onAct(`taken ${sender}`);
        await this.press('e');
        await page.locator(ACKNOWLEDGE).waitFor({ state: 'detached' });
        this.#did(sender, 'acknowledged', '');
        await this.onAct(`acknowledged ${sender}`);
        return this.#chooseChip();
      case 'typed':
        await this.press('d');
        await this.type(TYPED);
        this.#lastNote = TYPED;
        return 'Enter';
      case 'note first':
        await this.press('w');
        await this.type(ASIDE);
        await this.press('Enter');
        await page.locator(FAX).getByRole('listitem').filter({ hasText: ASIDE }).waitFor();
        this.#did(sender, 'noted', ASIDE);
        await this.onAct(`noted ${sender}`);
        return this.#chooseChip();
      case 'hand over':
        await this.press('a');
        await page.locator(`${FAX} input[role=combobox]`).waitFor();
        await this.type(colleague.slice(0, 1));
        await page.getByRole('option', { name: colleague }).waitFor();
        return 'Enter';
    }
  }

  /** Opens the notes that are offered; the key of the first one is returned. */
  async #chooseChip(): Promise<string> {
    await this.press('d');
    const chip = await this.page.locator(CHIP).textContent();
    this.#lastNote = (chip ?? '').replace(/1$/u, '');
    return '1';
  }

  #did(sender: string, kind: Deed['kind'], words: string): void {
    this.deeds.push({ sender, kind, words });
  }
}

/** Way in which each of two people works through their faxes, from arrival to done: most are routine. */
export const SHIFT: readonly (readonly Routine[])[] = [
  [
    'chip',
    'hand over',
    'take first',
    'last note',
    'chip',
    'typed',
    'note first',
    'last note',
    'chip',
    'chip',
  ],
  // The last of them was handed over by the first person.
  [
    'chip',
    'chip',
    'take first',
    'last note',
    'typed',
    'chip',
    'note first',
    'last note',
    'chip',
    'chip',
    'chip',
  ],
];

/** Faxes of a shift: each of the first person's, and all of the second person's that were not handed over. */
export const SHIFT_FAXES = 20;

/** Two people at one list of twenty faxes, who take turns; both have the first one open at the beginning. */
export async function workShift(people: readonly DeskPerson[]): Promise<void> {
  const [first, second] = people;
  if (!first || !second) throw new Error('a shift has two people');
  for (const person of people) await person.openAt(0);
  for (const [person, other] of [people, people.toReversed()].map(([one, two]) => [one, two] as const))
    await person?.page
      .locator(FAX)
      .getByText(other?.name ?? '')
      .first()
      .waitFor({ state: 'attached' });
  await Promise.all(people.map((person, n) => person.onAct(`both have one open ${n}`)));
  // The second person leaves it to the first, and begins with the lower half.
  for (let n = 0; n < SHIFT_FAXES / 2; n += 1) await second.press('j');
  await second.page.locator(PICTURE).waitFor();
  const rounds = Math.max(...SHIFT.map((routines) => routines.length));
  for (let round = 0; round < rounds; round += 1)
    for (const [n, person] of people.entries()) {
      const routine = SHIFT[n]?.[round];
      const colleague = people[1 - n]?.name ?? '';
      const isLast = round === rounds - 1;
      if (routine) await person.finish(routine, { isLast, colleague });
    }
}

interface KnownItem {
  readonly id: string;
  readonly from_number: string | null;
  readonly state_key: string;
  readonly done_note: string | null;
  readonly owner: { readonly name: string } | null;
}

interface KnownEvent {
  readonly kind: string;
  readonly actor: string;
  readonly text: string;
  readonly owner: { readonly name: string } | null;
}

const digits = (text: string | null) => (text ?? '').replace(/\D/gu, '');

/**
 * Compares every work item of the gateway with what people did: states, notes and histories. Returns a sentence for each
 * difference.
 */
export async function differencesFrom(
  people: readonly DeskPerson[],
  read: <T>(path: string) => Promise<T>,
): Promise<readonly string[]> {
  const { items } = await read<{ items: KnownItem[] }>('/work?limit=200');
  const found = await Promise.all(
    items.map(async (item) => {
      const { events } = await read<{ events: KnownEvent[] }>(`/work/${item.id}/history`);
      return differencesOf(item, events, people);
    }),
  );
  return found.flat();
}

function differencesOf(
  item: KnownItem,
  events: readonly KnownEvent[],
  people: readonly DeskPerson[],
): readonly string[] {
  const deeds = people.flatMap(({ name, deeds: all }) =>
    all
      .filter(({ sender }) => digits(sender) === digits(item.from_number))
      .map((deed) => ({ ...deed, name })),
  );
  const told = events.filter(({ kind }) => kind !== 'created');
  const recorded = told.map(({ kind, actor, text, owner }) => {
    if (kind === 'assigned') return `${actor} ${kind} ${owner?.name}`;
    return `${actor} ${kind} ${text.includes(': ') ? text.slice(text.indexOf(': ') + 2) : ''}`.trim();
  });
  const expected = deeds.map(({ name, kind, words }) => `${name} ${kind} ${words}`.trim());
  const done = deeds.findLast(({ kind }) => kind === 'done');
  const differences: string[] = [];
  // Each person's own order is known, and a fax that was handed over first was its owner's, then the other's.
  if (JSON.stringify(recorded) !== JSON.stringify(expected))
    differences.push(`${item.from_number}: recorded [${recorded.join('; ')}], done [${expected.join('; ')}]`);
  if (item.state_key !== (done ? 'done' : 'waiting') || item.done_note !== (done?.words ?? null))
    differences.push(`${item.from_number}: ${item.state_key} with "${item.done_note}"`);
  return differences;
}

const FAX = `section[aria-label="${t.work.viewer.label}"]`;
const SENDER = `${FAX} h2`;
const PICTURE = `${FAX} canvas[aria-label^="Page 1 "][data-drawn]`;
/** The item can be finished: its buttons are there and nothing is under way. */
const READY = `${FAX} [role="group"][aria-label="${t.work.acts.label}"] button`;
const ACKNOWLEDGE = `${READY}:has-text("${t.work.acts.acknowledge}")`;
const CHIP = `${FAX} [role="group"][aria-label="${t.work.chips}"] button >> nth=0`;

/** In the page: resolves with the times from the next key to the frames that show the next sender and its first page. */
const reaction = `([sender, before]) => new Promise((resolve) => {
  let began = null;
  let first = null;
  addEventListener('keydown', (event) => { began ??= event.timeStamp; }, { capture: true, once: true });
  const look = () => {
    const title = document.querySelector('${SENDER}');
    if (began !== null && first === null && title && title.textContent !== sender) first = performance.now() - began;
    const picture = document.querySelector('${PICTURE}');
    const isNext = picture && picture.dataset.src !== before;
    if (first === null || !isNext) return requestAnimationFrame(look);
    requestAnimationFrame(() => resolve({ first, settled: performance.now() - began }));
  };
  requestAnimationFrame(look);
})`;

/** The value that so many of 100 do not exceed. */
function percentile(of: number, values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * of) / 100) - 1)] ?? 0;
}

/** Milliseconds from the last key of a fax to the next one, of 50 and of 95 of 100. */
export function reactionsOf(
  people: readonly DeskPerson[],
  until: keyof Reaction,
): Readonly<Record<50 | 95, number>> {
  const all = people.flatMap(({ reactions }) => reactions.map((it) => it[until]));
  return { 50: percentile(50, all), 95: percentile(95, all) };
}

/** One line about how fast the window reacted. */
export function reactionsInWords(people: readonly DeskPerson[]): string {
  const of = (until: keyof Reaction) => {
    const { 50: half, 95: most } = reactionsOf(people, until);
    return `${half.toFixed(0)} ms, 95th percentile ${most.toFixed(0)} ms`;
  };
  const count = people.reduce((sum, { reactions }) => sum + reactions.length, 0);
  return `next of ${count} faxes: sender after ${of('first')}; first page after ${of('settled')}`;
}
