import type { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../../shared/api/errors.ts';
import { ANYWHERE, refusalsOf } from '../../shared/api/refusals.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ConfigurationValidationErrorResponse, settingsRoutes } from '../../shared/api/settings.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import { ERROR_CODE_HEADER, ERRORS, type ErrorCode, meaningOf } from '../../shared/errors/all.ts';
import { EVERY_ANSWER, PART_HEADERS, refusalHeaders, successHeaders } from './answer-headers.ts';
import type { Components, Json } from './json-schema.ts';

/** Refusals of single routes that are not one sentence. */
const OTHER_BODIES: Readonly<Record<string, Readonly<Record<number, z.ZodType>>>> = {
  [systemRoutes.ready.id]: { 503: systemRoutes.ready.answer.schema },
  [settingsRoutes.write.id]: { 422: ConfigurationValidationErrorResponse },
  [settingsRoutes.validate.id]: { 422: ConfigurationValidationErrorResponse },
};

/** The `responses` of a route: its answer, and the statuses of its refusals. */
export function responsesOf(route: RouteDefinition, components: Components): Json {
  const statuses = new Set(refusalsOf(route).map((code) => ERRORS[code].status));
  const refusals = [...statuses].map((status) => {
    const body = OTHER_BODIES[route.id]?.[status];
    const schema = body && components.schemaOf(body, 'output');
    return [status, schema ? refusal(status, schema) : ref(refusalName(status))] as const;
  });
  return {
    [String(route.answer.status)]: successOf(route, components),
    ...(route.hasRanges ? partsOf(route) : {}),
    ...Object.fromEntries(refusals),
    default: ref(OTHER_REFUSAL),
  };
}

/** Returns the sentence that names the refusals of a route beside those of every route with its credential and body. */
export function refusalSentence(route: RouteDefinition): string | null {
  const own = [...new Set(route.refusals ?? [])].sort();
  return own.length === 0 ? null : `Refusals: ${own.map((code) => `\`${code}\``).join(', ')}.`;
}

/** Refusals by status that routes have, as components: each states every code with that status. */
export function refusalComponents(routes: readonly RouteDefinition[], components: Components): Json {
  const codes = routes.flatMap((route) => refusalsOf(route));
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  const bodyOf = (status: number) =>
    components.schemaOf(status === 422 ? InvalidBodyAnswer : ErrorAnswer, 'output');
  const every = statuses.map((status) => [refusalName(status), refusal(status, bodyOf(status))] as const);
  return { ...Object.fromEntries(every), [OTHER_REFUSAL]: otherRefusal(components) };
}

const OTHER_REFUSAL = 'Refused';
const refusalName = (status: number): string => `Refused${status}`;
const ref = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

function otherRefusal(components: Components): Json {
  return {
    ...withCodes(ANYWHERE, EVERY_ANSWER),
    description: `Refusals that are possible for any request: ${ANYWHERE.map((code) => `\`${code}\``).join(', ')}.`,
    content: { 'application/json': { schema: components.schemaOf(ErrorAnswer, 'output') } },
  };
}

function successOf(route: RouteDefinition, components: Components): Json {
  const { answer } = route;
  const content =
    'schema' in answer
      ? { 'application/json': { schema: components.schemaOf(answer.schema, 'output') } }
      : { [answer.contentType]: { schema: bytesOf(answer.contentType) } };
  return { description: successWords(route), headers: successHeaders(route), content };
}

/** Describes what a successful answer means. */
function successWords({ method, answer, answerWords }: RouteDefinition): string {
  if (answerWords !== undefined) return answerWords;
  if (answer.status === 201) return 'Created.';
  if (answer.status === 202) return 'Recorded; the work follows.';
  if (method === 'GET') return 'The state now.';
  return method === 'DELETE' ? 'Removed.' : 'The state after the change.';
}

/** Answers to a reader that has the document already, or that requests a part. */
function partsOf({ answer }: RouteDefinition): Json {
  const content =
    'contentType' in answer
      ? { [answer.contentType]: { schema: bytesOf(answer.contentType) } }
      : { 'application/json': { schema: { type: 'string', format: 'binary' } } };
  return {
    206: { description: 'The part that `Range` asks for.', headers: PART_HEADERS, content },
    304: { description: 'The document still has the tag in `If-None-Match`.', headers: EVERY_ANSWER },
  };
}

function refusal(status: number, schema: Json): Json {
  const codes = Object.keys(ERRORS).filter(
    (code): code is ErrorCode => ERRORS[code as ErrorCode].status === status,
  );
  return {
    description: codes.map((code) => `\`${code}\`: ${meaningOf(code)}`).join('\n\n'),
    ...withCodes(codes, refusalHeaders(status)),
    content: { 'application/json': { schema } },
  };
}

const withCodes = (codes: readonly ErrorCode[], headers: Json): Json => ({
  headers: {
    [ERROR_CODE_HEADER]: {
      description: 'Reason for the refusal.',
      schema: { type: 'string', enum: [...codes] },
    },
    ...headers,
  },
});

function bytesOf(contentType: string): Json {
  return contentType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', format: 'binary', contentMediaType: contentType };
}
