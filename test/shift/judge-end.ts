import { setTimeout as pause } from 'node:timers/promises';
import { t } from '../../renderer/texts/work.ts';
import { listAll } from '../endure/world/collect-evidence.ts';
import type { World } from '../endure/world/world.ts';
import { numberIn } from './expected.ts';
import type { Login, Person } from './office.ts';
import type { ShiftWindow } from './shift-window.ts';

interface ReceivedFax {
  readonly id: string;
  readonly fr: string;
  readonly mailbox: string | null;
  readonly work_item_id: string | null;
}

const STEP = 0.8;
const SETTLE_MS = 4_000;
const DRAWN_MS = 150;

/** Reads the whole Inbox of every window, and compares ids that came to each person with what they may see. */
export async function judgeEnd(
  world: World,
  arrived: number,
  { people, windows }: { people: Record<Login, Person>; windows: readonly ShiftWindow[] },
): Promise<{ lines: string[]; complaints: string[] }> {
  const faxes = await listAll<ReceivedFax>(world, '/inbound/page');
  const complaints: string[] = [];
  const lines: string[] = [];
  if (faxes.length !== arrived) complaints.push(`${arrived} faxes came in and ${faxes.length} are there`);
  for (const window of windows) {
    const { person } = window;
    if (!person) continue;
    const mine = faxes.filter(({ mailbox }) => person.reads.some((label) => label === mailbox));
    const shown = await readInbox(window);
    const missing = mine.filter(({ fr }) => !shown.has(fr.slice(1)));
    lines.push(
      `the ${window.name} window shows ${shown.size} received faxes to ${person.name} of ${mine.length}`,
    );
    if (missing.length > 0 || shown.size !== mine.length)
      complaints.push(`${window.name} lacks ${missing.length} faxes: ${missing.map(({ fr }) => fr).join()}`);
  }
  complaints.push(...foreignIds(faxes, Object.values(people), windows));
  return { lines, complaints };
}

/** Returns the senders' numbers of the whole list, which is scrolled to its end. */
async function readInbox({ page }: ShiftWindow): Promise<Set<string>> {
  await page
    .getByRole('navigation', { name: t.shell.screens })
    .getByRole('link', { name: new RegExp(`^${t.shell.inbox}`, 'u') })
    .click();
  const grid = page.getByRole('grid', { name: t.inbox.list });
  await grid.waitFor();
  await pause(SETTLE_MS);
  // It opens at the place where it was left.
  await page.evaluate(TO_TOP);
  await pause(DRAWN_MS);
  const numbers = new Set<string>();
  for (let isEnd = false; !isEnd; ) {
    const { texts, end } = (await page.evaluate(SCROLL)) as { texts: string[]; end: boolean };
    for (const text of texts) numbers.add(numberIn(text));
    isEnd = end;
    await pause(DRAWN_MS);
  }
  numbers.delete('');
  return numbers;
}

const TO_TOP = `document.querySelector('[role="grid"][aria-label="${t.inbox.list}"]').scrollTo(0, 0)`;

/** In the page: the rows in sight; then scrolls by nearly a window. */
const SCROLL = `(() => {
  const grid = document.querySelector('[role="grid"][aria-label="${t.inbox.list}"]');
  const texts = [...grid.querySelectorAll('[role="row"]')].map((row) => row.textContent);
  const end = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 2;
  grid.scrollTop += grid.clientHeight * ${STEP};
  return { texts, end };
})()`;

/** Lists the faxes and work items whose id came to a person who may not see them. */
function foreignIds(
  faxes: readonly ReceivedFax[],
  people: readonly Person[],
  windows: readonly ShiftWindow[],
): string[] {
  return faxes.flatMap(({ id, work_item_id, mailbox }) => {
    const may = people.filter(({ reads }) => reads.some((label) => label === mailbox));
    const logins = new Set(may.map(({ login }) => login));
    const isForeign = (login: string) => !logins.has(login);
    return [id, work_item_id ?? ''].flatMap((each) =>
      windows.flatMap(({ name, ids }) =>
        [...(ids.get(each) ?? [])]
          .filter(isForeign)
          .map((login) => `${name} got for ${login} the id of a fax in ${mailbox}`),
      ),
    );
  });
}
