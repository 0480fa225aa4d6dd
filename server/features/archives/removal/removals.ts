import type { z } from 'zod';
import { STAYING_REASONS, type StayingReason } from '../../../../shared/api/archives-reasons.ts';
import type { ArchiveRemoval } from '../../../../shared/api/archives-removal.ts';
import type { WriteTx } from '../../../db/database.ts';
import type { JobDefinition } from '../../../jobs/define-job.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { createPendingWork } from '../../../platform/pending-work.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { recordedActor } from '../../audit/service.ts';
import { noSuchRemoval, noSuchUpload, removalRunning, stale } from '../errors.ts';
import type { ArchivedSpan } from '../make-archive.ts';
import type { ArchivesParts } from '../parts.ts';
import {
  changeRemoval,
  deletePlan,
  findRemoval,
  insertRemoval,
  listRemovals,
  type RemovalRow,
  removalsIn,
} from '../store.ts';
import { checkArchive, STOPPED } from './check-archive.ts';
import { defineRemoval, removalJob, removalJobOf } from './removal-job.ts';
import { createArchiveUploads } from './uploads.ts';

type RemovalAnswer = z.infer<typeof ArchiveRemoval>;
type Read = Pick<RemovalRow, 'id' | 'version'>;

/** Removals of archived faxes from the store. */
export interface Removals {
  readonly jobs: readonly JobDefinition<never>[];
  /** Goes on with what a restart interrupted. */
  start(): Promise<void>;
  /** Waits for the checks that are under way. */
  stop(): Promise<void>;
  /** Adds a piece of an archive and returns the length so far. Throws a 409 refusal. */
  addPiece(uploadId: string, offset: number, piece: Uint8Array): Promise<number>;
  /** Deletes archives that nobody has handed over to the end. */
  removeAbandoned(): Promise<void>;
  /** Begins to check an archive that was handed over. Throws 404 and 409 refusals. */
  create(caller: Caller, uploadId: string, span: ArchivedSpan): Promise<RemovalAnswer>;
  list(): Promise<RemovalAnswer[]>;
  /** Throws a 404 refusal. */
  get(id: string): Promise<RemovalAnswer>;
  /** Removes the faxes from now on. Throws 404 and 409 refusals. */
  begin(caller: Caller, read: Read): Promise<RemovalAnswer>;
  /** Ends a check or removal. Throws 404 and 409 refusals. */
  end(caller: Caller, read: Read): Promise<RemovalAnswer>;
}

const INTERRUPTED = 'Faxdesk was restarted while it checked the archive. Hand it over again.';

export function createRemovals(parts: ArchivesParts): Removals {
  const { db, queue } = parts;
  const uploads = createArchiveUploads(parts.workDirectory, parts.clock);
  const checks = createPendingWork();
  return {
    jobs: [defineRemoval(parts)] as unknown as JobDefinition<never>[],
    async start() {
      await db.transaction(async (tx) => {
        for (const removal of await removalsIn(tx, 'checking')) {
          await changeRemoval(tx, removal, { state: 'failed', problem: INTERRUPTED });
          await deletePlan(tx, removal.id);
        }
        for (const { id } of await removalsIn(tx, 'running'))
          await queue.enqueue(tx, removalJob, removalJobOf(id));
      });
    },
    stop: () => checks.settled(),
    addPiece: (uploadId, offset, piece) => uploads.add(uploadId, offset, piece),
    async removeAbandoned() {
      // A check may read for hours.
      if (checks.size === 0) await uploads.removeAbandoned();
    },
    async create(caller, uploadId, span) {
      const path = await uploads.find(uploadId);
      if (path === null) throw noSuchUpload();
      const removal = newRemoval(parts, caller, span);
      await db.transaction(async (tx) => {
        await assertNoneOpen(tx);
        await insertRemoval(tx, removal);
        await record(parts, tx, caller, 'archive.check', removal);
      });
      checks.add(checkArchive(parts, removal, path));
      return presentRemoval(removal);
    },
    list: async () => (await listRemovals(db.read)).map(presentRemoval),
    async get(id) {
      const removal = await findRemoval(db.read, id);
      if (!removal) throw noSuchRemoval();
      return presentRemoval(removal);
    },
    begin: (caller, read) => db.transaction((tx) => begin(parts, tx, caller, read)),
    end: (caller, read) => db.transaction((tx) => end(parts, tx, caller, read)),
  };
}

