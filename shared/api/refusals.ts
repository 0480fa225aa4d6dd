import { ERRORS, type ErrorCode } from '../errors/all.ts';
import type { RouteDefinition } from './route.ts';
import { isRepeatable } from './route-repeats.ts';

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
  'storage_unavailable',
  'database_away',
  'database_connections_refused',
  'database_connections_in_use',
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

/** Refusals of every route of a kind, with the words that say which routes these are. */
interface SharedRefusals {
  readonly words: string;
  readonly isOf: (route: RouteDefinition) => boolean;
  readonly codes: readonly ErrorCode[];
}

const hasCredential = ({ access }: RouteDefinition): boolean => access !== 'public';
/** Requests of providers are read by the room, after they were verified. */
const readsQuery = ({ query, from, ignoresUnknownQuery }: RouteDefinition): boolean =>
  query !== undefined || (from !== 'provider' && !ignoresUnknownQuery);
/** Bodies that do not fit answer like any other failure on some routes. */
const readsJson = ({ form, body, badBody }: RouteDefinition): boolean =>
  !form && body !== undefined && badBody !== 'as any failure';

export const SHARED_REFUSALS: readonly SharedRefusals[] = [
  {
    words: 'with a credential',
    isOf: hasCredential,
    codes: [
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
    ],
  },
  {
    words: 'that needs a permission',
    isOf: (route) => hasCredential(route) && route.access !== 'signed-in',
    codes: ['not_allowed'],
  },
  {
    words: 'that is no GET, with a session',
    isOf: (route) => hasCredential(route) && route.method !== 'GET',
    codes: ['wrong_csrf_token'],
  },
  {
    words: 'with `Idempotency-Key`',
    isOf: (route) => isRepeatable(route) && !route.ownKey,
    codes: ['invalid_idempotency_key', 'idempotency_key_reused', 'answer_lost'],
  },
  { words: 'with an unknown or wrong query parameter', isOf: readsQuery, codes: ['invalid_request'] },
  {
    words: 'with `cursor`',
    isOf: ({ query }) => query !== undefined && 'cursor' in query.shape,
    codes: ['invalid_cursor'],
  },
  { words: 'with `Range`', isOf: ({ hasRanges }) => hasRanges === true, codes: ['range_not_satisfiable'] },
  {
    words: 'for the server of a provider or an assistant',
    isOf: ({ from }) => from !== undefined,
    codes: ['origin_refused', 'unknown_host'],
  },
  {
    words: 'with a form',
    isOf: ({ form }) => form !== undefined,
    codes: ['too_large', 'form_expected', 'invalid_request', 'too_many_parts', 'wrong_files'],
  },
  { words: 'with a JSON body', isOf: readsJson, codes: ['too_large', 'json_expected'] },
  {
    words: 'with a JSON body that does not fit, as a sentence',
    isOf: (route) => readsJson(route) && route.badBody === 'sentence',
    codes: ['invalid_request'],
  },
  {
    words: 'with a JSON body that does not fit, as a list',
    isOf: (route) => readsJson(route) && route.badBody !== 'sentence',
    codes: ['invalid_body'],
  },
];

/** Codes that a route can answer as every route of its kind does. */
const sharedRefusalsOf = (route: RouteDefinition): ErrorCode[] =>
  SHARED_REFUSALS.flatMap(({ isOf, codes }) => (isOf(route) ? codes : []));
