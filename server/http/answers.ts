import type { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../../shared/api/errors.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ConfigurationValidationErrorResponse, settingsRoutes } from '../../shared/api/settings.ts';
import { systemRoutes } from '../../shared/api/system.ts';
import type { Components, Json } from './json-schema.ts';

/** Refusals of single routes that are not one sentence. */
const OTHER_BODIES: Readonly<Record<string, Readonly<Record<number, z.ZodType>>>> = {
  [systemRoutes.ready.id]: { 503: systemRoutes.ready.answer.schema },
  [settingsRoutes.write.id]: { 422: ConfigurationValidationErrorResponse },
  [settingsRoutes.validate.id]: { 422: ConfigurationValidationErrorResponse },
};

/** The `responses` of a route: its answer, the refusals every such route has, and those it names. */
export function responsesOf(route: RouteDefinition, components: Components): Json {
  const { answer } = route;
  const content =
    'schema' in answer
      ? { 'application/json': { schema: components.schemaOf(answer.schema, 'output') } }
      : { [answer.contentType]: { schema: bytesOf(answer.contentType) } };
  const refusals = Object.entries(refusalsOf(route)).map(([status, description]) => {
    const schema = components.schemaOf(refusalBody(route, Number(status)), 'output');
    return [status, { description, content: { 'application/json': { schema } } }] as const;
  });
  const sentence = components.schemaOf(ErrorAnswer, 'output');
  return {
    [String(answer.status)]: { description: 'Done.', content },
    ...Object.fromEntries(refusals),
    default: {
      description: 'Every other refusal is one sentence too.',
      content: { 'application/json': { schema: sentence } },
    },
  };
}

function refusalsOf(route: RouteDefinition): Record<string, string> {
  const isOpen = route.access === 'public';
  const takesBody = route.body !== undefined || route.form !== undefined;
  return {
    ...(route.query || route.form || route.badBody === 'sentence'
      ? { 400: 'Something in the request is not right; the sentence says what.' }
      : {}),
    ...(isOpen ? {} : { 401: 'No credential, or one that is not valid.' }),
    ...(isOpen || route.access === 'signed-in' ? {} : { 403: 'The caller may not do this.' }),
    ...(takesBody
      ? { 413: 'The request is larger than the limit.', 415: 'The body has another content type.' }
      : {}),
    ...(route.body && route.badBody !== 'sentence' ? { 422: 'The body does not fit its schema.' } : {}),
    ...(isOpen ? {} : { 429: 'Too many requests; Retry-After says how many seconds to wait.' }),
    ...route.refusals,
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
