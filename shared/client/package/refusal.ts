import { ERROR_CODE_HEADER } from '../../errors/header.ts';
import { ApiError, UnexpectedAnswerError } from '../errors.ts';

/** Returns the error for an answer that is not the expected one. */
export async function refusalOf(response: Response): Promise<ApiError | UnexpectedAnswerError> {
  const body = jsonOf(await response.text());
  const detail = detailOf(body);
  if (detail === null || response.ok) return notFromGateway(response);
  const { status, headers } = response;
  const code = headers.get(ERROR_CODE_HEADER);
  const requestId = headers.get('X-Request-Id');
  return new ApiError({ status, code, detail, retryAfter: retryAfterOf(response), requestId, body });
}

/** Returns the error for an answer that no gateway sends. */
export function notFromGateway({ status, headers }: Response): UnexpectedAnswerError {
  const requestId = headers.get('X-Request-Id');
  return new UnexpectedAnswerError(`The answer ${status} did not come from a Faxdesk gateway.`, {
    status,
    requestId,
  });
}

/** Parses JSON; null for anything else. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The sentence of a refusal, or one for each field that does not fit; null for a body of another form. */
function detailOf(body: unknown): string | null {
  const { detail, problems } = (body ?? {}) as { detail?: unknown; problems?: unknown };
  if (typeof detail === 'string') return detail;
  if (Array.isArray(problems)) return problems.join(' ');
  return Array.isArray(detail) ? detail.map(issueSentence).join(' ') : null;
}

function issueSentence({ loc, msg }: { loc: readonly (string | number)[]; msg: string }): string {
  const field = loc.slice(loc[0] === 'body' ? 1 : 0).join('.');
  return `${field === '' ? 'The body' : `"${field}"`} ${msg}.`;
}

/** Seconds of `Retry-After`, the only form that the gateway uses; null without it. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d{1,6}$/u.test(text) ? Number(text) : null;
}
