import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { actorOf, type Caller } from '../../access/service.ts';
import { type ChangeParts, change } from '../changes.ts';
import { filedFax } from '../filed-fax.ts';
import type { InboundParts } from '../parts.ts';
import type { FaxRow } from '../types.ts';

/** Dependencies of returning a fax from Junk. */
export type ReturnParts = ChangeParts & Pick<InboundParts, 'unreadIndex' | 'filedHandlers'>;

/** Takes a fax out of Junk: it is a new arrival for everybody who sees it, with its history. */
export async function returnFax(
  parts: ReturnParts,
  tx: WriteTx,
  row: FaxRow,
  caller: Caller,
): Promise<FaxRow> {
  const { name } = actorOf(caller);
  const text = `${name} took the fax out of Junk.`;
  const returned = await change(parts, tx, row, { junk: 0 }, { kind: 'not_junk', actor: name, text });
  const { sha256, size_bytes, pages } = returned;
  if (returned.status !== 'received' || sha256 === null || size_bytes === null || pages === null)
    return returned;
  parts.db.onCommit(tx, () => parts.unreadIndex.add(returned));
  const isDocumentKept = returned.document !== null;
  const document = {
    name: returned.document ?? '',
    sha256,
    sizeBytes: size_bytes,
    pages,
    mediaType: 'application/pdf',
  } as const;
  const fax = filedFax(returned, document, isoTime(parts.clock.now()));
  for (const handler of parts.filedHandlers) await handler.onReturned?.(tx, { fax, isDocumentKept, caller });
  return returned;
}
