import type { Page } from 'playwright';

/** Way to finish the open fax, by keyboard alone. */
export type Routine = 'chip' | 'last note' | 'take first' | 'typed' | 'note first';

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
};

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
  keys = 0;
  readonly reactions: Reaction[] = [];

  constructor(page: Page) {
    this.page = page;
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

  /** Finishes the fax that is open; with `isLast` no other one opens. Returns the sender it was from. */
  async finish(routine: Routine, isLast = false): Promise<string> {
    const { page } = this;
    const sender = await page.locator(SENDER).textContent();
    await page.locator(READY).first().waitFor();
    switch (routine) {
      case 'chip':
        await this.press('d');
        break;
      case 'last note':
        break;
      case 'take first':
        await this.press('o');
        await page.getByRole('button', { name: /^Acknowledge/u }).waitFor();
        await this.press('e');
        await page.getByRole('button', { name: /^Acknowledge/u }).waitFor({ state: 'detached' });
        await this.press('d');
        break;
      case 'typed':
        await this.press('d');
        await this.type(TYPED);
        break;
      case 'note first':
        await this.press('w');
        await this.type(ASIDE);
        await this.press('Enter');
        await page.getByRole('list', { name: 'Notes' }).getByText(ASIDE).waitFor();
        await this.press('d');
        break;
    }
    const before = await page.locator(PICTURE).getAttribute('src');
    if (!isLast)
      await page.evaluate(`void (window.reaction = (${reaction})(${JSON.stringify([sender, before])}))`);
    await this.press(routine === 'last note' ? 'Shift+D' : routine === 'typed' ? 'Enter' : '1');
    if (!isLast) this.reactions.push(await page.evaluate('window.reaction'));
    return sender ?? '';
  }
}

const FAX = 'section[aria-label="Fax"]';
const SENDER = `${FAX} h2`;
const PICTURE = `${FAX} img[alt^="Page 1 "]`;
/** The item can be finished: its buttons are there and nothing is under way. */
const READY = `${FAX} [role="group"][aria-label="Actions for this item"] button`;

/** In the page: resolves with the times from the next key to the frames that show the next sender and its first page. */
const reaction = `([sender, before]) => new Promise((resolve) => {
  let began = null;
  let first = null;
  addEventListener('keydown', (event) => { began ??= event.timeStamp; }, { capture: true, once: true });
  const look = async () => {
    const title = document.querySelector('${SENDER}');
    if (began !== null && first === null && title && title.textContent !== sender) first = performance.now() - began;
    const picture = document.querySelector('${PICTURE}');
    const isNext = picture && picture.getAttribute('src') !== before && picture.complete && picture.naturalWidth > 0;
    if (first === null || !isNext) return requestAnimationFrame(look);
    try {
      await picture.decode();
    } catch {
      // It was replaced by another one meanwhile.
      return requestAnimationFrame(look);
    }
    requestAnimationFrame(() => resolve({ first, settled: performance.now() - began }));
  };
  requestAnimationFrame(look);
})`;

/** The value that 95 of 100 do not exceed. */
export function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}

/** One line about how fast the window reacted. */
export function reactionsInWords(people: readonly DeskPerson[]): string {
  const all = people.flatMap(({ reactions }) => reactions);
  const of = (name: keyof Reaction) => percentile95(all.map((it) => it[name])).toFixed(0);
  return `next fax: sender after ${of('first')} ms, first page after ${of('settled')} ms (95th percentile of ${all.length})`;
}
