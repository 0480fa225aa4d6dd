import type { z } from 'zod';
import type { holdsRoutes, LegalHoldDetails } from '../../../shared/api/holds.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { actorOf, type Caller, mailboxLabels } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { holdsOn } from './covering.ts';
import { alreadyReleased, noSuchHold, refused, stale } from './errors.ts';
import type { HoldsParts } from './parts.ts';
import { type HoldRequest, placeHold } from './place.ts';
import {
  addFaxes,
  countNamed,
  faxesOfHolds,
  findHold,
  listHolds,
  listOpen,
  lockHolds,
  markReleased,
} from './store.ts';
import type { HeldFacts, HoldRow, OpenHold } from './types.ts';

export { heldIds, holdsOn, nextCleanupAt } from './covering.ts';

type HoldPage = z.infer<typeof holdsRoutes.listLegalHolds.answer.schema>;
type HoldAnswer = HoldPage['items'][number];
type HoldDetails = z.infer<typeof LegalHoldDetails>;

/** The open legal holds, for the rooms that keep faxes. */
export interface LegalHolds {
  /** Returns the holds that were not released, oldest first. Inside a transaction with its `db`. */
  open(db: ReadDb): Promise<readonly OpenHold[]>;
  /** Returns the same for display: changes of another gateway are in it after a second. */
  shown(): Promise<readonly OpenHold[]>;
  /** Lets no hold be placed until the end of a transaction that removes faxes or documents: call it before `open`. */
  lock(tx: WriteTx): Promise<void>;
  /** Keeps a fax under the holds of the mailbox that it leaves. Throws a 400 refusal when there are too many such faxes. */
  keepMoved(tx: WriteTx, fax: HeldFacts): Promise<void>;
}

/** The service of the room. Refusals are HoldRefusalError. */
export interface HoldsService extends LegalHolds {
  list(query: z.infer<typeof holdsRoutes.listLegalHolds.query>): Promise<HoldPage>;
  get(id: string): Promise<HoldDetails>;
  place(caller: Caller, request: HoldRequest): Promise<HoldDetails>;
  release(
    caller: Caller,
    read: { readonly id: string; readonly version: number },
    note: string,
  ): Promise<HoldDetails>;
}

/** Each list passes their ids to the database. */
const MAX_NAMED = 10_000;

export function createHoldsService(parts: HoldsParts): HoldsService {
  const { db } = parts;
  const shown = createShownHolds(parts);
  /** Runs a change; what is shown is read again after it, also when it failed. */
  const changing = async <T>(change: () => Promise<T>): Promise<T> => change().finally(shown.forget);
  const details = async (id: string): Promise<HoldDetails> => {
    const row = await findHold(db.read, id);
    if (!row) throw noSuchHold();
    return presentDetails(parts, row);
  };
  return {
    open: openHolds,
    shown: shown.read,
    lock: (tx) => lockHolds(tx, db.capabilities),
    keepMoved: (tx, fax) => keepMoved(tx, fax).finally(shown.forget),
    async list(query) {
      const page = await listHolds(db.read, query);
      return { items: await presentAll(db.read, page.items), next_cursor: page.next_cursor };
    },
    get: details,
    place: async (caller, request) => details((await changing(() => placeHold(parts, caller, request))).id),
    async release(caller, read, note) {
      await changing(() => releaseHold(parts, caller, read, note));
      return details(read.id);
    },
  };
}

/** Maximum age of the holds that are shown. */
const SHOWN_MS = 1_000;

/** Remembers the open holds for a second, because every fax that is shown needs them. */
function createShownHolds({ db, clock }: Pick<HoldsParts, 'db' | 'clock'>) {
  let remembered: { readonly holds: readonly OpenHold[]; readonly at: number } | null = null;
  let changes = 0;
  return {
    async read(): Promise<readonly OpenHold[]> {
      const at = clock.now();
      // A clock that was set back makes what is remembered no older.
      if (remembered !== null && at >= remembered.at && at - remembered.at < SHOWN_MS)
        return remembered.holds;
      const before = changes;
      const holds = await openHolds(db.read);
      if (before === changes) remembered = { holds, at };
      return holds;
    },
    forget(): void {
      changes += 1;
      remembered = null;
    },
  };
}

