import type { StorageMark } from '../../adapters/storage/port.ts';
import type { Mismatch } from './types.ts';

/** A store and the documents in the data folder do not belong together. Nothing was changed. */
export class StoreMismatchError extends Error {
  override name = 'StoreMismatchError';
}

/** Describes a mismatch for a person. `store` is words such as `the store /srv/faxdesk/faxdesk.sqlite`. */
export function mismatchSentence(
  mismatch: Mismatch,
  { folder, store, mark }: { folder: string; store: string; mark: StorageMark | null },
): string {
  return `${SENTENCES[mismatch]({ folder, store, mark })} Nothing was changed. ${remedy(mismatch)}`;
}

const OPTION =
  'or start once with --accept-empty-store, which first moves the documents that the database does not list to a separate folder and holds waiting faxes';

function remedy(mismatch: Mismatch): string {
  return mismatch === 'elsewhere'
    ? `Connect the disk of the documents, give every gateway of one database the same folder, restore a backup (faxdesk restore --replace), ${OPTION}.`
    : `Restore a backup (faxdesk restore --replace), name the right database (DATABASE_URL) or data folder, ${OPTION}.`;
}

type Facts = { folder: string; store: string; mark: StorageMark | null };

const SENTENCES: Readonly<Record<Mismatch, (facts: Facts) => string>> = {
  new: ({ folder, store, mark }) =>
    mark?.database === 'postgres'
      ? `The documents in ${folder} belong to a PostgreSQL database, and ${store} has no record of them.`
      : `There are documents in ${folder}, and ${store} is new: it has no record of them.`,
  older: ({ folder, store }) => `The documents in ${folder} are newer than ${store}, which is an older copy.`,
  another: ({ folder, store }) => `The documents in ${folder} belong to another installation than ${store}.`,
  elsewhere: ({ folder, store }) => `The documents of ${store} are not those in ${folder}.`,
};
