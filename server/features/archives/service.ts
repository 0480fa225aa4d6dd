import { Readable } from 'node:stream';
import { ARCHIVE_PERMISSIONS } from '../../../shared/permissions.ts';
import { isoTime } from '../../platform/clock.ts';
import { spanOfDay } from '../../platform/local-days.ts';
import { assertMayOpen } from '../../platform/may-open.ts';
import { zipOf } from '../../platform/stored-zip.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { notOver } from './errors.ts';
import { type ArchivedSpan, type ArchiveRequest, archiveFiles } from './make-archive.ts';
import type { ArchivesParts } from './parts.ts';
import { createRemovals, type Removals } from './removal/removals.ts';

/** Archives of past years. */
export interface ArchivesService {
  /**
   * Opens the archive of a year or month as a stream that is made while it is read. Throws a 409 refusal for a time that is not
   * over, a 403 refusal without the permissions for all documents, and SealError while the signing key cannot be read.
   */
  export(
    request: ArchiveRequest & { readonly isEmpty: boolean },
    wanted: { readonly year: number; readonly month: number | null },
  ): Promise<{ readonly stream: Readable; readonly fileName: string }>;
  /** Adds a piece of an archive whose faxes are to be removed, and returns the length so far. */
  addPiece(caller: Caller, uploadId: string, offset: number, piece: Uint8Array): Promise<number>;
  /** Begins to check an archive. Throws as `export`, and 404 and 409 refusals. */
  createRemoval(
    caller: Caller,
    uploadId: string,
    wanted: { readonly year: number; readonly month: number | null },
  ): ReturnType<Removals['create']>;
  /** Removes the faxes of a checked archive from now on. */
  startRemoval(caller: Caller, read: Parameters<Removals['begin']>[1]): ReturnType<Removals['begin']>;
  readonly removals: Removals;
}

export function createArchivesService(parts: ArchivesParts): ArchivesService {
  const removals = createRemovals(parts);
  return {
    removals,
    addPiece(caller, uploadId, offset, piece) {
      assertMayRemove(caller);
      return removals.addPiece(uploadId, offset, piece);
    },
    createRemoval(caller, uploadId, { year, month }) {
      assertMayRemove(caller);
      return removals.create(caller, uploadId, spanOf(parts, year, month));
    },
    startRemoval(caller, read) {
      assertMayRemove(caller);
      return removals.begin(caller, read);
    },
    async export(request, { year, month }) {
      assertMay(request.caller);
      const span = spanOf(parts, year, month);
      const fileName = `faxdesk-${year}${month === null ? '' : `-${String(month).padStart(2, '0')}`}.zip`;
      await parts.signing.signer();
      if (request.isEmpty) return { stream: Readable.from([]), fileName };
      await record(parts, request.caller, span);
      const checked = {
        caller: request.caller,
        async currentCaller() {
          const caller = await request.currentCaller();
          assertMay(caller);
          return caller;
        },
      };
      return {
        stream: Readable.from(zipOf(archiveFiles(parts, checked, span)), { objectMode: false }),
        fileName,
      };
    },
  };
}

const assertMay = (caller: Caller) =>
  assertMayOpen(caller, ['work:export', ...ARCHIVE_PERMISSIONS], 'To export an archive');

const assertMayRemove = (caller: Caller) =>
  assertMayOpen(caller, ['work:export', ...ARCHIVE_PERMISSIONS], 'To remove archived faxes');

/** Returns the span by the clocks of the office. Throws a 409 refusal for one that is not over. */
function spanOf({ clock, timeZone }: ArchivesParts, year: number, month: number | null): ArchivedSpan {
  const zone = timeZone();
  const first = (ofYear: number, ofMonth: number) =>
    spanOfDay(`${ofYear}-${String(ofMonth).padStart(2, '0')}-01`, zone).since;
  const since = first(year, month ?? 1);
  const until = month === null || month === 12 ? first(year + 1, 1) : first(year, month + 1);
  if (until > isoTime(clock.now())) throw notOver();
  return { year, month, since, until };
}

async function record(
  { db, audit }: ArchivesParts,
  caller: Caller,
  { year, month }: ArchivedSpan,
): Promise<void> {
  await db.transaction((tx) =>
    audit.record(tx, {
      ...recordedActor(actorOf(caller)),
      operation: 'archive.export',
      target: { kind: 'archive', id: String(year) },
      outcome: 'done',
      details: { year: String(year), ...(month !== null && { month: String(month) }) },
    }),
  );
}
