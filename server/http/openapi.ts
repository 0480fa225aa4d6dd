import { z } from 'zod';
import { ErrorAnswer, InvalidBodyAnswer } from '../../shared/api/errors.ts';
import type { Form, RouteDefinition } from '../../shared/api/route.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 description of the routes. Schemas with an id become components. */
export function openApiDocument(routes: readonly RouteDefinition[], version: string): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/gu, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Faxdesk',
      version,
      description: 'The fax gateway of an office. Send a key in X-API-Key.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.room))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: components.schemas,
    },
  };
}

function operation(route: RouteDefinition, components: Components): Json {
  const isPublic = route.access === 'public';
  const permission = isPublic || route.access === 'signed-in' ? null : route.access;
  const description = [route.description, permission && `Needs the permission \`${permission}\`.`].filter(
    Boolean,
  );
  const parameters = parametersOf(route, components);
  return {
    operationId: route.id,
    tags: [route.room],
    summary: route.summary,
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
    security: isPublic ? [] : [{ apiKey: [] }],
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route, components),
    responses: responsesOf(route, components),
  };
}

function parametersOf(route: RouteDefinition, components: Components): Json[] {
  const named = (place: 'path' | 'query', object: z.ZodObject | undefined) =>
    Object.entries(object?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required: place === 'path' || !(schema as z.ZodType).safeParse(undefined).success,
      schema: components.schemaOf(schema as z.ZodType, 'input'),
    }));
  const headers = Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return [...named('path', route.params), ...named('query', route.query), ...headers];
}

function bodyOf(route: RouteDefinition, components: Components): Json {
  if (route.form) {
    const schema = formSchema(route.form, components);
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!route.body) return {};
  const schema = components.schemaOf(route.body, 'input');
  return { requestBody: { required: !route.bodyOptional, content: { 'application/json': { schema } } } };
}

function formSchema(form: Form, components: Components): Json {
  const fields = components.schemaOf(form.fields, 'input') as { properties?: Json; required?: string[] };
  const files = Object.entries(form.files).map(([name, part]) => {
    const one = { type: 'string', contentMediaType: 'application/octet-stream' };
    const schema = part.repeated ? { type: 'array', items: one } : one;
    return [name, { ...schema, description: part.description }] as const;
  });
  const needed = Object.entries(form.files).filter(([, part]) => part.required);
  return {
    ...fields,
    properties: { ...fields.properties, ...Object.fromEntries(files) },
    required: [...(fields.required ?? []), ...needed.map(([name]) => name)],
  };
}

function responsesOf(route: RouteDefinition, components: Components): Json {
  const error = (description: string, schema: z.ZodType = ErrorAnswer) => ({
    description,
    content: { 'application/json': { schema: components.schemaOf(schema, 'output') } },
  });
  const answer =
    'schema' in route.answer
      ? { 'application/json': { schema: components.schemaOf(route.answer.schema, 'output') } }
      : {
          [route.answer.contentType]: {
            schema: { type: 'string', contentMediaType: route.answer.contentType },
          },
        };
  const guarded =
    route.access === 'public' ? [] : [['401', error('No credential, or one that is not valid.')]];
  const limited = ['public', 'signed-in'].includes(route.access) ? [] : [['403', error('Not allowed.')]];
  const listed = route.body && route.badBody !== 'sentence';
  return {
    [String(route.answer.status)]: { description: 'Done.', content: answer },
    ...Object.fromEntries([...guarded, ...limited]),
    ...(listed ? { '422': error('The body does not fit its schema.', InvalidBodyAnswer) } : {}),
    ...Object.fromEntries(
      Object.entries(route.refusals ?? {}).map(([status, text]) => [status, error(text)]),
    ),
    default: error('Every other refusal is one sentence too.'),
  };
}

/** Collects the schemas that have an id under `#/components/schemas`. */
class Components {
  readonly schemas: Record<string, unknown> = {};

  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const {
      $schema: _dialect,
      $defs,
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.schemas[name] = relocate(withoutId(definition));
    const id = typeof rest['id'] === 'string' ? rest['id'] : null;
    if (id === null) return relocate(rest) as Json;
    this.schemas[id] = relocate(withoutId(rest));
    return { $ref: `#/components/schemas/${id}` };
  }
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest;
}

/** Rewrites `#/$defs/X` to `#/components/schemas/X`, wherever it stands. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : relocate(inner),
    ]),
  );
}