async function openHolds(db: ReadDb): Promise<readonly OpenHold[]> {
  const rows = await listOpen(db);
  return rows.length === 0 ? [] : scopesOf(db, rows);
}

async function scopesOf(db: ReadDb, rows: readonly HoldRow[]): Promise<OpenHold[]> {
  const faxes = await faxesOfHolds(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map(({ id, name, case_id: caseId, numbers, mailbox_id: mailboxId, since, until }) => ({
    id,
    name,
    faxIds: faxes.get(id) ?? [],
    caseId,
    numbers: JSON.parse(numbers) as string[],
    mailboxId,
    since,
    until,
  }));
}

async function keepMoved(tx: WriteTx, fax: HeldFacts): Promise<void> {
  const ofMailbox = (await openHolds(tx)).filter(({ mailboxId }) => mailboxId !== null);
  const holds = holdsOn(ofMailbox, fax).filter(({ faxIds }) => !faxIds.includes(fax.id));
  const [first] = holds;
  if (first === undefined) return;
  if ((await countNamed(tx)) >= MAX_NAMED)
    throw refused(`This fax is under the legal hold ${first.name} of its mailbox, so it cannot be moved.`);
  for (const { id } of holds) await addFaxes(tx, id, [fax.id]);
}

async function releaseHold(
  { db, clock, audit }: HoldsParts,
  caller: Caller,
  { id, version }: { readonly id: string; readonly version: number },
  note: string,
): Promise<void> {
  const actor = actorOf(caller);
  await db.transaction(async (tx) => {
    const row = await findHold(tx, id);
    if (!row) throw noSuchHold();
    if (row.released_at !== null) throw alreadyReleased();
    const release = {
      released_at: isoTime(clock.now()),
      released_by_id: actor.id,
      released_by: actor.name,
      release_note: note === '' ? null : note,
    };
    if (!(await markReleased(tx, { id, version }, release))) throw stale();
    await audit.record(tx, {
      ...recordedActor(actor),
      operation: 'legal_hold.release',
      target: { kind: 'legal_hold', id },
      outcome: 'done',
      details: { name: row.name, ...(note !== '' && { note }) },
    });
  });
}

async function presentDetails({ db, faxes }: HoldsParts, row: HoldRow): Promise<HoldDetails> {
  const [[answer], [scope], open] = [
    await presentAll(db.read, [row]),
    await scopesOf(db.read, [row]),
    await openHolds(db.read),
  ];
  if (answer === undefined || scope === undefined) throw new Error('a legal hold can be shown');
  const figures = await faxes().figuresOf(
    scope,
    open.filter(({ id }) => id !== row.id),
  );
  return {
    ...answer,
    faxes: { sent: figures.sent, received: figures.received },
    documents_due: figures.documentsDue,
    next_cleanup_at: figures.nextCleanupAt,
  };
}

async function presentAll(db: ReadDb, rows: readonly HoldRow[]): Promise<HoldAnswer[]> {
  const ids = [...new Set(rows.flatMap(({ mailbox_id }) => mailbox_id ?? []))];
  const labels = ids.length === 0 ? new Map<string, string>() : await mailboxLabels(db, ids);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    reason: row.reason,
    kind: row.kind,
    case_id: row.case_id,
    numbers: JSON.parse(row.numbers) as string[],
    contact: row.contact_id === null ? null : { id: row.contact_id, name: row.contact_name ?? '' },
    mailbox:
      row.mailbox_id === null ? null : { id: row.mailbox_id, label: labels.get(row.mailbox_id) ?? null },
    since: row.since,
    until: row.until,
    placed_at: row.placed_at,
    placed_by: row.placed_by,
    released_at: row.released_at,
    released_by: row.released_by,
    release_note: row.release_note,
    version: row.version,
  }));
}
