import type { FaxRow, FiledFax, KeptDocument } from './types.ts';

/** Builds what handlers get of a fax whose document is filed. `filedAt` is ISO 8601 UTC. */
export function filedFax(row: FaxRow, document: KeptDocument, filedAt: string): FiledFax {
  return {
    id: row.id,
    backend: row.backend,
    fromNumber: row.from_number,
    toNumber: row.to_number,
    mailboxId: row.mailbox_id,
    isTest: row.is_test === 1,
    isOfTestKey: row.test === 1,
    isJunk: row.junk === 1,
    filedAt,
    document,
  };
}
