import {
  DocumentError,
  type FetchedDocument,
  type ReceivedReport,
  type ReceivingProvider,
} from '../../../features/inbound/receiving-port.ts';
import { fetchToFile } from '../document-fetch.ts';
import { certainlyNotSent, unusableAnswer } from '../failures.ts';
import { type ListPage, listingStart, readableEntries, readListing } from '../listing.ts';
import { type CloudtwoAccount, endpoint } from './account.ts';
import { isUnknown, refusalOf, successOf } from './answers.ts';
import { assertBaseUrl, type Caller, createCaller } from './call.ts';
import { directionOf } from './fax-report.ts';
import { readNotification, receivedReportOf, verifyHead, verifyNotification } from './notification.ts';
import { faxId, faxSchema, listSchema, timeOf } from './wire.ts';

const pageSize = 200;
/** About a kilobyte for each fax. */
const maxListBytes = 2 * 1024 * 1024;

/** Receiving through the provider `cloudtwo`. */
export function createCloudtwoReceiving(caller: Caller = createCaller()): ReceivingProvider<CloudtwoAccount> {
  return {
    verifyHead,
    verifyNotification,
    readNotification,
    lookUp: (account, providerId) => lookUp(caller, account, providerId),
    listReceived: (account, since) =>
      readListing(account, since, (page) => listPage(caller, account, listingStart(since), page)),
    fetchDocument: (account, providerId, path, limits) =>
      fetchDocument(caller, account, providerId, { path, ...limits }),
  };
}

async function lookUp(
  caller: Caller,
  account: CloudtwoAccount,
  providerId: string,
): Promise<ReceivedReport | null> {
  if (!faxId.safeParse(providerId).success) return null;
  const answer = await caller.call(account, {
    method: 'GET',
    path: pathOf(providerId),
    ambiguous: certainlyNotSent,
  });
  if (isUnknown(answer)) return null;
  const fax = faxSchema.safeParse(successOf(answer, account, certainlyNotSent));
  if (!fax.success) throw unusableAnswer(account, 'not a fax', certainlyNotSent);
  if (fax.data.id !== providerId) throw unusableAnswer(account, 'another fax', certainlyNotSent);
  return directionOf(fax.data) === 'received' ? receivedReportOf(fax.data) : null;
}

async function listPage(
  caller: Caller,
  account: CloudtwoAccount,
  after: string,
  page: number,
): Promise<ListPage> {
  const query = { direction: 'INBOUND', 'createTime>': after, pageSize: `${pageSize}`, page: `${page}` };
  const path = `/faxes?${new URLSearchParams(query).toString()}`;
  const what = { method: 'GET', path, ambiguous: certainlyNotSent, maxAnswerBytes: maxListBytes } as const;
  const list = listSchema.safeParse(successOf(await caller.call(account, what), account, certainlyNotSent));
  const { faxes: entries, totalPages = null } = list.data ?? {};
  const faxes = readableEntries(account, entries, (entry) => faxSchema.safeParse(entry).data ?? null);
  return {
    faxes: faxes
      .filter((fax) => directionOf(fax) === 'received')
      .map((fax) => ({ report: receivedReportOf(fax), beganAt: timeOf(fax.createTime) })),
    more: totalPages === null ? Array.isArray(entries) && entries.length === pageSize : page < totalPages,
  };
}

/** The documented address, and where it is unknown the one that the vendor's own client still uses. */
async function fetchDocument(
  caller: Caller,
  account: CloudtwoAccount,
  providerId: string,
  destination: { path: string; maxBytes: number; signal?: AbortSignal },
): Promise<FetchedDocument> {
  assertBaseUrl(account);
  const fetchAs = (name: string) =>
    fetchToFile(
      (download) => caller.download(account, download),
      account,
      {
        ...destination,
        url: endpoint(account, `${pathOf(providerId)}/${name}`),
        headers: { accept: 'application/pdf' },
      },
      (answer) => refusalOf(answer, account, certainlyNotSent),
    );
  try {
    return await fetchAs('file');
  } catch (error) {
    if (!(error instanceof DocumentError) || error.problem !== 'document_missing') throw error;
    return await fetchAs('file.pdf');
  }
}

function pathOf(providerId: string): string {
  return `/faxes/${encodeURIComponent(providerId)}`;
}