async function begin(parts: ArchivesParts, tx: WriteTx, caller: Caller, read: Read): Promise<RemovalAnswer> {
  const removal = await requireRemoval(tx, read, ['ready', 'stopped']);
  await assertNoneOpen(tx);
  const started = await changeRemoval(tx, removal, {
    state: 'running',
    started_at: isoTime(parts.clock.now()),
    started_by: actorOf(caller).name,
    ended_at: null,
  });
  if (!started) throw stale();
  await parts.queue.enqueue(tx, removalJob, removalJobOf(removal.id));
  await record(parts, tx, caller, 'archive.remove', started);
  return presentRemoval(started);
}

async function end(parts: ArchivesParts, tx: WriteTx, caller: Caller, read: Read): Promise<RemovalAnswer> {
  const removal = await requireRemoval(tx, read, ['checking', 'ready', 'running']);
  const isChecked = removal.state !== 'checking';
  const ended = await changeRemoval(tx, removal, {
    ended_at: isoTime(parts.clock.now()),
    ...(isChecked ? { state: 'stopped' } : { state: 'failed', problem: STOPPED }),
  });
  if (!ended) throw stale();
  await record(parts, tx, caller, 'archive.stop', ended);
  return presentRemoval(ended);
}

async function requireRemoval(
  tx: WriteTx,
  { id, version }: Read,
  states: readonly RemovalRow['state'][],
): Promise<RemovalRow> {
  const removal = await findRemoval(tx, id);
  if (!removal) throw noSuchRemoval();
  if (removal.version !== version || !states.includes(removal.state)) throw stale();
  return removal;
}

async function assertNoneOpen(tx: WriteTx): Promise<void> {
  const open = [...(await removalsIn(tx, 'running')), ...(await removalsIn(tx, 'checking'))];
  if (open.length > 0) throw removalRunning();
}

function newRemoval({ clock }: ArchivesParts, caller: Caller, span: ArchivedSpan): RemovalRow {
  return {
    id: newId(),
    ...span,
    state: 'checking',
    version: 1,
    digest: null,
    problem: null,
    waiting: 0,
    removed_sent: 0,
    removed_received: 0,
    staying: '{}',
    gone: 0,
    not_archived: null,
    created_at: isoTime(clock.now()),
    created_by: actorOf(caller).name,
    started_at: null,
    started_by: null,
    ended_at: null,
  };
}

async function record(
  { audit }: ArchivesParts,
  tx: WriteTx,
  caller: Caller,
  operation: 'archive.check' | 'archive.remove' | 'archive.stop',
  { id, year, month, waiting, digest }: RemovalRow,
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'archive', id },
    outcome: 'done',
    details: {
      year: String(year),
      ...(month !== null && { month: String(month) }),
      ...(operation !== 'archive.check' && { faxes: String(waiting), archive: digest ?? '' }),
    },
  });
}

function presentRemoval(row: RemovalRow): RemovalAnswer {
  const staying = Object.entries(JSON.parse(row.staying) as Record<StayingReason, number>);
  return {
    id: row.id,
    year: row.year,
    month: row.month,
    state: row.state,
    version: row.version,
    problem: row.problem,
    waiting: row.waiting,
    removed: { sent: row.removed_sent, received: row.removed_received },
    staying: staying.map(([reason, faxes]) => ({
      reason: reason as StayingReason,
      words: STAYING_REASONS[reason as StayingReason],
      faxes,
    })),
    gone: row.gone,
    not_archived: row.not_archived,
    created_at: row.created_at,
    created_by: row.created_by,
    started_at: row.started_at,
    started_by: row.started_by,
    ended_at: row.ended_at,
  };
}
