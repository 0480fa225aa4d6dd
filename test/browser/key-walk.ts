import type { Page } from 'playwright';
import { seededRandom } from '../fixtures/bitmaps.ts';
import type { TestGateway } from '../setup/gateway.ts';

interface WalkedItem {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly from_number: string | null;
}

interface Walk {
  readonly page: Page;
  /** The console of the page is below this address. */
  readonly screens: readonly string[];
  /** Work items as the gateway has them. */
  readonly truth: () => Promise<readonly WalkedItem[]>;
  /** Reopens what was finished, so that there is always something to do. */
  readonly renew: () => Promise<void>;
  readonly seed: number;
  readonly keys: number;
}

interface WalkResult {
  readonly pressed: number;
  /** Changes that the gateway has because of the keys. */
  readonly changes: number;
  /** A sentence for each key that changed or opened another fax than the one in view. */
  readonly faults: readonly string[];
}

/** Keys that read; they change nothing and open nothing. */
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
  'r',
  'Shift+R',
  't',
  'c',
] as const;
const MOVING = ['j', 'k', 'Enter', 'Escape', 'Tab', 'Shift+Tab', 'x'] as const;
const ACTING = ['e', 'o', 'a', 'd', 'u', 'm', 'Enter'] as const;
const KEYS_AT_A_SCREEN = 120;

/** Evaluated in the page: the fax that is in view, and where the keyboard stands. */
const VIEW = `(() => {
  const digits = (text) => (/\\+1 \\d{3} \\d{3} \\d{4}/u.exec(text ?? '')?.[0] ?? '').replace(/\\D/gu, '');
  const open = document.querySelector('section[aria-label="Fax"] h2');
  const rows = [...document.querySelectorAll('[role=grid] [role=row]')];
  const chosen = rows.filter((row) => row.querySelector('input:checked'));
  const active = rows.filter((row) => row.matches('[data-active]'));
  const senders = (open ? [open] : chosen.length > 0 ? chosen : active).map((it) => it.textContent);
  const writes = document.activeElement?.matches('input:not([type=checkbox]), textarea') ?? false;
  const isCovered = document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null;
  const button = document.activeElement?.closest('button, a, [role=checkbox], input')?.textContent ?? '';
  const undo = [...document.querySelectorAll('main button')].find((it) => /^Undo/u.test(it.textContent))?.parentElement.textContent ?? '';
  return { undo, open: open ? digits(open.textContent) : null, subjects: senders.map(digits), writes, isCovered, button, path: location.pathname };
})()`;

interface View {
  /** Digits of the sender of the open fax; null when none is open. */
  readonly open: string | null;
  /** Text of the faxes that keys may act on, as digits. */
  readonly subjects: readonly string[];
  readonly writes: boolean;
  readonly isCovered: boolean;
  readonly button: string;
  /** Line that offers to undo the last change; empty when there is none. */
  readonly undo: string;
  readonly path: string;
}

const look = async (page: Page) => (await page.evaluate(VIEW)) as View;
const digitsOf = ({ from_number }: WalkedItem) => (from_number ?? '?').replace(/\D/gu, '');

/** Presses random keys and compares what changed with what was in view when each was pressed. */
export async function walkKeys(walk: Walk): Promise<WalkResult> {
  const random = seededRandom(walk.seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const settled = watchChanges(walk.page);
  const faults: string[] = [];
  let changes = 0;
  let known = await walk.truth();
  for (let pressed = 0; pressed < walk.keys; pressed += 1) {
    if (pressed % KEYS_AT_A_SCREEN === 0) {
      await walk.renew();
      known = await walk.truth();
      await begin(walk, one(walk.screens));
    }
    const kind = random();
    const key = kind < 0.55 ? one(READING) : kind < 0.8 ? one(MOVING) : one(ACTING);
    const before = await look(walk.page);
    if (!/\/(?:inbox|work)(?:\/|$)/u.test(before.path)) {
      await begin(walk, one(walk.screens));
      continue;
    }
    await walk.page.keyboard.press(key);
    const hasChanged = await settled();
    const after = await look(walk.page);
    const isReading = (READING as readonly string[]).includes(key) && !before.writes && !before.isCovered;
    const isPressed = before.button !== '' && /Space|Enter/u.test(key);
    const step = `key ${pressed} (${key}) on ${before.path}`;
    if (isReading && !isPressed && before.open !== after.open && before.open !== null)
      faults.push(`${step} opened ${after.open} instead of ${before.open}`);
    if (!hasChanged) continue;
    const now = await walk.truth();
    const changed = now.filter(({ id, version }) => known.find((it) => it.id === id)?.version !== version);
    known = now;
    changes += changed.length;
    const isUndo = key === 'u' || (isPressed && before.button.startsWith('Undo'));
    for (const item of changed) {
      const isInView = before.subjects.includes(digitsOf(item));
      if (isUndo ? !isNamed(before.undo, item, changed.length) : !isInView)
        faults.push(
          `${step} changed the fax from ${item.from_number}, in view: ${before.subjects.join()} ${before.undo}`,
        );
      if (isReading && !isPressed) faults.push(`${step} changed the fax from ${item.from_number}`);
    }
  }
  return { pressed: walk.keys, changes, faults };
}

/** Returns true when the line of the last change names this fax, or as many as were changed back. */
function isNamed(line: string, item: WalkedItem, count: number): boolean {
  const several = /(\d+) items/u.exec(line)?.[1];
  return several === undefined
    ? line.replace(/\D/gu, '').includes(digitsOf(item))
    : Number(several) === count;
}

async function begin({ page }: Walk, screen: string): Promise<void> {
  await page.goto(`/admin/ui${screen}`);
  await page.locator('[role=grid] [role=row][data-index]').first().waitFor();
}

/** Returns a function that waits until nothing is on its way; true when a change of work items was. */
function watchChanges(page: Page): () => Promise<boolean> {
  // A change may begin while its key is still being pressed.
  const requests = { begun: 0, ended: 0, reported: 0 };
  const isChange = (request: { method(): string; url(): string }) =>
    request.method() === 'POST' && /^\/work(?:\/[\w-]+\/\w+)?$/u.test(new URL(request.url()).pathname);
  page.on('request', (request) => {
    if (isChange(request)) requests.begun += 1;
  });
  const end = (request: { method(): string; url(): string }) => {
    if (isChange(request)) requests.ended += 1;
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  const drawn = `new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`;
  return async () => {
    await page.evaluate(drawn);
    // Several items are changed one after the other.
    for (let seen = requests.reported; requests.ended < requests.begun || requests.begun > seen; ) {
      seen = requests.begun;
      while (requests.ended < requests.begun) await page.evaluate(drawn);
      for (let frame = 0; frame < 4; frame += 1) await page.evaluate(drawn);
    }
    const hasChanged = requests.begun > requests.reported;
    requests.reported = requests.begun;
    return hasChanged;
  };
}

/** The work queue of a gateway, as a walk compares and renews it. */
export function walkedBy(gateway: Pick<TestGateway, 'request'>): Pick<Walk, 'truth' | 'renew' | 'screens'> {
  const truth = async () => {
    const answer = await gateway.request('GET', '/work?limit=200');
    return ((await answer.json()) as { items: WalkedItem[] }).items;
  };
  return {
    truth,
    screens: ['/inbox', '/work?view=all'],
    async renew() {
      for (const { id, version, state } of await truth())
        if (state !== 'open') await gateway.request('POST', `/work/${id}/reopen`, { json: { version } });
    },
  };
}
