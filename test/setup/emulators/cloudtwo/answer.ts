import { type Answer, json } from '../answer.ts';

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  402: 'Payment required',
  404: 'Not found',
  422: 'Invalid parameters',
  429: 'Too many requests',
};

/** The vendor's error body. A 401 has none, and a 400 bears the code of a 404: so it is documented. */
export function refusal(status: number, message: string): Answer {
  if (status === 401) return unauthorized('Bearer');
  const code = status === 400 ? '404' : String(status);
  return json(status, { code, error: names[status] ?? 'Error', message });
}

/** 422 about one field. */
export function violation(field: string, description: string): Answer {
  const details = { fieldViolations: [{ field, description }] };
  return json(422, { code: '422', error: 'Invalid parameters', message: 'Invalid request', details });
}

export function unauthorized(challenge: string): Answer {
  return { status: 401, body: Buffer.alloc(0), headers: { 'www-authenticate': challenge } };
}

export function noContent(): Answer {
  return { status: 204, body: Buffer.alloc(0), headers: {} };
}

/** A list with the vendor's paging; `key` names the items. */
export function pagedList(key: string, items: readonly unknown[], query: URLSearchParams): Answer {
  const page = Math.max(1, Number(query.get('page')) || 1);
  const pageSize = Math.min(1000, Math.max(1, Number(query.get('pageSize')) || 100));
  const shown = items.slice((page - 1) * pageSize, page * pageSize);
  const totalPages = Math.max(1, Math.ceil(items.length / pageSize));
  return json(200, { [key]: shown, page, pageSize, totalPages, totalItems: items.length });
}
