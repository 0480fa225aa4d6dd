import type { ArchivedFax } from '../../../shared/archive-format.ts';
import type { Caller } from '../access/service.ts';
import type { presentFax } from '../outbound/service.ts';
import type { ArchivesParts } from './parts.ts';

type Facts = Record<string, unknown>;
/** Parts of a line that are known before the rest is read. */
type Given = Pick<ArchivedFax, 'document' | 'original' | 'revision'>;

/** Returns the line of a sent fax: everything about it that its removal takes out of the store. */
export async function sentLine(
  { db, outbound, telephony }: ArchivesParts,
  caller: Caller,
  fax: ReturnType<typeof presentFax>,
  given: Given,
): Promise<ArchivedFax> {
  const attempts = await outbound.archiving.attemptsOf(db.read, fax.id);
  const attemptIds = attempts.map(({ id }) => String(id));
  const calls = await telephony.archiving.of(db.read, { attemptIds, receivedIds: [] });
  return {
    direction: 'sent',
    id: fax.id,
    at: fax.created_at,
    number: fax.to,
    ...given,
    fax,
    history: asFacts(await outbound.history(caller, fax.id)),
    attempts: asFacts(attempts),
    calls: asFacts(calls),
    emails: [],
    printouts: [],
    work: null,
  };
}

/** Returns the line of a received fax: everything about it that its removal takes out of the store. */
export async function receivedLine(
  { db, inbound, intake, printRules, telephony }: ArchivesParts,
  caller: Caller,
  fax: Awaited<ReturnType<ArchivesParts['inbound']['get']>>,
  given: Given & Pick<ArchivedFax, 'work'>,
): Promise<ArchivedFax> {
  const emails = await intake.deliveriesOf(db.read, fax.id);
  return {
    direction: 'received',
    id: fax.id,
    at: fax.received_at,
    number: fax.fr,
    ...given,
    fax,
    history: (await inbound.evidence(caller, fax.id)).items,
    attempts: [],
    calls: asFacts(await telephony.archiving.of(db.read, { attemptIds: [], receivedIds: [fax.id] })),
    emails: emails.map(({ item, recipients }) => ({ ...item, recipients })),
    printouts: asFacts(await printRules.printoutsOf(db.read, fax.id)),
  };
}

/** Returns the revisions of a received fax and of its work item. */
export async function receivedRevision(
  { db, inbound, work }: ArchivesParts,
  id: string,
): Promise<ArchivedFax['revision']> {
  return {
    fax: (await inbound.archiving.revisionsOf(db.read, [id])).get(id) ?? '',
    work: (await work.archiving.revisionsOf(db.read, [id])).get(id) ?? null,
  };
}

const asFacts = (rows: readonly object[]): Facts[] => rows.map((row) => ({ ...row }));
