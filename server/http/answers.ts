import type { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../../shared/api/errors.ts';
import { ANYWHERE, refusalsOf } from '../../shared/api/refusals.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ConfigurationValidationErrorResponse, settingsRoutes } from '../../shared/api/settings.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import { ERROR_CODE_HEADER, ERRORS, type ErrorCode, meaningOf } from '../../shared/errors/all.ts';
import type { Components, Json } from './json-schema.ts';

/** Refusals of single routes that are not one sentence. */
const OTHER_BODIES: Readonly<Record<string, Readonly<Record<number, z.ZodType>>>> = {
  [systemRoutes.ready.id]: { 503: systemRoutes.ready.answer.schema },
  [settingsRoutes.write.id]: { 422: ConfigurationValidationErrorResponse },
  [settingsRoutes.validate.id]: { 422: ConfigurationValidationErrorResponse },
};

/** The `responses` of a route: its answer, and the refusals it has with their codes. */
export function responsesOf(route: RouteDefinition, components: Components): Json {
  const { answer } = route;
  const content =
    'schema' in answer
      ? { 'application/json': { schema: components.schemaOf(answer.schema, 'output') } }
      : { [answer.contentType]: { schema: bytesOf(answer.contentType) } };
  const refusals = [...groupByStatus(refusalsOf(route))].map(([status, codes]) => {
    const schema = components.schemaOf(refusalBody(route, status), 'output');
    return [status, refusal(codes, schema, headersOf(route, status))] as const;
  });
  return {
    [String(answer.status)]: { description: 'Done.', content },
    ...Object.fromEntries(refusals),
    default: {
      ...refusal(ANYWHERE, components.schemaOf(ErrorAnswer, 'output')),
      description: 'Every other refusal is also one sentence.',
    },
  };
}

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const known = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    known.set(status, [...(known.get(status) ?? []), code]);
  }
  return known;
}

/** Describes the headers of a refusal with this status, beside its code. */
function headersOf({ basic }: RouteDefinition, status: number): Json {
  const text = { schema: { type: 'string' } };
  if (status === 401 && basic)
    return { 'WWW-Authenticate': { description: 'Requests user and password.', ...text } };
  if (status === 429) return { 'Retry-After': { description: 'Number of seconds to wait.', ...text } };
  return {};
}

function refusal(codes: readonly ErrorCode[], schema: Json, headers: Json = {}): Json {
  const code = { description: 'Reason for the refusal.', schema: { type: 'string', enum: [...codes] } };
  return {
    description: codes.map((each) => `\`${each}\`: ${meaningOf(each)}`).join('\n\n'),
    headers: { [ERROR_CODE_HEADER]: code, ...headers },
    content: { 'application/json': { schema } },
  };
}

function refusalBody(route: RouteDefinition, status: number): z.ZodType {
  return OTHER_BODIES[route.id]?.[status] ?? (status === 422 ? InvalidBodyAnswer : ErrorAnswer);
}

function bytesOf(contentType: string): Json {
  return contentType.startsWith('text/')
    ? { type: 'string' }
    : { type: 'string', format: 'binary', contentMediaType: contentType };
}
