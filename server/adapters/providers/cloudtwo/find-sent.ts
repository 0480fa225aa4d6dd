import type { FoundFax, SentSearch } from '../../../features/outbound/transport-port.ts';
import { certainlyNotSent } from '../failures.ts';
import { readableEntries } from '../listing.ts';
import { positive } from '../wire-values.ts';
import type { CloudtwoAccount } from './account.ts';
import { successOf } from './answers.ts';
import type { Caller } from './call.ts';
import { reportOf } from './fax-report.ts';
import { faxSchema, listSchema, timeOf } from './wire.ts';

const PAGE_SIZE = 200;
/** To one number within some minutes; what is beyond makes no match certain. */
const MAX_PAGES = 5;
const MAX_BYTES = 2 * 1024 * 1024;

/** Every fax that was sent to the number within the time. */
export async function findSent(
  caller: Caller,
  account: CloudtwoAccount,
  { to, from, until }: SentSearch,
): Promise<FoundFax[]> {
  const found: FoundFax[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = new URLSearchParams({
      direction: 'OUTBOUND',
      to,
      'createTime>': from,
      'createTime<': until,
      pageSize: `${PAGE_SIZE}`,
      page: `${page}`,
    });
    const path = `/faxes?${query.toString()}`;
    const what = { method: 'GET', path, ambiguous: certainlyNotSent, maxAnswerBytes: MAX_BYTES } as const;
    const answer = successOf(await caller.call(account, what), account, certainlyNotSent);
    const { faxes: entries, totalPages = null } = listSchema.safeParse(answer).data ?? {};
    const faxes = readableEntries(account, entries, (entry) => faxSchema.safeParse(entry).data ?? null);
    for (const fax of faxes)
      found.push({
        report: reportOf(fax),
        attemptId: null,
        beganAt: timeOf(fax.createTime),
        documentPages: positive(fax.numberOfPages),
        callbackUrl: fax.callbackUrl ?? null,
      });
    if (faxes.length === 0 || page >= (totalPages ?? 1)) break;
  }
  return found;
}
