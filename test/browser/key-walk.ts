import type { Page } from 'playwright';
import { seededRandom } from '../fixtures/seeded-random.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { letter, markReached, SendPage } from './send-page.ts';
import { type PressedKey, settle, type View, watchPage } from './walked-page.ts';
import { type WalkedChange, WalkedTruth } from './walked-truth.ts';

interface Walk {
  readonly page: Page;
  readonly gateway: TestGateway;
  readonly seed: number;
  readonly keys: number;
}

interface WalkResult {
  readonly pressed: number;
  /** Changes that the gateway has because of the keys, by kind. */
  readonly changes: Readonly<Record<WalkedChange['kind'], number>>;
  /** A sentence for each key that changed or opened another fax than the one in view. */
  readonly faults: readonly string[];
}

/** Keys that read; they change nothing but how a page is turned, and open nothing. */
const READING = [
  'PageDown',
  'PageUp',
  'Space',
  'Shift+Space',
  'Home',
  'End',
  'ArrowDown',
  'ArrowUp',
  'ArrowRight',
  'ArrowLeft',
  '+',
  '-',
  'z',
  't',
  'c',
] as const;
const MOVING = ['j', 'k', 'Enter', 'Escape', 'Tab', 'Shift+Tab', 'x'] as const;
const ACTING = [
  'e',
  'o',
  'a',
  'd',
  'u',
  'w',
  'r',
  'Shift+R',
  '1',
  '2',
  'Shift+D',
  'Shift+U',
  'Enter',
] as const;
/** On *Send*: writing, moving documents, and handing the fax over. */
const SENDING = [
  'Control+Enter',
  'Control+Enter',
  'Control+Enter',
  'Enter',
  'Escape',
  'Tab',
  'Shift+Tab',
  'Delete',
  'Alt+ArrowUp',
  'Alt+ArrowDown',
  'n',
  '5',
  'Backspace',
] as const;
const SCREENS = ['/inbox', '/work', '/work?view=all', '/send'] as const;
/** Of a long walk; a short one comes to every screen as well. */
const KEYS_AT_A_SCREEN = 200;
const SHORT_WALK = 2_000;
/** Keys that a quick typist presses before the console has answered the first of them. */
const MOST_AT_ONCE = 3;
/** Recipients that faxes reached before, so that nothing has to be typed twice. */
const RECIPIENTS = ['+12025550177', '+12025550178'] as const;

/**
 * Presses random keys over Inbox, Work and Send, up to three without waiting, and compares what the gateway changed with what
 * was in view when each key reached the page.
 */
