import type { StayingReason } from '../../../../shared/api/archives-reasons.ts';
import type { ReadDb } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { ArchivedRevision } from '../../outbound/service.ts';
import type { ArchivesParts } from '../parts.ts';
import type { PlannedFax } from '../store.ts';

/** Callbacks, repeated notifications and second thoughts have come by then. */
const QUIET_MS = 30 * 24 * 3_600_000;

export type RemovableFax = Omit<PlannedFax, 'removal_id' | 'position'>;

/** Decisions about some faxes of an archive, by the id of the fax. */
interface Decisions {
  readonly leaving: readonly RemovableFax[];
  readonly staying: ReadonlyMap<string, StayingReason>;
  /** Faxes that are not in the store. */
  readonly gone: readonly string[];
}

/** Decides which faxes may leave the store, a few hundred at most. Works inside a transaction. */
export async function decide(
  parts: Pick<ArchivesParts, 'clock' | 'outbound' | 'inbound' | 'work' | 'intake' | 'printRules'>,
  db: ReadDb,
  faxes: readonly RemovableFax[],
): Promise<Decisions> {
  const unchangedSince = isoTime(parts.clock.now() - QUIET_MS);
  const of = (direction: RemovableFax['direction']) => faxes.filter((fax) => fax.direction === direction);
  const reasons = new Map([
    ...(await parts.outbound.archiving.reasonsToStay(db, of('sent').map(asRevision), unchangedSince)),
    ...(await receivedReasons(parts, db, of('received'), unchangedSince)),
  ]);
  return {
    leaving: faxes.filter(({ fax_id }) => reasons.get(fax_id) === null),
    staying: new Map(
      [...reasons].flatMap(([id, reason]) => (reason === null ? [] : [[id, reason] as const])),
    ),
    gone: faxes.flatMap(({ fax_id }) => (reasons.has(fax_id) ? [] : [fax_id])),
  };
}

const asRevision = (fax: RemovableFax): ArchivedRevision => ({
  id: fax.fax_id,
  revision: fax.revision,
  sha256: fax.sha256,
  originalSha256: fax.original_sha256,
});

async function receivedReasons(
  { outbound, inbound, work, intake, printRules }: Parameters<typeof decide>[0],
  db: ReadDb,
  faxes: readonly RemovableFax[],
  unchangedSince: string,
): Promise<Map<string, StayingReason | null>> {
  if (faxes.length === 0) return new Map();
  const ids = faxes.map(({ fax_id }) => fax_id);
  const own = await inbound.archiving.reasonsToStay(db, faxes.map(asRevision), unchangedSince);
  const open = await work.archiving.reasonsToStay(db, ids);
  const items = await work.archiving.revisionsOf(db, ids);
  const mailed = await intake.undeliveredAmong(db, ids);
  const unprinted = await printRules.unprintedAmong(db, ids);
  const named = await outbound.archiving.namedByUnfinished(db, ids);
  const reasonOf = ({ fax_id: id, work_revision }: RemovableFax): StayingReason | null => {
    if (mailed.has(id) || unprinted.has(id) || named.has(id)) return 'linked';
    return open.get(id) ?? ((items.get(id) ?? null) === work_revision ? null : 'changed');
  };
  return new Map(
    faxes.flatMap((fax) => {
      const reason = own.get(fax.fax_id);
      return reason === undefined ? [] : [[fax.fax_id, reason ?? reasonOf(fax)] as const];
    }),
  );
}
