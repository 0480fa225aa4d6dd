import type { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../../shared/api/errors.ts';
import { ANYWHERE, byStatus, ownRefusalsOf, refusalsOf, SHARED_REFUSALS } from '../../shared/api/refusals.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ConfigurationValidationErrorResponse, settingsRoutes } from '../../shared/api/settings.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import { Done } from '../../shared/api/values.ts';
import { ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { EVERY_ANSWER, PART_HEADERS, REFUSAL_HEADERS, successHeaders } from './answer-headers.ts';
import type { Components, Json } from './json-schema.ts';

/** Refusals of single routes that are not one sentence. */
const OTHER_BODIES: Readonly<Record<string, Readonly<Record<number, z.ZodType>>>> = {
  [systemRoutes.ready.id]: { 503: systemRoutes.ready.answer.schema },
  [settingsRoutes.write.id]: { 422: ConfigurationValidationErrorResponse },
  [settingsRoutes.validate.id]: { 422: ConfigurationValidationErrorResponse },
};

/** The `responses` of a route: its answer, refusals with a body of their own, and `default` for every other refusal. */
export function responsesOf(route: RouteDefinition, components: Components): Json {
  return {
    ...alsoOf(route, components),
    [String(route.answer.status)]: successOf(route, components),
    ...(route.hasRanges ? partsOf(route) : {}),
    ...otherRefusals(route, components),
    default: ref(REFUSED),
  };
}

function otherRefusals(route: RouteDefinition, components: Components): Json {
  const own = Object.entries(OTHER_BODIES[route.id] ?? {}).map(
    ([status, body]) => [status, refusal(Number(status), components.schemaOf(body, 'output'))] as const,
  );
  return { ...(hasList(route) ? { 422: ref(INVALID_BODY) } : {}), ...Object.fromEntries(own) };
}

/** Returns true for a route that answers a body that does not fit with a list. */
const hasList = (route: RouteDefinition): boolean => refusalsOf(route).includes('invalid_body');

/** Returns the sentence that names the refusals of a route beside those of every route of its kind. */
export function refusalSentence(route: RouteDefinition): string | null {
  const own = ownRefusalsOf(route);
  return own.length === 0 ? null : `Refusals: ${listedByStatus(own)}.`;
}

/** Refusals as components: `REFUSED` lists what routes of a kind can answer beside their own refusals, kind by kind. */
export function refusalComponents(routes: readonly RouteDefinition[], components: Components): Json {
  const kinds = [
    `- any: ${listedByStatus(byStatus(ANYWHERE))}`,
    ...SHARED_REFUSALS.map(({ words, codes }) => `- ${words}: ${listedByStatus(byStatus(codes))}`),
  ];
  const description = `Refused; \`detail\` has the sentence. Beside its own refusals, an operation can answer:\n\n${kinds.join('\n')}`;
  return {
    [REFUSED]: refused(description, components.schemaOf(ErrorAnswer, 'output')),
    ...(routes.some(hasList)
      ? { [INVALID_BODY]: refusal(422, components.schemaOf(InvalidBodyAnswer, 'output')) }
      : {}),
  };
}

const REFUSED = 'Refused';
const INVALID_BODY = 'InvalidBody';
const ref = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/** Lists codes such as ``404 `no_such_fax`; 409 `stale`, `not_held` ``. */
function listedByStatus(codes: readonly ErrorCode[]): string {
  const statuses = Map.groupBy(codes, (code) => ERRORS[code].status);
  const listed = [...statuses].map(
    ([status, same]) => `${status} ${same.map((code) => `\`${code}\``).join(', ')}`,
  );
  return listed.join('; ');
}

function successOf(route: RouteDefinition, components: Components): Json {
  const { answer } = route;
  const content =
    'schema' in answer
      ? { 'application/json': { schema: components.schemaOf(answer.schema, 'output') } }
      : { [answer.contentType]: { schema: bytesOf(answer.contentType) } };
  return { description: successWords(route), headers: successHeaders(route), content };
}

function alsoOf(route: RouteDefinition, components: Components): Json {
  const also = 'also' in route.answer ? route.answer.also : undefined;
  return also ? { [String(also.status)]: { ...successOf(route, components), description: also.words } } : {};
}

/** Describes the meaning of a successful answer. */
function successWords({ method, answer, answerWords }: RouteDefinition): string {
  if (answerWords !== undefined) return answerWords;
  if (!('schema' in answer)) return CONTENT_WORDS[answer.contentType.split(';')[0] ?? ''] ?? 'The file.';
  if (answer.schema === Done) return 'The change is in force; there is nothing else to report.';
  const fields = (answer.schema as { shape?: object }).shape ?? {};
  if ('next_cursor' in fields) return 'One page of the list.';
  const thing = nameInWords(answer.schema.meta()?.id);
  if (answer.status === 201) return `Created: the ${thing}.`;
  if (answer.status === 202) return `Recorded; the work follows. The ${thing} as it is now.`;
  if (method === 'GET') return `The ${thing} as it is now.`;
  return `The change is in force. The ${thing} as it is now.`;
}

const CONTENT_WORDS: Readonly<Record<string, string>> = {
  'application/pdf': 'The PDF document.',
  'image/png': 'The page as a PNG image.',
  'text/csv': 'The rows as CSV, with a line of names first.',
  'text/event-stream': 'A stream of events, until one side closes it.',
};

/** Returns such as `fax job` for `FaxJob`, and `result` for a schema without a name. */
const nameInWords = (id: string | undefined): string =>
  (id ?? 'result')
    .replace(/(?:Response|Answer)$/u, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')
    .toLowerCase() || 'result';

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

const refusal = (status: number, schema: Json): Json => refused(REFUSED_BODIES[status] ?? 'Refused.', schema);

/** Refusals whose body is not one sentence. */
const REFUSED_BODIES: Readonly<Record<number, string>> = {
  422: 'The body does not fit its schema: one entry for each field, with its place.',
  503: 'Not ready: the checks say what is missing.',
};

const refused = (description: string, schema: Json): Json => ({
  description,
  headers: REFUSAL_HEADERS,
  content: { 'application/json': { schema } },
});

function bytesOf(contentType: string): Json {
  return contentType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', format: 'binary', contentMediaType: contentType };
}
