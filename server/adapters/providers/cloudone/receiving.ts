import type { ReceivedReport, ReceivingProvider } from '../../../features/inbound/receiving-port.ts';
import { createHttpClient, type HttpClient } from '../../../platform/http-client.ts';
import { fetchToFile } from '../document-fetch.ts';
import { certainlyNotSent, unusableAnswer } from '../failures.ts';
import { type ListPage, listingStart, readableEntries, readListing } from '../listing.ts';
import { utcTime } from '../wire-values.ts';
import type { CloudoneAccount } from './account.ts';
import { isUnknown, refusalOf, successOf } from './answers.ts';
import { call, requestOf } from './call.ts';
import { readNotification, receivedReportOf, verifyHead, verifyNotification } from './notification.ts';
import type { CloudoneOptions } from './provider.ts';
import { faxSchema } from './wire.ts';

const perPage = 200;
/** About a kilobyte for each fax. */
const maxListBytes = 2 * 1024 * 1024;

/** Receiving through the provider `cloudone`. */
export function createCloudoneReceiving(options: CloudoneOptions = {}): ReceivingProvider<CloudoneAccount> {
  const http = options.httpClient ?? createHttpClient({ timeoutMs: options.timeoutMs });
  return {
    verifyHead,
    verifyNotification,
    readNotification,
    lookUp: (account, providerId) => lookUp(http, account, providerId),
    listReceived: (account, since) =>
      readListing(account, since, (page) => listPage(http, account, listingStart(since), page)),
    async fetchDocument(account, providerId, path, limits) {
      const request = requestOf(account, `${pathOf(providerId)}/file`, 'application/pdf');
      return await fetchToFile(http.download, account, { ...request, path, ...limits }, (answer) =>
        refusalOf(answer, account, certainlyNotSent),
      );
    },
  };
}

async function lookUp(
  http: HttpClient,
  account: CloudoneAccount,
  providerId: string,
): Promise<ReceivedReport | null> {
  if (!faxSchema.shape.id.safeParse(providerId).success) return null;
  const answer = await call(http, account, {
    method: 'GET',
    path: pathOf(providerId),
    ambiguous: certainlyNotSent,
  });
  if (isUnknown(answer)) return null;
  const fax = faxSchema.safeParse(successOf(answer, account, certainlyNotSent).data);
  if (!fax.success) throw unusableAnswer(account, 'not a fax', certainlyNotSent);
  if (fax.data.id !== providerId) throw unusableAnswer(account, 'another fax', certainlyNotSent);
  return fax.data.direction === 'received' ? receivedReportOf(fax.data) : null;
}

async function listPage(
  http: HttpClient,
  account: CloudoneAccount,
  after: string,
  page: number,
): Promise<ListPage> {
  const query = { direction: 'received', created_after: after, per_page: `${perPage}`, page: `${page}` };
  const path = `/faxes?${new URLSearchParams(query).toString()}`;
  const what = { method: 'GET', path, ambiguous: certainlyNotSent, maxAnswerBytes: maxListBytes } as const;
  const { data, total } = successOf(await call(http, account, what), account, certainlyNotSent);
  const faxes = readableEntries(account, data, (entry) => faxSchema.safeParse(entry).data ?? null);
  return {
    faxes: faxes
      .filter((fax) => fax.direction === 'received')
      .map((fax) => ({ report: receivedReportOf(fax), beganAt: utcTime(fax.created_at) })),
    more: total === null ? Array.isArray(data) && data.length === perPage : page * perPage < total,
  };
}

function pathOf(providerId: string): string {
  return `/faxes/${encodeURIComponent(providerId)}`;
}