export async function walkKeys(walk: Walk): Promise<WalkResult> {
  const { page, gateway, keys } = walk;
  const random = seededRandom(walk.seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const truth = new WalkedTruth(gateway);
  const judge = new Judge();
  const unwatch = await watchPage(page);
  for (const number of RECIPIENTS) await markReached(gateway, number);
  let view: View | null = null;
  let left = 0;
  let pressed = 0;
  let sections = 0;
  /** Keys that a section begins with. */
  let first: readonly string[] = [];
  for (let round = 0; pressed < keys; round += 1) {
    if (left <= 0 || view === null || !/\/(?:inbox|work|send)(?:\/|$)/u.test(view.path)) {
      if (round > 0) judge.unnamed(await truth.unnamed());
      await truth.renew();
      const screen = SCREENS[sections % SCREENS.length] ?? '/inbox';
      const isWhole = await begin(walk, screen, one);
      // A draft that random keys have changed can seldom be sent.
      first = isWhole && sections % 2 === 1 && sections % 8 < 4 ? ['Control+Enter'] : [];
      sections += 1;
      view = (await settle(page)).view;
      left = keys < SHORT_WALK ? KEYS_AT_A_SCREEN / 3 : KEYS_AT_A_SCREEN;
    }
    const chosen = first.length > 0 ? first : chooseKeys(view, random, one);
    first = [];
    for (const key of chosen) await page.keyboard.press(key);
    pressed += chosen.length;
    left -= chosen.length;
    const settled = await settle(page);
    judge.requested(settled.requests);
    judge.opened(settled.pressed, settled.view);
    if (settled.hasChanged) judge.changed(settled.pressed, await truth.changes());
    judge.settled(settled.pressed);
    view = settled.view;
  }
  judge.unnamed(await truth.unnamed());
  await unwatch();
  return { pressed, changes: judge.changes, faults: judge.faults };
}

type One = <T>(of: readonly T[]) => T;

/** The next keys for what is in view. Enter and Space come alone, and never leave by the rail or the bar. */
function chooseKeys(view: View, random: () => number, one: One): readonly string[] {
  const count = random() < 0.7 ? 1 : 1 + Math.ceil(random() * (MOST_AT_ONCE - 1));
  const keys: string[] = [];
  while (keys.length < count) {
    const kind = random();
    const ways = view.draft === null ? MOVING : SENDING;
    const key = kind < 0.4 ? one(READING) : kind < 0.65 ? one(ways) : one(ACTING);
    const isPress = /Enter$|^Space$/u.test(key) && key !== 'Control+Enter';
    if (isPress && view.isFrame) continue;
    if (!isPress) keys.push(key);
    else if (keys.length === 0) return [key];
  }
  return keys;
}

/** Opens a screen; true for a draft that can be sent. */
async function begin({ page }: Walk, screen: string, one: One): Promise<boolean> {
  await page.goto(`/admin/ui${screen}`);
  if (screen !== '/send') {
    await page
      .locator('[role=grid] [role=row][data-index]')
      .first()
      .waitFor()
      .catch(async (error: unknown) => {
        const shown = (await page.evaluate('document.body.innerText')) as string;
        throw new Error(`${page.url()} shows no rows: ${shown}`, { cause: error });
      });
    for (const key of ['j', 'Enter']) await page.keyboard.press(key);
    return false;
  }
  const send = await new SendPage(page).opened();
  await send.number(one(RECIPIENTS));
  if ((await send.rows.count()) === 0) await send.add(letter(`letter-${one([1, 2, 3])}.txt`));
  await page.locator('[data-current] [data-drawn]').first().waitFor();
  // A question about what an earlier key did may stand in its way.
  const wait = { state: 'visible', timeout: 5_000 } as const;
  return send.send
    .and(page.locator(':enabled'))
    .waitFor(wait)
    .then(
      () => true,
      () => false,
    );
}

/** Compares what happened with what was in view. */
class Judge {
  readonly faults: string[] = [];
  readonly changes = { work: 0, inbound: 0, sent: 0, accepted: 0 };
  /** Keys before the last ones. */
  #before: readonly PressedKey[] = [];
  /** Requests of the last keys, and of those before. */
  #requests: readonly (readonly string[])[] = [[], []];

  /** Keeps the requests of the last keys, which a fault names. */
  requested(requests: readonly string[]): void {
    this.#requests = [requests, this.#requests[0] ?? []];
  }

  /** Reading keys that were pressed first leave the open fax and the draft as they are. */
  opened(pressed: readonly PressedKey[], now: View): void {
    for (const [index, { key, view }] of pressed.entries()) {
      const after = pressed[index + 1]?.view ?? now;
      if (!isReading(key, view)) return;
      if (view.open !== null && view.open !== after.open)
        this.#fault(pressed, `opened ${after.open} instead of ${view.open}`);
      if (view.draft !== null && composed(view) !== composed(after))
        this.#fault(pressed, `made ${composed(after)} of ${composed(view)}`);
    }
  }

  /** Every change is of a fax that was in view at a key that may change it; a late request belongs to the keys before. */
  changed(last: readonly PressedKey[], changes: readonly WalkedChange[]): void {
    const pressed = last.some(({ isAfterLate }) => isAfterLate) ? [...this.#before, ...last] : last;
    for (const change of changes) {
      this.changes[change.kind] += 1;
      const works = changes.filter(({ kind }) => kind === 'work').length;
      const acting = pressed.filter(({ key, view }) => !isReading(key, view) || change.kind === 'inbound');
      if (!acting.some((it) => mayChange(it, change, works)))
        this.#fault(pressed, `changed ${change.kind} ${change.number} (${change.pages} pages)`);
    }
  }

  /** Keeps the keys to which a late request belongs. */
  settled(pressed: readonly PressedKey[]): void {
    this.#before = pressed;
  }

  unnamed(numbers: readonly string[]): void {
    for (const number of numbers) this.faults.push(`the fax from ${number} changed without a key`);
  }

  #fault(pressed: readonly PressedKey[], what: string): void {
    const steps = pressed.map(({ key, view }) => {
      const { path, subjects, undo, button, draft } = view;
      return `${key} on ${path} (in view ${subjects.join()}${draft ? JSON.stringify(draft) : ''}, at ${button}, ${undo})`;
    });
    const [requests = [], before = []] = this.#requests;
    this.faults.push(
      `${steps.join(', then ')} ${what}; requests: ${requests.join(', ')}; before: ${before.join(', ')}`,
    );
  }
}

function isReading(key: string, { writes, isCovered, button, draft }: View): boolean {
  const isPress = button !== '' && key.endsWith('Space');
  const isChoice = draft !== null && button !== '' && /Arrow|Home|End/u.test(key);
  return (READING as readonly string[]).includes(key) && !writes && !isCovered && !isPress && !isChoice;
}

function mayChange({ key, view }: PressedKey, change: WalkedChange, works: number): boolean {
  switch (change.kind) {
    case 'work': {
      // The received fax that a sent one answers is marked as answered.
      if (isHandedOver(key, view)) return view.draft?.answers === change.number;
      const isUndo = key === 'u' || (/Enter|Space/u.test(key) && view.button.startsWith('Undo'));
      return isUndo ? isNamed(view.undo, change, works) : view.subjects.includes(change.number);
    }
    case 'inbound':
      return view.subjects.includes(change.number);
    case 'sent':
      return view.path.endsWith(`/${change.id}`);
    case 'accepted':
      if (!isHandedOver(key, view) || view.draft?.to !== change.number) return false;
      // Each document of the walk has one page; the screen counts a cover page as well.
      return [view.draft.files.length, view.draft.pages].includes(change.pages);
  }
}

const isHandedOver = (key: string, { button, draft }: View): boolean =>
  draft !== null && (key === 'Control+Enter' || (/Enter|Space/u.test(key) && button.startsWith('Send fax')));

/** Returns the recipient and the documents in view, as text. */
const composed = ({ draft }: View) => JSON.stringify(draft && { to: draft.to, files: draft.files });

/** Returns true when the line of the last change names this fax, or as many as were changed back. */
function isNamed(line: string, { number }: WalkedChange, count: number): boolean {
  const several = /(\d+) items/u.exec(line)?.[1];
  return several === undefined ? line.replace(/\D/gu, '').includes(number) : Number(several) === count;
}
