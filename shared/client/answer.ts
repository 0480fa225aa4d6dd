import { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../api/errors.ts';
import { INVALID_CONFIGURATION } from '../api/settings.ts';
import { systemRoutes } from '../api/system.ts';
import { ERROR_CODE_HEADER } from '../errors/header.ts';
import type { AnyRoute } from './call.ts';
import { ApiError, UnexpectedAnswerError } from './errors.ts';

const Refusal = z.union([ErrorAnswer, InvalidBodyAnswer, systemRoutes.ready.answer.schema]);

/** The answer of a route, checked. Throws ApiError for a refusal and UnexpectedAnswerError for anything else. */
export async function readAnswer(route: AnyRoute, response: Response): Promise<unknown> {
  await assertAnswered(route, response);
  if ('contentType' in route.answer) return new Uint8Array(await response.arrayBuffer());
  return validate(route.answer.schema, jsonOf(await response.text()), response);
}

/** Throws as above unless the route answered; the content is still to be read. */
export async function assertAnswered(route: AnyRoute, response: Response): Promise<void> {
  const { answer } = route;
  const statuses = [answer.status, 'also' in answer ? answer.also?.status : undefined];
  if (!statuses.includes(response.status)) throw await refusalOf(response);
}

function validate(schema: z.ZodType, value: unknown, response: Response): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw unexpected(
    `The answer does not match the contract${field && ` at ${field}`}.`,
    response,
    parsed.error,
  );
}

async function refusalOf(response: Response): Promise<Error> {
  const body = jsonOf(await response.text());
  const refusal = Refusal.safeParse(body);
  if (!refusal.success)
    return unexpected(`The answer ${response.status} did not come from a Faxdesk gateway.`, response);
  const detail = sentenceOf(refusal.data);
  return new ApiError({
    status: response.status,
    code: response.headers.get(ERROR_CODE_HEADER),
    detail,
    retryAfter: secondsOf(response),
    requestId: idOf(response),
    body,
  });
}

function sentenceOf(refusal: z.infer<typeof Refusal>): string {
  if ('problems' in refusal) return refusal.problems.join(' ');
  if (typeof refusal.detail === 'string') return refusal.detail;
  return refusal.detail.map(issueSentence).join(' ');
}

/** One field of a list, e.g. `"name" must be a text.` */
function issueSentence({ loc, msg }: z.infer<typeof InvalidBodyAnswer>['detail'][number]): string {
  const field = loc.slice(loc[0] === 'body' ? 1 : 0).join('.');
  const name = field === '' ? 'The body' : `"${field}"`;
  return msg === INVALID_CONFIGURATION ? `${name} does not accept that value.` : `${name} ${msg}.`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Only the form in seconds: the gateway uses no other. */
function secondsOf(response: Response): number | null {
  const text = response.headers.get('Retry-After') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

const idOf = (response: Response): string | null => response.headers.get('X-Request-Id');

function unexpected(message: string, response: Response, cause?: unknown): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    message,
    { status: response.status, requestId: idOf(response) },
    { cause },
  );
}
