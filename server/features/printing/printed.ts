import type { z } from 'zod';
import type { printingRoutes } from '../../../shared/api/printing.ts';
import { StorageMissingError } from '../../adapters/storage/port.ts';
import type { WriteTx } from '../../db/database.ts';
import { actorOf, type Caller } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { noSuchPrinted } from './errors.ts';
import type { PrintingParts } from './parts.ts';
import { claimPrinted, deletePrinted, findPrinted, listPrinted } from './store.ts';
import type { PrintedDocumentRow } from './types.ts';

type Printed = z.infer<typeof printingRoutes.takePrinted.answer.schema>;
type PrintedParts = Pick<PrintingParts, 'db' | 'seal' | 'storage' | 'audit' | 'notifier' | 'logger'>;

/** A caller, and where the request comes from. */
export interface Requester {
  readonly caller: Caller;
  /** True for requests from the computer that Faxdesk runs on, which prints the documents of no one. */
  readonly isAtComputer: boolean;
}

/** Lists the documents of the caller, and those of no one where the caller may see them, newest first. */
export async function listWaiting(
  { db, seal }: PrintedParts,
  requester: Requester,
): Promise<{ items: Printed[] }> {
  const { caller } = requester;
  if (caller.isTest) return { items: [] };
  const rows = await listPrinted(db.read, caller.principal.id, maySeeUnclaimed(requester));
  return { items: rows.map((row) => present(seal, row)) };
}

/** Makes a document of no one that of the caller. Throws a 404 refusal where it is gone or of someone else. */
export async function takeDocument(parts: PrintedParts, requester: Requester, id: string): Promise<Printed> {
  const { principal } = requester.caller;
  return await parts.db.transaction(async (tx) => {
    const row = await findVisible(tx, requester, id);
    if (row.owner_id !== null) return present(parts.seal, row);
    const taken = { ...row, owner_id: principal.id, version: row.version + 1 };
    if (!(await claimPrinted(tx, taken))) throw noSuchPrinted();
    await record(parts, tx, requester.caller, { operation: 'printed.take', row });
    parts.notifier.notify(tx, { id, version: taken.version, ownerId: null });
    return present(parts.seal, taken);
  });
}

/** Opens the pages of a document of the caller. Throws a 404 refusal where there is none. */
export async function openDocument({ db, storage }: PrintedParts, { caller }: Requester, id: string) {
  const row = await findPrinted(db.read, id);
  if (row?.owner_id !== caller.principal.id || caller.isTest) throw noSuchPrinted();
  const { stream, sizeBytes } = await storage.open(row.artifact).catch((error: unknown) => {
    throw error instanceof StorageMissingError ? noSuchPrinted() : error;
  });
  return { stream, sizeBytes, sha256: row.sha256 };
}

/** Discards a document. Throws a 404 refusal where it is gone or of someone else. */
export async function discardDocument(parts: PrintedParts, requester: Requester, id: string): Promise<void> {
  await parts.db.transaction(async (tx) => {
    await remove(parts, tx, requester.caller, { row: await findVisible(tx, requester, id), faxId: null });
  });
}

/** Removes the documents of the caller that a fax was made from, in the transaction that accepts it. Others are left. */
export async function removeSent(
  parts: PrintedParts,
  tx: WriteTx,
  caller: Caller,
  { id: faxId, printed }: { readonly id: string; readonly printed: readonly string[] },
): Promise<void> {
  if (caller.isTest) return;
  for (const id of new Set(printed)) {
    const row = await findPrinted(tx, id);
    if (row?.owner_id === caller.principal.id) await remove(parts, tx, caller, { row, faxId });
  }
}

async function remove(
  parts: PrintedParts,
  tx: WriteTx,
  caller: Caller,
  { row, faxId }: { readonly row: PrintedDocumentRow; readonly faxId: string | null },
): Promise<void> {
  const { db, storage, notifier, logger } = parts;
  await deletePrinted(tx, row.id);
  await record(parts, tx, caller, { operation: 'printed.remove', row, faxId });
  notifier.notify(tx, { id: row.id, version: row.version + 1, ownerId: row.owner_id });
  // One that cannot be removed now is found by the search for documents that nothing names.
  db.onCommit(tx, () => {
    storage
      .remove(row.artifact)
      .catch((error: unknown) =>
        logger.warn({ error, printed: row.id }, 'a printed document was not removed'),
      );
  });
}

/** At the computer that prints, or where every sent document can be opened anyway. */
const maySeeUnclaimed = ({ caller, isAtComputer }: Requester): boolean =>
  isAtComputer || caller.holds('fax:document');

async function findVisible(tx: WriteTx, requester: Requester, id: string): Promise<PrintedDocumentRow> {
  const { caller } = requester;
  const row = caller.isTest ? undefined : await findPrinted(tx, id);
  const isVisible =
    row?.owner_id === null ? maySeeUnclaimed(requester) : row?.owner_id === caller.principal.id;
  if (!row || !isVisible) throw noSuchPrinted();
  return row;
}

async function record(
  { audit }: PrintedParts,
  tx: WriteTx,
  caller: Caller,
  {
    operation,
    row,
    faxId = null,
  }: {
    readonly operation: 'printed.take' | 'printed.remove';
    readonly row: PrintedDocumentRow;
    readonly faxId?: string | null;
  },
): Promise<void> {
  await audit.record(tx, {
    ...recordedActor(actorOf(caller)),
    operation,
    target: { kind: 'printed_document', id: row.id },
    outcome: 'done',
    details: { pages: row.pages, source: row.source, ...(faxId === null ? {} : { fax: faxId }) },
  });
}

export function present(seal: PrintingParts['seal'], row: PrintedDocumentRow): Printed {
  const opened = (text: string | null, column: 'printed_by' | 'to_number') =>
    text === null ? null : seal.open(text, contextOf(row, column));
  return {
    id: row.id,
    source: row.source,
    name: seal.open(row.name, contextOf(row, 'name')),
    printed_by: opened(row.printed_by, 'printed_by'),
    to: opened(row.to_number, 'to_number'),
    pages: row.pages,
    size_bytes: row.size_bytes,
    mine: row.owner_id !== null,
    printed_at: row.printed_at,
    version: row.version,
  };
}

/** Returns the context in which a text of a printed document is sealed. */
export const contextOf = (
  { id }: Pick<PrintedDocumentRow, 'id'>,
  column: 'name' | 'printed_by' | 'to_number',
) => `printed_document:${id}:${column}`;
