import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import type { WorkStatistics } from '../../../shared/api/work-statistics.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { mailboxLabels, principalNames } from '../access/service.ts';
import { countRemoved } from '../inbound/service.ts';
import { wrongSpan } from './errors.ts';
import { createTally, type Tally } from './figures.ts';
import type { WorkParts } from './parts.ts';
import { overdueRange, rangesOf } from './store/list-key.ts';
import { countOwned, type FiledItem, filedAfter, type Span } from './store/statistics-store.ts';
import { NOBODY } from './types.ts';

export type Statistics = z.infer<typeof WorkStatistics>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const USUAL_DAYS = 30;
/** Rows in memory at a time, and between two of which others have their turn. */
const PAGE = 2_000;

/** As callers give it, any offset. */
export type WantedSpan = { readonly [K in keyof Span]?: string | undefined };

/**
 * The statistics of items that were filed in a span, and of what is open now. Exact: of each item two times are kept, page
 * after page, and nothing else of it. Throws 400 for a span that is empty or longer than 366 days.
 */
export async function workStatistics(
  parts: Pick<WorkParts, 'db' | 'clock'>,
  wanted: WantedSpan,
): Promise<Statistics> {
  const now = parts.clock.now();
  const span = spanOf(wanted, now);
  const tally = createTally(isoTime(now));
  await addFiled(parts, span, tally);
  await addOpen(parts, isoTime(now), tally);
  const { read } = parts.db;
  const labels = await mailboxLabels(read);
  const names = await principalNames(read, [...tally.people.keys()]);
  return {
    ...span,
    archived: await countRemoved(read, span.since, span.until),
    all: { ...tally.all.documents(), ...(await tally.all.read()) },
    mailboxes: await mailboxesOf(tally, labels),
    people: await peopleOf(tally, names),
  };
}

function spanOf({ since, until }: WantedSpan, now: number): Span {
  const end = until === undefined ? now : epochOf(until);
  const start = since === undefined ? end - USUAL_DAYS * DAY_MS : epochOf(since);
  // The days of a year have an hour more where its clocks were changed once.
  if (start >= end || end - start > LIMITS.statisticsDays * DAY_MS + HOUR_MS) throw wrongSpan();
  return { since: isoTime(start), until: isoTime(end) };
}

async function addFiled({ db }: Pick<WorkParts, 'db'>, span: Span, tally: Tally): Promise<void> {
  let last: FiledItem | null = null;
  do {
    const page: FiledItem[] = await filedAfter(db.read, span, last, PAGE);
    for (const item of page) tally.addFiled(item);
    last = page.length < PAGE ? null : (page.at(-1) ?? null);
    await setImmediate();
  } while (last !== null);
}

async function addOpen({ db }: Pick<WorkParts, 'db'>, now: string, tally: Tally): Promise<void> {
  const overdue = overdueRange(now);
  const [open] = rangesOf(['open']);
  if (!open) throw new Error('there is no range of open items');
  const parts = [
    { range: overdue, figure: 'overdue_now' },
    { range: open, figure: 'open_now' },
  ] as const;
  for (const { range, figure } of parts) {
    let after: string | null = null;
    do {
      const page = await countOwned(db.read, range, after, PAGE);
      for (const owned of page.owned) tally.addOpen(owned, figure);
      after = page.last;
      await setImmediate();
    } while (after !== null);
  }
}

async function mailboxesOf(tally: Tally, labels: ReadonlyMap<string, string>) {
  const rows: Statistics['mailboxes'] = [];
  for (const [id, figures] of tally.mailboxes)
    rows.push({
      mailbox_id: id === '' ? null : id,
      label: labels.get(id) ?? null,
      ...figures.documents(),
      ...(await figures.read()),
    });
  return rows.sort((a, b) => compareNames(a.label, b.label));
}

async function peopleOf(tally: Tally, names: ReadonlyMap<string, string>) {
  const rows: Statistics['people'] = [];
  for (const [id, figures] of tally.people)
    rows.push({
      principal_id: id === NOBODY ? null : id,
      name: id === NOBODY ? null : (names.get(id) ?? 'A former person'),
      ...(await figures.read()),
    });
  return rows.sort((a, b) => compareNames(a.name, b.name));
}

/** Compares two names; null comes last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a.localeCompare(b, 'en');
}
