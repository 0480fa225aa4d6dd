import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  ARCHIVE_FILES,
  ARCHIVE_FORMAT,
  type ArchivedFax,
  type ArchiveManifest,
  auditListName,
  FAXES_OF_LIST,
  listName,
} from '../../../shared/archive-format.ts';
import { isoTime } from '../../platform/clock.ts';
import { RefusalError } from '../../platform/errors.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Caller } from '../access/service.ts';
import { listSecurityEvents } from '../audit/service.ts';
import { presentFax } from '../outbound/service.ts';
import { receivedLine, receivedRevision, sentLine } from './archived-lines.ts';
import type { ArchivesParts } from './parts.ts';

/** The part of the past that an archive contains. */
export interface ArchivedSpan {
  readonly year: number;
  /** Null for the whole year. */
  readonly month: number | null;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly until: string;
}

export interface ArchiveRequest {
  readonly caller: Caller;
  /** The caller with what they may do by now. Throws when they may not make the archive any more. */
  currentCaller(): Promise<Caller>;
}

interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Counts for the manifest, while the archive is made. */
interface Counts {
  sent: number;
  received: number;
  audit_entries: number;
  left_out: number;
  without_document: number;
  altered_documents: number;
}

/** Rows in memory at a time; before each of them the permissions of the caller are read again. */
const PAGE_SIZE = 50;
const ENDED = new Set(['success', 'failed', 'cancelled']);

/**
 * Yields the files of an archive one after another: documents, lists of faxes with everything about them, and at the end the
 * manifest, the digests of all files and the signature over them.
 */
export async function* archiveFiles(
  parts: ArchivesParts,
  request: ArchiveRequest,
  span: ArchivedSpan,
): AsyncGenerator<ArchiveFile> {
  const signer = await parts.signing.signer();
  const digests: string[] = [];
  const counts: Counts = {
    sent: 0,
    received: 0,
    audit_entries: 0,
    left_out: 0,
    without_document: 0,
    altered_documents: 0,
  };
  const noted = (file: ArchiveFile) => {
    digests.push(`${sha256Hex(file.bytes)}  ${file.name}\n`);
    return file;
  };
  for await (const file of sentFiles(parts, request, span, counts)) yield noted(file);
  for await (const file of receivedFiles(parts, request, span, counts)) yield noted(file);
  for await (const file of auditFiles(parts, request, span, counts)) yield noted(file);
  const manifest: ArchiveManifest = {
    format: ARCHIVE_FORMAT,
    ...span,
    created_at: isoTime(parts.clock.now()),
    created_by: request.caller.principal.displayName,
    ...counts,
  };
  yield noted(textFile(ARCHIVE_FILES.manifest, `${JSON.stringify(manifest, null, 2)}\n`));
  yield noted(textFile(ARCHIVE_FILES.publicKey, signer.key.publicKey));
  const sums = textFile(ARCHIVE_FILES.sums, digests.join(''));
  yield sums;
  yield { name: ARCHIVE_FILES.signature, bytes: signer.sign(sums.bytes) };
}

const textFile = (name: string, text: string): ArchiveFile => ({ name, bytes: Buffer.from(text) });

async function* sentFiles(
  parts: ArchivesParts,
  request: ArchiveRequest,
  { since, until }: ArchivedSpan,
  counts: Counts,
): AsyncGenerator<ArchiveFile> {
  const { outbound } = parts;
  const lists = createLists('sent');
  let { caller } = request;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof outbound.list>> = await outbound.list(caller, {
      since,
      until,
      limit: PAGE_SIZE,
      cursor,
    });
    for (const { job } of page.items) {
      // Before everything else: what changes while it is read makes it another revision.
      const revision = (await outbound.archiving.revisionsOf(parts.db.read, [job.id])).get(job.id) ?? '';
      const fax = presentFax(await outbound.get(caller, job.id));
      if (!ENDED.has(fax.delivery_state)) {
        counts.left_out += 1;
        continue;
      }
      const file = `sent-${fax.id}.pdf`;
      const bytes = await readDocument(parts, () => outbound.openDocument(caller, fax.id, 'none'));
      countDocument(counts, bytes, fax.document.sha256);
      if (bytes !== null) yield { name: file, bytes };
      const changed = `sent-${fax.id}-original.pdf`;
      const original =
        fax.edits === null
          ? null
          : await readDocument(parts, () => outbound.openOriginal(caller, fax.id, 'none'));
      if (original !== null) yield { name: changed, bytes: original };
      counts.sent += 1;
      yield* lists.add(
        await sentLine(parts, caller, fax, {
          document: bytes && documentOf(file, bytes),
          original: original && documentOf(changed, original),
          revision: { fax: revision, work: null },
        }),
      );
    }
    cursor = page.next_cursor;
    if (cursor !== null) caller = await request.currentCaller();
  }
  yield* lists.end();
}

