import type { EarlierReceived } from '../inbound/types.ts';
import type { FoundDocument } from './files.ts';
import { pathsOf } from './files.ts';
import { findMailboxes } from './move-access.ts';
import { eachPage } from './pages.ts';
import type { PartContext } from './parts.ts';
import { type ReadReceived, readNotification, readReceived } from './read-received.ts';
import type { Read } from './read-sent.ts';
import type { UpgradeNote } from './types.ts';
import { shown } from './values.ts';

/** Moves the received faxes over, with their documents and a work item for each. */
export async function moveReceived(context: PartContext): Promise<void> {
  const { db, takers, upgradedAt, openSince } = context;
  const labels = await findMailboxes(context);
  const firstOf = await firstOfRepeated(context);
  await eachPage(
    context,
    { part: 'received', table: 'inbound_faxes', next: 'notifications' },
    async (rows) => {
      const read = rows.map((row) => readReceived(row, context));
      const known = await takers.received.known(
        db.read,
        read.map(({ value }) => value.id),
      );
      const fresh = read.filter(({ value }) => !known.has(value.id));
      const documents = await context.files.take(fresh.map((each) => wantedOf(context, each)));
      const notes: UpgradeNote[] = [];
      const faxes = fresh.map(({ value, formerId, notes: own }, at) => {
        notes.push(...own);
        const { path, sha256: _, mailbox, providerId, ...fax } = value;
        const mailboxId = mailbox === null ? null : (labels.get(mailbox) ?? null);
        if (mailbox !== null && mailboxId === null)
          notes.push({
            kind: 'mailbox_missing',
            subjectId: fax.id,
            text: `Received fax ${fax.id} was in the mailbox ${shown(mailbox)}, which does not exist. It is in no mailbox now.`,
          });
        const document = documentOf(documents[at], path);
        if ('problem' in document)
          notes.push({
            kind: 'not_received',
            subjectId: fax.id,
            text: `Received fax ${fax.id} counts as not received. ${document.problem}`,
          });
        const isFirst = (firstOf.get(keyOf(value)) ?? formerId) === formerId;
        return {
          ...fax,
          mailboxId,
          providerId: providerId === null || !isFirst ? `earlier-${fax.id}` : providerId,
          document,
        } satisfies EarlierReceived;
      });
      return {
        counts: {
          received_moved: faxes.length,
          received_present: read.length - faxes.length,
          received_complete: faxes.filter(({ document }) => !('problem' in document)).length,
          received_not_received: faxes.filter(({ document }) => 'problem' in document).length,
        },
        notes,
        async write(tx) {
          await takers.received.add(tx, faxes);
          await takers.work.add(tx, faxes.flatMap(filedOf), { now: upgradedAt, openSince });
        },
      };
    },
  );
}

function wantedOf({ takers }: PartContext, { value, formerId }: Read<ReadReceived>) {
  const { id, path, sha256 } = value;
  return {
    paths: pathsOf(path, formerId),
    nameOf: (digest: string) => takers.received.documentName(id, digest),
    sha256,
    loadsPages: true,
  };
}

function documentOf(found: FoundDocument | undefined, path: string | null): EarlierReceived['document'] {
  if (found !== undefined && 'name' in found) return { ...found, mediaType: 'application/pdf' };
  const { problem, at = null } = found ?? { problem: 'missing' as const };
  if (problem === 'missing' && path?.startsWith('s3://'))
    return { problem: `Its document was in object storage (${path}) and is not in the folder of files.` };
  return { problem: PROBLEMS[problem](at ?? path) };
}

const PROBLEMS: Readonly<
  Record<Extract<FoundDocument, { problem: string }>['problem'], (at: string | null) => string>
> = {
  missing: (at) => `Its document ${at ?? ''} is not in the folder of files.`.replace('  ', ' '),
  stand_in: () => 'The earlier release stored a stand-in page in place of its document.',
  altered: (at) => `Its document ${at ?? ''} is not the one that was received: it was altered.`,
  too_large: (at) => `Its document ${at ?? ''} is larger than 50 MB.`,
  unreadable: (at) => `Its document ${at ?? ''} cannot be read as a PDF.`,
};

function filedOf({ id, backend, mailboxId, from, to, receivedAt, document }: EarlierReceived) {
  if ('problem' in document) return [];
  return [{ id, backend, mailboxId, from, to, receivedAt, pages: document.pages, sha256: document.sha256 }];
}

const keyOf = ({ backend, providerId }: Pick<ReadReceived, 'backend' | 'providerId'>) =>
  `${backend} ${providerId}`;

/** Of faxes with the same id at a provider, the one that keeps it, by its former id: an account has each id once. */
async function firstOfRepeated({ earlier, upgradedAt, country }: PartContext): Promise<Map<string, string>> {
  const rows = await earlier.repeated('inbound_faxes', ['backend', 'provider_sid']);
  const first = new Map<string, string>();
  for (const [backend = null, provider_sid = null, id = null] of rows) {
    if (provider_sid === null || id === null) continue;
    const { value } = readReceived({ backend, provider_sid, id }, { upgradedAt, country });
    const key = keyOf(value);
    const before = first.get(key);
    if (before === undefined || id < before) first.set(key, id);
  }
  return first;
}

/** Moves the notifications over that the earlier release had seen. */
export async function moveNotifications(context: PartContext): Promise<void> {
  const { db, takers } = context;
  await eachPage(context, { part: 'notifications', table: 'inbound_events', next: 'sent' }, async (rows) => {
    const read = rows.flatMap((row) => readNotification(row, context) ?? []);
    const known = await takers.received.knownNotifications(
      db.read,
      read.map(({ id }) => id),
    );
    const fresh = read.filter(({ id }) => !known.has(id));
    return {
      counts: {
        notifications_moved: fresh.length,
        notifications_present: known.size,
        notifications_left: rows.length - read.length,
      },
      notes: [],
      write: (tx) => takers.received.addNotifications(tx, fresh),
    };
  });
}
