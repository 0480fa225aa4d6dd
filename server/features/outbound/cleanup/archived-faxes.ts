import type { StayingReason } from '../../../../shared/api/archives-reasons.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ArchiveOfFax } from '../../../platform/archive-of-fax.ts';
import { isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { holdsOn } from '../../holds/service.ts';
import { originalArtifact } from '../kept-original.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { OutboundParts } from '../parts.ts';
import { findJobs } from '../store/job-list.ts';
import {
  attemptsOfFaxes,
  countAccepted,
  deleteFaxes,
  ENDED_STATES,
  existingAmong,
  historyCounts,
  lockFaxes,
  namedByUnfinished,
  stillInUse,
} from '../store/removal-store.ts';
import { encodedArtifact } from '../transmitted-pages.ts';
import type { AttemptRow, JobRow } from '../types.ts';

/** A fax as an archive holds it. */
export interface ArchivedRevision {
  readonly id: string;
  /** As `revisionsOf` returned it when the archive was made. */
  readonly revision: string;
  /** SHA-256 of its document in the archive, lowercase hex; null where the archive has none. */
  readonly sha256: string | null;
  /** SHA-256 of its original in the archive; null where the archive has none. */
  readonly originalSha256: string | null;
}

/** Sent faxes for archives: their revisions, and their removal from the store. All work inside a transaction. */
export interface SentArchiving {
  /** Returns a digest of the whole record of each fax, which every change of it changes. */
  revisionsOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Lists the attempts of a fax, oldest first. */
  attemptsOf(db: ReadDb, id: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Returns those of the ids that belong to a fax. */
  existingAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Lets nobody change faxes until the end of the transaction. */
  lock(tx: WriteTx, ids: readonly string[]): Promise<void>;
  /** Returns the reason why each fax stays, null where it may leave; a fax that is gone is left out. */
  reasonsToStay(
    db: ReadDb,
    faxes: readonly ArchivedRevision[],
    unchangedSince: string,
  ): Promise<ReadonlyMap<string, StayingReason | null>>;
  /** Returns those of the faxes, sent or received, that a fax which is not finished names. */
  namedByUnfinished(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes faxes, a few dozen at most. The documents have to be deleted after the commit. */
  remove(
    tx: WriteTx,
    ids: readonly string[],
    archive: ArchiveOfFax,
  ): Promise<{
    readonly count: number;
    readonly attemptIds: readonly string[];
    readonly documents: readonly string[];
  }>;
  countAccepted(db: ReadDb, since: string, until: string): Promise<number>;
}

export function createSentArchiving({
  db: { capabilities },
  clock,
  holds,
}: Pick<OutboundParts, 'db' | 'clock' | 'holds'>): SentArchiving {
  return {
    revisionsOf,
    existingAmong,
    lock: (tx, ids) => lockFaxes(tx, capabilities, ids),
    async attemptsOf(db, id) {
      return (await attemptsOfFaxes(db, [id])).map(({ callback_url: _address, ...attempt }) => attempt);
    },
    async reasonsToStay(db, faxes, unchangedSince) {
      const ids = faxes.map(({ id }) => id);
      const jobs = await findJobs(db, ids);
      const context = {
        open: await holds.open(db),
        revisions: await revisionsOf(db, ids),
        used: await stillInUse(db, ids),
        named: await namedByUnfinished(db, ids),
        unchangedSince,
      };
      return new Map(
        faxes.flatMap((fax) => {
          const job = jobs.get(fax.id);
          return job === undefined ? [] : [[fax.id, reasonToStay(job, fax, context)] as const];
        }),
      );
    },
    namedByUnfinished,
    async remove(tx, ids, archive) {
      const jobs = await findJobs(tx, ids);
      const attempts = await attemptsOfFaxes(tx, ids);
      await deleteFaxes(tx, [...jobs.keys()], archive, isoTime(clock.now()));
      return {
        count: jobs.size,
        attemptIds: attempts.map(({ id }) => id),
        documents: [...jobs.values()].flatMap(documentsOf),
      };
    },
    countAccepted,
  };
}

interface StayingContext {
  readonly open: Awaited<ReturnType<OutboundParts['holds']['open']>>;
  readonly revisions: ReadonlyMap<string, string>;
  readonly used: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  readonly unchangedSince: string;
}

function reasonToStay(job: JobRow, fax: ArchivedRevision, context: StayingContext): StayingReason | null {
  const { open, revisions, used, named, unchangedSince } = context;
  if (holdsOn(open, heldFactsOf(job)).length > 0) return 'legal_hold';
  if (!ENDED_STATES.includes(job.delivery_state)) return 'unfinished';
  if (job.updated_at >= unchangedSince || (job.described_at ?? '') >= unchangedSince) return 'recent';
  if (job.case_id !== null) return 'case';
  if (job.broadcast_id !== null) return 'broadcast';
  if (used.has(job.id) || named.has(job.id)) return 'linked';
  if (job.artifact !== null && !isSameDocument(job, fax)) return 'document';
  return revisions.get(job.id) === fax.revision ? null : 'changed';
}

/** Of some faxes of earlier releases the digest of the document is not known. */
const isSameDocument = (
  { document_sha256, page_edits }: JobRow,
  { sha256, originalSha256 }: ArchivedRevision,
): boolean =>
  sha256 !== null &&
  (document_sha256 === '' || document_sha256 === sha256) &&
  (page_edits === null || originalSha256 !== null);

const documentsOf = ({ id, artifact }: JobRow): string[] =>
  artifact === null ? [] : [artifact, encodedArtifact(id), originalArtifact(id)];

async function revisionsOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const jobs = await findJobs(db, ids);
  const attempts = Map.groupBy(await attemptsOfFaxes(db, ids), ({ job_id }) => job_id);
  const entries = await historyCounts(db, ids);
  return new Map(
    [...jobs.values()].map((job) => [
      job.id,
      revisionOf(job, attempts.get(job.id) ?? [], entries.get(job.id) ?? 0),
    ]),
  );
}

/** The document may outlive its time, and a new data key seals the plan anew, without the fax being another one. */
function revisionOf(job: JobRow, attempts: readonly AttemptRow[], entries: number): string {
  const { artifact: _artifact, plan: _plan, search_text: _text, ...kept } = job;
  return sha256Hex(JSON.stringify([inOrder(kept), attempts.map(inOrder), entries]));
}

/** Databases return the columns in orders of their own. */
const inOrder = (row: object) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1));
