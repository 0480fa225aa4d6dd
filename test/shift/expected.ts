import { t } from '../../renderer/texts/work.ts';
import type { Person } from './office.ts';
import type { Shown, ShownRow } from './shift-window.ts';

interface WorkItem {
  readonly from_number: string;
  readonly is_mine: boolean;
  readonly owner: { readonly name: string } | null;
}

interface ReceivedFax {
  readonly fr: string;
  readonly read_at: string | null;
}

interface SentFax {
  readonly to: string;
}

interface Page<Row> {
  readonly items: readonly Row[];
}

interface WorkCounts {
  readonly open: number;
  readonly acknowledged: number;
  readonly done: number;
  readonly unassigned: number;
  readonly mine: number;
  readonly overdue: number;
  readonly todo: number;
}

/** Row as it has to be: a number, and words that it has to contain or must not. */
interface ExpectedRow {
  readonly number: string;
  readonly has?: string;
  readonly hasNot?: string;
}

/** Rows that the gateway gives at once; a window that shows some further down is compared as far as they go. */
const LIMIT = 200;
const MINE = 'open,acknowledged';

/** Returns the difference between a window and what the gateway answers to its person; null when there is none. */
export async function differenceOf(shown: Shown, person: Person): Promise<string | null> {
  const rows = await expectedRows(shown, person);
  const difference = rows === null ? null : differenceOfRows(shown.rows, rows);
  if (difference !== null) return `${shown.path}${shown.search}: ${difference}`;
  return differenceOfCounts(shown, person);
}

async function expectedRows({ path, search }: Shown, person: Person): Promise<readonly ExpectedRow[] | null> {
  const [, , , screen] = path.split('/');
  const query = new URLSearchParams(search);
  if (screen === 'work') {
    const view = query.get('view') ?? 'todo';
    const states = view === 'mine' ? `&state=${MINE}` : '';
    const { items } = await person.ask<Page<WorkItem>>(`/work?view=${view}${states}&limit=${LIMIT}`);
    return items.map(({ from_number, owner, is_mine }) => ({
      number: from_number,
      has: owner === null ? t.work.owner.nobody : is_mine ? t.work.owner.you : owner.name,
    }));
  }
  if (screen === 'inbox') {
    const { items } = await person.ask<Page<ReceivedFax>>(`/inbound/page?junk=false&limit=${LIMIT}`);
    return items.map(({ fr, read_at }) => ({
      number: fr,
      ...(read_at === null ? { has: t.inbox.unread } : { hasNot: t.inbox.unread }),
    }));
  }
  if (screen !== 'sent') return null;
  const { items } = await person.ask<Page<SentFax>>(`/fax?limit=${LIMIT}`);
  return items.map(({ to }) => ({ number: to }));
}

/** Digits of the first number in a text; empty when it has none. */
export const numberIn = (text: string): string =>
  (/\+1[ .(-]*\d{3}[ .)-]*\d{3}[ .-]?\d{4}/u.exec(text)?.[0] ?? '').replaceAll(/\D/gu, '');

function differenceOfRows(shown: readonly ShownRow[], expected: readonly ExpectedRow[]): string | null {
  if (shown.length === 0 && expected.length > 0) return `no row instead of ${expected.length}`;
  for (const { index, text } of shown) {
    const row = expected[index];
    if (!row && expected.length === LIMIT) continue;
    if (!row) return `row ${index} of ${expected.length}`;
    if (numberIn(text) !== row.number.replace('+', ''))
      return `row ${index} is "${text}" instead of ${row.number}`;
    if (row.has !== undefined && !text.includes(row.has)) return `row ${index} lacks ${row.has}: "${text}"`;
    if (row.hasNot !== undefined && text.includes(row.hasNot)) return `row ${index} has ${row.hasNot}`;
  }
  return null;
}

async function differenceOfCounts({ tabs, rail }: Shown, person: Person): Promise<string | null> {
  const work = await person.ask<WorkCounts>('/work/counts');
  const all = work.open + work.acknowledged + work.done;
  const wanted: Record<string, number> = { ...work, all };
  for (const [view, label] of Object.entries(t.work.views)) {
    const tab = tabs.find((text) => text.startsWith(label));
    if (tab !== undefined && tab !== `${label}${(wanted[view] ?? 0).toLocaleString('en-US')}`)
      return `the tab "${tab}" instead of ${wanted[view]}`;
  }
  const { unread } = await person.ask<{ unread: number }>('/inbound/counts');
  const words = [
    [t.shell.inbox, unread === 0 ? '' : t.shell.unread(unread.toLocaleString('en-US'))],
    [t.shell.work, work.mine === 0 ? '' : t.shell.workMine(work.mine.toLocaleString('en-US'))],
  ] as const;
  for (const [screen, count] of words) {
    const link = rail.find((text) => text.startsWith(screen));
    if (link === undefined) return `no link to ${screen}`;
    if (!link.endsWith(count) || (count === '' && link !== screen))
      return `the link "${link}" instead of "${screen}${count}"`;
  }
  return null;
}
