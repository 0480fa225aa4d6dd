import { ERRORS, type ErrorCode } from '../errors/all.ts';
import type { RouteDefinition } from './route.ts';
import { isRepeatable } from './route-repeats.ts';

/** Of every request with a credential: by API key, by session, or with none. */
const CREDENTIAL = [
  'sign_in_required',
  'invalid_credential',
  'key_expired',
  'key_revoked',
  'key_maker_left',
  'key_not_approved',
  'session_ended',
  'other_page',
  'origin_refused',
  'rate_limited',
] as const;

/** Refusals that are possible for any request, whatever its address; they are not repeated at every route. */
export const ANYWHERE: readonly ErrorCode[] = [
  'no_such_address',
  'address_removed',
  'method_not_allowed',
  'unreadable_request',
  'request_timeout',
  'headers_too_long',
  'internal_error',
  'disk_full',
  'database_away',
  'database_damaged',
  'database_read_only',
  'disk_failing',
  'files_unavailable',
  'files_not_allowed',
  'files_read_only',
  'other_data_key',
];

/** Every code that a route can answer, those of `ANYWHERE` left out, by status. */
export const refusalsOf = (route: RouteDefinition): ErrorCode[] =>
  byStatus([...sharedRefusalsOf(route), ...(route.refusals ?? [])]);

/** Codes that a route names itself, by status. */
export const ownRefusalsOf = (route: RouteDefinition): ErrorCode[] => byStatus(route.refusals ?? []);

/** Returns each code once, by status and name. */
export const byStatus = (codes: readonly ErrorCode[]): ErrorCode[] =>
  [...new Set(codes)].sort((a, b) => ERRORS[a].status - ERRORS[b].status || a.localeCompare(b));

/** Codes that every route with the same credential, method and body can answer. */
export function sharedRefusalsOf(route: RouteDefinition): ErrorCode[] {
  return [
    ...(route.access === 'public' ? [] : CREDENTIAL),
    ...(route.access === 'public' || route.access === 'signed-in' ? [] : (['not_allowed'] as const)),
    ...(route.access === 'public' || route.method === 'GET' ? [] : (['wrong_csrf_token'] as const)),
    ...(isRepeatable(route) && !route.ownKey
      ? (['invalid_idempotency_key', 'idempotency_key_reused', 'answer_lost'] as const)
      : []),
    ...(readsQuery(route) ? (['invalid_request'] as const) : []),
    ...(route.query ? (['unreadable_request'] as const) : []),
    ...(route.query && 'cursor' in route.query.shape ? (['invalid_cursor'] as const) : []),
    ...(route.hasRanges ? (['range_not_satisfiable'] as const) : []),
    ...(route.from !== undefined ? (['origin_refused', 'unknown_host'] as const) : []),
    ...bodyRefusals(route),
  ];
}

/** Requests of providers are read by the room, after they were verified. */
const readsQuery = ({ query, from, ignoresUnknownQuery }: RouteDefinition): boolean =>
  query !== undefined || (from !== 'provider' && !ignoresUnknownQuery);

function bodyRefusals({ body, form, badBody }: RouteDefinition): readonly ErrorCode[] {
  if (form)
    return [
      'too_large',
      'form_expected',
      'unreadable_request',
      'invalid_request',
      'too_many_parts',
      'wrong_files',
    ];
  if (!body || badBody === 'as any failure') return [];
  const unfit = badBody === 'sentence' ? 'invalid_request' : 'invalid_body';
  return ['too_large', 'json_expected', 'unreadable_request', unfit];
}
