import type { EarlierFax } from '../outbound/types.ts';
import { pathsOf } from './files.ts';
import { eachPage } from './pages.ts';
import type { PartContext } from './parts.ts';
import { readSent } from './read-sent.ts';

/** Moves the sent faxes over, with their documents. */
export async function moveSent(context: PartContext): Promise<void> {
  const { db, takers, files } = context;
  await eachPage(context, { part: 'sent', table: 'fax_jobs', next: 'summary' }, async (rows) => {
    const read = rows.map((row) => readSent(row, context));
    const known = await takers.sent.known(
      db.read,
      read.map(({ value }) => value.id),
    );
    const fresh = read.filter(({ value }) => !known.has(value.id));
    const documents = await files.take(
      fresh.map(({ value, formerId }) => ({
        paths: pathsOf(null, formerId).filter((path) => !path.includes('/')),
        nameOf: () => `fax/${value.id}.pdf`,
        sha256: null,
        loadsPages: false,
      })),
    );
    const faxes = fresh.map(({ value }, at): EarlierFax => {
      const found = documents[at];
      return { ...value, document: found !== undefined && 'name' in found ? found : null };
    });
    return {
      counts: {
        sent_moved: faxes.length,
        sent_present: read.length - faxes.length,
        sent_delivered: faxes.filter(({ isDelivered }) => isDelivered).length,
        sent_unconfirmed: faxes.filter(({ isDelivered }) => !isDelivered).length,
        sent_documents: faxes.filter(({ document }) => document !== null).length,
      },
      notes: fresh.flatMap(({ notes }) => notes),
      write: (tx) => takers.sent.add(tx, faxes),
    };
  });
}
