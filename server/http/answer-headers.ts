import type { RouteDefinition } from '../../shared/api/route.ts';
import { isRepeatable } from '../../shared/api/route-repeats.ts';
import { ERROR_CODE_HEADER, ERROR_CODES } from '../../shared/errors/all.ts';
import type { Json } from './json-schema.ts';

const header = (description: string, type: 'string' | 'integer' = 'string'): Json => ({
  description,
  schema: { type },
});

/** Headers of answers, by their names as components. */
const HEADER_COMPONENTS: Json = {
  RequestId: header('ID of the request, which is also in the log: the one that was sent, or a new one.'),
  ErrorCode: {
    description: 'Stable code of the refusal; its status never changes.',
    schema: { type: 'string', enum: ERROR_CODES },
  },
  RetryAfter: header('With 429 and 503: number of seconds to wait before the next request.', 'integer'),
  RateLimit: header(
    'Limits that this request counted for, each with the requests left (`r`) and seconds (`t`).',
  ),
  RateLimitPolicy: header('The same limits, each with its requests (`q`) in a number of seconds (`w`).'),
  Ignored: header('Names of form fields or query parameters that were not read, separated by commas.'),
  WwwAuthenticate: header('With 401: way in which a credential can be sent.'),
  Replayed: header('`true` if this is the answer to an earlier request with the same Idempotency-Key.'),
  ETag: header('SHA-256 of the bytes in quotation marks; the same bytes have the same tag.'),
  AcceptRanges: header('`bytes`: a part can be requested with the header `Range`.'),
  ContentRange: header('Position of the part, and the size of the whole; with 416 the size alone.'),
  NextPage: header('Address of the next page, with `rel="next"`; missing on the last page.'),
  Deprecation: header('`true`: use the successor in `Link`.'),
  Sunset: header('Time after which the route may be removed.'),
  Successor: header('Address of the successor, with `rel="successor-version"`.'),
};

/** Returns the components that a description, as JSON text, refers to. */
export function namedHeaders(text: string): Json {
  const isNamed = ([name]: [string, unknown]) => text.includes(`#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(HEADER_COMPONENTS).filter(isNamed));
}

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** Headers of every answer. */
export const EVERY_ANSWER: Json = { 'X-Request-Id': ref('RequestId') };

/** Headers of a successful answer of a route. */
export function successHeaders(route: RouteDefinition): Json {
  const isIgnoring = route.ignoresUnknownQuery === true || route.form?.ignoresUnknown === true;
  return {
    ...EVERY_ANSWER,
    ...(isRepeatable(route) ? { 'Idempotency-Replayed': ref('Replayed') } : {}),
    ...(isIgnoring ? { 'X-Ignored': ref('Ignored') } : {}),
    ...(route.hasRanges ? { ETag: ref('ETag'), 'Accept-Ranges': ref('AcceptRanges') } : {}),
    ...(route.linksNext ? { Link: ref('NextPage') } : {}),
    ...(route.deprecated
      ? { Deprecation: ref('Deprecation'), Sunset: ref('Sunset'), Link: ref('Successor') }
      : {}),
  };
}

/** Headers of a part of a document. */
export const PART_HEADERS: Json = {
  ...EVERY_ANSWER,
  ETag: ref('ETag'),
  'Content-Range': ref('ContentRange'),
};

/** Headers of refusals; those that belong to one status say which. */
export const REFUSAL_HEADERS: Json = {
  ...EVERY_ANSWER,
  [ERROR_CODE_HEADER]: ref('ErrorCode'),
  'WWW-Authenticate': ref('WwwAuthenticate'),
  'Content-Range': ref('ContentRange'),
  RateLimit: ref('RateLimit'),
  'RateLimit-Policy': ref('RateLimitPolicy'),
  'Retry-After': ref('RetryAfter'),
};
