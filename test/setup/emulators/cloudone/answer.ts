import { createHash, randomUUID } from 'node:crypto';
import { type Answer, json } from '../answer.ts';

/** A JSON answer with 200 and the vendor's envelope. */
export function success(message: string, rest: Record<string, unknown> = {}, headers = {}): Answer {
  return json(200, { success: true, message, ...rest }, headers);
}

/** The vendor's refusal. The texts of refusals are our own: the real ones are not published. */
export function refusal(status: number, message: string): Answer {
  return json(status, { success: false, message });
}

/** A list with the vendor's paging, in the body and the headers. */
export function pagedList(message: string, items: readonly unknown[], query: URLSearchParams): Answer {
  const page = Math.max(1, Number(query.get('page')) || 1);
  const perPage = Math.min(1000, Math.max(1, Number(query.get('per_page')) || 25));
  const data = items.slice((page - 1) * perPage, page * perPage);
  const paging = { total: items.length, per_page: perPage, page };
  const headers = { 'x-page': `${page}`, 'x-per-page': `${perPage}`, 'x-total': `${items.length}` };
  return success(message, { data, paging }, headers);
}

/** The answer with the headers that the vendor puts on every one. */
export function withVendorHeaders(answer: Answer): Answer {
  const etag = createHash('md5').update(answer.body).digest('hex');
  const headers = {
    'x-request-id': randomUUID(),
    etag: `W/"${etag}"`,
    'cache-control': 'max-age=0, private, must-revalidate',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    ...answer.headers,
  };
  return { ...answer, headers };
}
