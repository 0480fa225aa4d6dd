import type { ReadDb } from '../../../db/database.ts';
import { type FaxAbout, withAboutText } from '../../../platform/fax-about.ts';
import { type Caller, visibleTo } from '../../access/service.ts';
import type { LastAbout } from '../../outbound/port.ts';
import type { InboundParts } from '../parts.ts';
import { findFaxes, findKeys, listFaxes } from '../store/list-store.ts';
import { testFaxesFor } from '../visibility.ts';

/** Number of faxes among which the last one with values is looked for. */
const MAX_SCANNED = 20;

/** Returns what the last fax from the E.164 number is about, among those in the lists of the caller; null for none. */
export async function lastAbout(
  { db }: Pick<InboundParts, 'db'>,
  caller: Caller,
  from: string,
): Promise<LastAbout | null> {
  const scope = visibleTo(caller, 'inbound:list');
  const testFaxes = testFaxesFor(caller, false);
  const { items } = await listFaxes(db.read, { scope, testFaxes, from, junk: false, limit: MAX_SCANNED });
  const found = items.find(({ subject, reference, document_type }) => subject ?? reference ?? document_type);
  if (!found) return null;
  const { id, subject, reference, document_type, received_at: at } = found;
  return { subject, reference, document_type, fax: { direction: 'received', id, at } };
}

/** Maximum number of faxes that a search returns. */
const MAX_FOUND = 200;

/** Descriptions of received faxes, for rooms that have checked access to them. */
export interface AboutOfFaxes {
  /** Returns the values by id, of those of the faxes that have any. Works inside a transaction. */
  ofFaxes(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, FaxAbout>>;
  /** Returns the ids of the newest faxes, at most 200, whose values contain one of the folded search texts. */
  find(db: ReadDb, texts: readonly string[]): Promise<string[]>;
}

export const aboutOfFaxes: AboutOfFaxes = {
  async ofFaxes(db, faxIds) {
    const rows = await findFaxes(db, faxIds);
    const named = [...rows].filter(
      ([, { subject, reference, document_type }]) => subject ?? reference ?? document_type,
    );
    return new Map(
      named.map(([id, { subject, reference, document_type }]) => [id, { subject, reference, document_type }]),
    );
  },
  async find(db, texts) {
    if (texts.length === 0) return [];
    const scope = { everything: true, mailboxIds: [], documentIds: [] };
    const keys = await findKeys(db, { scope, texts, statuses: ['received'], limit: MAX_FOUND + 1 });
    const rows = await findFaxes(
      db,
      keys.map(({ id }) => id),
    );
    // The search text of a fax also has its numbers, which an item is found by itself.
    const matches = (about: FaxAbout) => texts.some((text) => withAboutText('', about).includes(text));
    return [...rows].filter(([, row]) => matches(row)).map(([id]) => id);
  },
};