async function* receivedFiles(
  parts: ArchivesParts,
  request: ArchiveRequest,
  { since, until }: ArchivedSpan,
  counts: Counts,
): AsyncGenerator<ArchiveFile> {
  const { inbound } = parts;
  const lists = createLists('received');
  let { caller } = request;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof inbound.list>> = await inbound.list(caller, {
      since,
      until,
      limit: PAGE_SIZE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { id } of page.items) {
      // As above.
      const revision = await receivedRevision(parts, id);
      const fax = await inbound.get(caller, id);
      const work = await workOf(parts, caller, fax.work_item_id);
      if (fax.status === 'waiting' || work === 'open') {
        counts.left_out += 1;
        continue;
      }
      const file = `received-${fax.id}.pdf`;
      const bytes = await readDocument(parts, () => inbound.openDocument(caller, fax.id, 'none'));
      countDocument(counts, bytes, fax.sha256);
      if (bytes !== null) yield { name: file, bytes };
      const original = await readOriginal(parts, caller, fax.id);
      if (original !== null) yield original;
      counts.received += 1;
      yield* lists.add(
        await receivedLine(parts, caller, fax, {
          document: bytes && documentOf(file, bytes),
          original: original && documentOf(original.name, original.bytes),
          work,
          revision,
        }),
      );
    }
    cursor = page.next_cursor;
    if (cursor !== null) caller = await request.currentCaller();
  }
  yield* lists.end();
}

/** Yields the entries of the security audit, newest first, as the audit shows them: copies, since the chain stays whole. */
async function* auditFiles(
  { db }: ArchivesParts,
  request: ArchiveRequest,
  { since, until }: ArchivedSpan,
  counts: Counts,
): AsyncGenerator<ArchiveFile> {
  let number = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    await request.currentCaller();
    const page: Awaited<ReturnType<typeof listSecurityEvents>> = await listSecurityEvents(db.read, {
      since,
      until,
      limit: FAXES_OF_LIST,
      ...(cursor === undefined ? {} : { cursor }),
    });
    counts.audit_entries += page.items.length;
    number += 1;
    if (page.items.length > 0)
      yield textFile(auditListName(number), page.items.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    cursor = page.next_cursor;
  }
}

/** Collects the lines of faxes into lists of a size that fits into memory. */
function createLists(direction: ArchivedFax['direction']) {
  let lines: string[] = [];
  let number = 0;
  function* end(): Generator<ArchiveFile> {
    if (lines.length === 0) return;
    number += 1;
    yield textFile(listName(direction, number), lines.join(''));
    lines = [];
  }
  return {
    end,
    *add(fax: ArchivedFax): Generator<ArchiveFile> {
      lines.push(`${JSON.stringify(fax)}\n`);
      if (lines.length >= FAXES_OF_LIST) yield* end();
    },
  };
}

/** Counts a document that is missing, or is not what was recorded (null where nothing was). */
function countDocument(counts: Counts, bytes: Uint8Array | null, recorded: string | null): void {
  if (bytes === null) counts.without_document += 1;
  else if (recorded !== null && sha256Hex(bytes) !== recorded) counts.altered_documents += 1;
}

const documentOf = (file: string, bytes: Uint8Array) => ({
  file,
  sha256: sha256Hex(bytes),
  size_bytes: bytes.length,
});

/** Returns the work item of a fax with its history; null for none, `open` for one that is not done. */
async function workOf(
  { work }: ArchivesParts,
  caller: Caller,
  id: string | null,
): Promise<ArchivedFax['work'] | 'open'> {
  if (id === null) return null;
  const { notes: _notes, owner_can_see: _seen, owner_change: _change, ...item } = await work.get(caller, id);
  if (item.state !== 'done') return 'open';
  return { item, history: (await work.history(caller, id)).events };
}

const WITHOUT: readonly string[] = ['document_gone', 'document_damaged', 'not_received_yet', 'no_original'];

/** Returns the file that the pages of a fax carried, under the name that it has in an archive; null for none. */
async function readOriginal(parts: ArchivesParts, caller: Caller, id: string): Promise<ArchiveFile | null> {
  let extension = 'bin';
  const bytes = await readDocument(parts, async () => {
    const original = await parts.inbound.openOriginal(caller, id, 'none');
    extension = /\.([0-9a-z]{1,8})$/iu.exec(original.fileName)?.[1]?.toLowerCase() ?? 'bin';
    return original;
  });
  return bytes && { name: `received-${id}-original.${extension}`, bytes };
}

/**
 * Returns null for a document that was deleted before or is damaged. Any other failure, such as that of a bucket, is thrown: an
 * archive without documents that are there would mislead.
 */
async function readDocument(
  { logger }: ArchivesParts,
  open: () => Promise<{ readonly stream: Readable | Uint8Array }>,
): Promise<Uint8Array | null> {
  try {
    const { stream } = await open();
    return stream instanceof Uint8Array ? stream : await buffer(stream);
  } catch (error) {
    if (!(error instanceof RefusalError) || !WITHOUT.includes(error.refusalCode)) throw error;
    if (error.refusalCode === 'document_damaged')
      logger.error({ error }, 'an archive lacks a damaged document');
    return null;
  }
}
