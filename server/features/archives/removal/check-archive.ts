import { rm } from 'node:fs/promises';
import type { StayingReason } from '../../../../shared/api/archives-reasons.ts';
import type { ArchivedFax } from '../../../../shared/archive-format.ts';
import { createNameSet, type NameSet } from '../../../platform/name-set.ts';
import { ArchiveError, type OpenedArchive, openArchive } from '../open-archive.ts';
import type { ArchivesParts } from '../parts.ts';
import {
  changeRemoval,
  deletePlan,
  findRemoval,
  insertPlanned,
  lockRemoval,
  type RemovalRow,
} from '../store.ts';
import { decide, type RemovableFax } from './reasons.ts';

/** Faxes that are compared in one go. */
const BATCH = 200;

export const STOPPED = 'The check was stopped.';

type CheckParts = Pick<
  ArchivesParts,
  'db' | 'clock' | 'logger' | 'signing' | 'outbound' | 'inbound' | 'work' | 'intake' | 'printRules'
>;

/**
 * Verifies every byte of an archive, plans the removal of those of its faxes that may leave, and removes the file. The outcome is the
 * state of the removal; nothing is thrown.
 */
export async function checkArchive(parts: CheckParts, removal: RemovalRow, path: string): Promise<void> {
  try {
    const opened = await openArchive(path);
    try {
      await assertOwn(parts, opened, removal);
      await opened.verify();
      await plan(parts, opened, removal);
    } finally {
      await opened.close();
    }
  } catch (error) {
    const isKnown = error instanceof ArchiveError;
    if (!isKnown) parts.logger.error({ error, removal: removal.id }, 'an archive could not be checked');
    await fail(
      parts,
      removal,
      isKnown ? error.message : 'The archive could not be checked. Try again.',
    ).catch((cause: unknown) =>
      parts.logger.error({ error: cause }, 'the failed check of an archive was not recorded'),
    );
  } finally {
    await rm(path, { force: true });
  }
}

/** Throws ArchiveError for an archive of another installation, or of another time than the person named. */
async function assertOwn({ signing }: CheckParts, opened: OpenedArchive, removal: RemovalRow): Promise<void> {
  const keys = await signing.keys();
  if (!keys.some(({ fingerprint }) => fingerprint === opened.fingerprint))
    throw new ArchiveError('The archive was made by another installation: this one did not sign it.');
  const { year, month, since, until } = opened.manifest;
  if (year !== removal.year || month !== removal.month)
    throw new ArchiveError(`The archive is that of ${month === null ? year : `month ${month} of ${year}`}.`);
  if (since !== removal.since || until !== removal.until)
    throw new ArchiveError(
      'The archive was made with another time zone. Make a new archive with the present settings.',
    );
}

async function plan(parts: CheckParts, opened: OpenedArchive, removal: RemovalRow): Promise<void> {
  const counts = { position: 0, gone: 0, present: 0 };
  const staying = new Map<StayingReason, number>();
  let batch: RemovableFax[] = [];
  const seen = createNameSet();
  const settle = async () => {
    const faxes = batch;
    batch = [];
    if (faxes.length === 0) return;
    const { leaving, staying: kept, gone } = await decide(parts, parts.db.read, faxes);
    counts.gone += gone.length;
    counts.present += faxes.length - gone.length;
    for (const reason of kept.values()) staying.set(reason, (staying.get(reason) ?? 0) + 1);
    const first = counts.position + 1;
    counts.position += leaving.length;
    const rows = leaving.map((fax, at) => ({ ...fax, removal_id: removal.id, position: first + at }));
    await parts.db.transaction(async (tx) => {
      if ((await lockRemoval(tx, parts.db.capabilities, removal.id))?.state !== 'checking')
        throw new ArchiveError(STOPPED);
      if (rows.length > 0) await insertPlanned(tx, rows);
    });
  };
  for await (const fax of opened.faxes()) {
    assertWithin(fax, removal, seen);
    batch.push(planned(fax));
    if (batch.length === BATCH) await settle();
  }
  await settle();
  const { since, until } = removal;
  const total =
    (await parts.outbound.archiving.countAccepted(parts.db.read, since, until)) +
    (await parts.inbound.archiving.countReceived(parts.db.read, since, until));
  const ready = await parts.db.transaction((tx) =>
    changeRemoval(tx, removal, {
      state: 'ready',
      digest: opened.digest,
      waiting: counts.position,
      gone: counts.gone,
      staying: JSON.stringify(Object.fromEntries(staying)),
      not_archived: Math.max(0, total - counts.present),
    }),
  );
  if (!ready) throw new ArchiveError(STOPPED);
}

/** Throws ArchiveError for a fax of another time, and for one that is in the archive twice. */
function assertWithin({ id, at }: ArchivedFax, { since, until }: RemovalRow, seen: NameSet): void {
  if (at < since || at >= until || !seen.add(id))
    throw new ArchiveError(`The fax ${id} does not belong in this archive.`);
}

const planned = ({ direction, id, revision, document, original }: ArchivedFax): RemovableFax => ({
  direction,
  fax_id: id,
  revision: revision.fax,
  work_revision: revision.work,
  sha256: document?.sha256 ?? null,
  original_sha256: original?.sha256 ?? null,
});

async function fail({ db }: Pick<CheckParts, 'db'>, removal: RemovalRow, problem: string): Promise<void> {
  await db.transaction(async (tx) => {
    await changeRemoval(tx, removal, { state: 'failed', problem });
    // A person who stopped the check changed it already.
    if ((await findRemoval(tx, removal.id))?.state === 'failed') await deletePlan(tx, removal.id);
  });
}
