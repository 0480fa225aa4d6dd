import type { NextFunction, Request, Response } from 'express';
import {
  ERROR_CODE_HEADER,
  ERRORS,
  type ErrorCode,
  type ErrorCodeOf,
  type FixedErrorCode,
} from '../../shared/errors/all.ts';
import { type ConnectionTrouble, connectionTroubleOf } from '../platform/connection-trouble.ts';
import { errorCode, RefusalError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { type StoreTrouble, storeTroubleOf } from '../platform/store-trouble.ts';
import { transientErrorSentence } from '../platform/transient-errors.ts';
import { sendJson } from './early-answer.ts';
import { requestIdOf, routeOf } from './request-context.ts';

/** A field of a body, and what does not fit there. */
interface BodyIssue {
  readonly loc: (string | number)[];
  readonly type: string;
  readonly msg: string;
}

/** So many are answered: a body of 1 MB can hold as many wrong fields as make an answer of 7 MB. */
const MAX_ISSUES = 100;

/** Thrown for a body that does not fit its schema, or the rules of the room, with a list of fields. */
export class InvalidBodyError extends Error {
  override name = 'InvalidBodyError';
  readonly issues: readonly BodyIssue[];
  readonly refusalCode: ErrorCodeOf<422>;
  constructor(issues: readonly BodyIssue[], refusalCode: ErrorCodeOf<422> = 'invalid_body') {
    super('the body does not fit its schema');
    this.issues = issues.slice(0, MAX_ISSUES);
    this.refusalCode = refusalCode;
  }
}

export function notFound(_request: Request, _response: Response, next: NextFunction): void {
  next(new RefusalError('no_such_address'));
}

/** Before the answer was whole, and before it was begun. */
const DISCONNECT_CODES = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

const CONTENT_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'ETag',
] as const;

/** Values of Retry-After, in seconds. */
const RETRY_AFTER_S: Readonly<Partial<Record<ErrorCode, number>>> = {
  database_away: 2,
  database_connections_refused: 2,
  database_connections_in_use: 2,
  files_unavailable: 30,
  files_not_allowed: 30,
  files_read_only: 30,
  disk_failing: 30,
};

/** The one place where errors become answers. */
export function errorHandler(logger: Logger) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const facts = { request_id: requestIdOf(response), method: request.method, route: routeOf(response) };
    // Whoever asked has gone, so nothing went wrong here and nobody waits for an answer.
    if (DISCONNECT_CODES.includes(errorCode(error)) && request.destroyed) {
      logger.debug(facts, 'the caller left before the answer was whole');
      response.destroy();
      return;
    }
    if (response.headersSent) {
      logger.warn({ error, ...facts }, 'an answer was cut off');
      response.destroy();
      return;
    }
    // Removes the headers for content that is no longer sent.
    for (const name of CONTENT_HEADERS) response.removeHeader(name);
    const { code, detail } = answerFor(error, facts.request_id);
    const { status } = ERRORS[code];
    response.setHeader(ERROR_CODE_HEADER, code);
    if (status === 401) response.setHeader('WWW-Authenticate', challengeOf(code));
    const retryAfterS = RETRY_AFTER_S[code];
    if (retryAfterS !== undefined) response.setHeader('Retry-After', String(retryAfterS));
    if (error instanceof RefusalError) {
      for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    }
    report(logger, error, status, facts);
    sendJson(request, response, status, { detail });
  };
}

/** Asks for a key as a bearer token, which no browser takes as a reason to open a dialog of its own (RFC 6750). */
const challengeOf = (code: ErrorCode): string =>
  code === 'sign_in_required' ? 'Bearer realm="Faxdesk"' : 'Bearer realm="Faxdesk", error="invalid_token"';

/** Storage errors the person can do something about are named; everything else unforeseen points to the log. */
function answerFor(error: unknown, id: string): { code: ErrorCode; detail: unknown } {
  if (error instanceof InvalidBodyError) return { code: error.refusalCode, detail: error.issues };
  if (error instanceof RefusalError) return { code: error.refusalCode, detail: error.publicMessage };
  // An address with a broken %-sequence names nothing.
  if (error instanceof URIError) return fixedAnswer('no_such_address');
  if (errorCode(error) === 'DATABASE_AWAY') return fixedAnswer(awayCode(error));
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return fixedAnswer(TROUBLE_CODES[trouble]);
  const fileErrorCode = FILE_ERROR_CODES[errorCode(error)];
  if (fileErrorCode !== undefined) return fixedAnswer(fileErrorCode);
  if (transientErrorSentence(error) !== null) return fixedAnswer('files_unavailable');
  return { code: 'internal_error', detail: `Something went wrong; the log has the details under ${id}.` };
}

function awayCode(error: unknown): FixedErrorCode {
  const trouble = connectionTroubleOf(error);
  return trouble === null ? 'database_away' : CONNECTION_CODES[trouble];
}

const CONNECTION_CODES = {
  refused: 'database_connections_refused',
  'in-use': 'database_connections_in_use',
} as const satisfies Record<ConnectionTrouble, FixedErrorCode>;

const TROUBLE_CODES = {
  damaged: 'database_damaged',
  'read-only': 'database_read_only',
  full: 'disk_full',
  failing: 'disk_failing',
} as const satisfies Record<StoreTrouble, FixedErrorCode>;

/** Error codes for system errors of files that a person can do something about. */
const FILE_ERROR_CODES: Readonly<Partial<Record<string, FixedErrorCode>>> = {
  EACCES: 'files_not_allowed',
  EPERM: 'files_not_allowed',
  EROFS: 'files_read_only',
  EIO: 'disk_failing',
};

const fixedAnswer = (code: FixedErrorCode) => ({ code, detail: ERRORS[code].sentence });

/** Conditions that last for long and are reported elsewhere. */
const UNLOGGED_CODES: readonly ErrorCode[] = ['too_busy', 'other_data_key'];

/** Logs refusals of the caller briefly, and errors on this side with their cause. */
function report(logger: Logger, error: unknown, status: number, facts: object): void {
  // A flood must not fill the log as well.
  const isFlood = error instanceof RefusalError && UNLOGGED_CODES.includes(error.refusalCode);
  if (status < 500 || isFlood)
    logger.debug({ ...facts, status, reason: internalReason(error) }, 'a request was refused');
  else if (error instanceof RefusalError) logger.warn({ error, status, ...facts }, 'a request was refused');
  else logger.error({ error, ...facts }, 'a request failed');
}

/** The public sentence stays out of the log: it may repeat what the caller wrote. */
function internalReason(error: unknown): string | undefined {
  if (!(error instanceof RefusalError) || error.message === error.publicMessage) return undefined;
  return error.message;
}
