import type { z } from 'zod';
import type { Form, RawBody, RouteDefinition } from '../../shared/api/route.ts';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_WORDS, isRepeatable } from '../../shared/api/route-repeats.ts';
import { LIMITS } from '../../shared/limits.ts';
import { namedHeaders } from './answer-headers.ts';
import { refusalComponents, refusalSentence, responsesOf } from './answers.ts';
import { type Components, createComponents, type Json, tidyReferences } from './json-schema.ts';
import { describeProperties, wordsFor } from './property-words.ts';
import { shareParts } from './shared-parts.ts';

const DESCRIPTION = `The fax gateway of an office: send and receive faxes, and manage the installation.

Send an API key in \`X-API-Key\`, or as \`Authorization: Bearer\`. A browser can use the cookie of \`POST /auth/login\` instead; all methods except GET then
need the \`csrf_token\` of \`GET /auth/me\` in \`X-CSRF-Token\`. A session that began with a random \`X-Page-Token\`
(43 characters of base64url) does not work without it. Another program on the same computer, which also gets the
cookie from browsers, therefore cannot use the session.

Times are ISO 8601 in UTC, ids are opaque text, and missing values are \`null\`. An answer may get new fields: ignore
those that you do not know. Every route names the permission that it needs, such as \`fax:read\`. Every refusal is
\`{"detail": "<one sentence>"}\`. On most routes, a body that does not match its schema gets 422 with a list of fields.
The header \`X-Error-Code\` of a refusal has a stable code: use it in programs, and show the sentence to people.
Every response has \`X-Request-Id\`, which is also in the log.

Routes that refuse every key, for the console's window alone, are described in \`/openapi-console.json\`.
The page \`/docs\` shows an example of each route; \`/docs/examples.json\` has them by operation id.

Unknown query parameters are refused (400) with the names that exist; routes of earlier releases list them in
\`X-Ignored\`. A change with an \`Idempotency-Key\` can be repeated safely when its answer was lost.`;

/** The groups of the documentation, in their order; a group that is not named here comes last. */
const GROUPS: Readonly<Record<string, string>> = {
  outbound: 'Send faxes and check their state',
  inbound: 'Received faxes',
  broadcasts: 'Broadcasts: one document to many recipients',
  cases: 'Case packets: the documents of a case as one fax',
  covers: 'Cover pages: templates and previews',
  desk: 'Your own drafts, phrases and defaults',
  printing: 'Print to fax: documents that were printed to Faxdesk and wait to be sent',
  scanning: 'Scan to fax: scanners, and pages that are scanned into a document',
  telephony: 'Faxes that a telephone engine received',
  imports: 'Documents that another system received',
  work: 'The work queue: responsibility for received documents',
  presence: 'Presence: people who have a received fax open',
  'mail-to-fax': 'E-mails that are sent as faxes: allowed senders and outcomes',
  intake: 'Received faxes by e-mail: connectors and deliveries',
  'print-rules': 'Received faxes on paper: print rules and printouts',
  summary: 'The daily summary by e-mail',
  archives: 'Archives of past years',
  holds: 'Legal holds: faxes that are kept for a legal matter',
  contacts: 'Contacts: the people and offices behind fax numbers, and their sending options',
  routing: 'Costs of faxes: rate cards, quotes, totals and limits',
  access: 'Sign-in, permissions, API keys and the security audit',
  webhooks: 'Webhooks: events sent to programs, and their deliveries',
  direct: 'Direct delivery: the card of the installation, partners, and documents exchanged with them',
  pairing: 'Mobile devices',
  assistant: 'Assistants: the Model Context Protocol',
  settings: 'Settings of the installation',
  console: 'Data of the installation for the console, and its changes',
  terminal: 'The console terminal',
  notices: 'Deprecated parts that are still used',
  upgrade: 'Upgrades from an earlier release',
  storage: 'The storage of documents',
  'data-key': 'The data key',
  gateways: 'The gateways on one database',
  https: 'Connections from other computers',
  signing: 'The signing key of the installation',
  system: 'Health, metrics and this description',
};

/** Addresses of the two descriptions: of the API, and of the routes that only the console's window can call. */
const DESCRIPTIONS = { api: '/openapi.json', console: '/openapi-console.json' } as const;
export type Described = keyof typeof DESCRIPTIONS;

const TITLES: Readonly<Record<Described, string>> = {
  api: 'The API for programs',
  console: 'Routes of the console’s window alone',
};

const CONSOLE_DESCRIPTION = `Routes that only the console's window can call: they refuse every API key, or sign a browser in with its passkey. All other
routes, and what every request and answer has, are described in \`/openapi.json\`.`;

/** Builds one of the two descriptions (OpenAPI 3.1); each names the other one. */
export function openApiDocument(
  routes: readonly RouteDefinition[],
  version: string,
  names: Readonly<Record<string, readonly string[]>>,
  described: Described = 'api',
): Json {
  const own = routes.filter(({ onlyConsole = false }) => onlyConsole === (described === 'console'));
  const document = describeRoutes(own, version, names);
  if (described === 'console')
    Object.assign(document['info'] as Json, { title: 'Faxdesk console', description: CONSOLE_DESCRIPTION });
  const other = described === 'api' ? 'console' : 'api';
  return { ...document, externalDocs: { url: DESCRIPTIONS[other], description: TITLES[other] } };
}

/**
 * Describes routes in one document. Schemas with an id become components; `names` lists the values of a text with such
 * an id, where the gateway has them and the schema does not.
 */
export function describeRoutes(
  routes: readonly RouteDefinition[],
  version: string,
  names: Readonly<Record<string, readonly string[]>>,
): Json {
  const components = createComponents();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/gu, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  const refusals = refusalComponents(routes, components);
  const shared = shareParts(paths);
  for (const [id, list] of Object.entries(names))
    if (id in components.schemas) components.schemas[id] = { type: 'string', enum: list };
  describeProperties([paths, shared, components.schemas], components.schemas);
  tidyReferences([paths, refusals, shared, components.schemas], components.schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Faxdesk',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This gateway' }],
    security: [{ apiKey: [] }, { bearerKey: [] }],
    tags: groupsOf(routes),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key from `POST /admin/api-keys`, or the installation key.',
        },
        bearerKey: BEARER,
        ...Object.fromEntries(routes.flatMap(basicScheme)),
      },
      headers: namedHeaders(JSON.stringify([paths, refusals, shared])),
      parameters: shared.parameters,
      responses: { ...refusals, ...shared.responses },
      schemas: components.sorted(),
    },
  };
}

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  description: 'The same key as in `X-API-Key`; used if that header is missing.',
};

function groupsOf(routes: readonly RouteDefinition[]): Json[] {
  const names = Object.keys(GROUPS);
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...new Set(routes.map((route) => route.room))]
    .sort((a, b) => place(a) - place(b))
    .map((name) => ({ name, ...(GROUPS[name] ? { description: GROUPS[name] } : {}) }));
}

function operation(route: RouteDefinition, components: Components): Json {
  const description = [route.description, permissionSentence(route), refusalSentence(route)].filter(
    (part) => part,
  );
  const parameters = parametersOf(route, components);
  return {
    operationId: route.id,
    tags: [route.room],
    summary: route.summary,
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
    ...securityOf(route),
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route, components),
    responses: responsesOf(route, components),
  };
}

/**
 * Describes the credentials of a route where they are not those of the whole interface. User and password of a route
 * without a credential are required only while they are set.
 */
function securityOf({ access, basic }: RouteDefinition): Json {
  if (access !== 'public') return {};
  return { security: basic ? [{ [basic.name]: [] }, {}] : [] };
}

function basicScheme({ basic }: RouteDefinition): (readonly [string, Json])[] {
  if (!basic) return [];
  return [[basic.name, { type: 'http', scheme: 'basic', description: basic.description }]];
}

function permissionSentence({ access, anywhere }: RouteDefinition): string | null {
  if (access === 'public') return null;
  if (access === 'signed-in') return 'For every signed-in caller.';
  return `Needs \`${access}\`${anywhere ? ' on any resource' : ''}.`;
}

function parametersOf(route: RouteDefinition, components: Components): Json[] {
  const named = (place: 'path' | 'query', object: z.ZodObject | undefined) =>
    Object.entries(object?.shape ?? {}).map(([name, schema]) => {
      const written = components.schemaOf(schema as z.ZodType, 'input');
      const { description = wordsFor(name) ?? components.partOf(written)['description'], ...rest } = written;
      const isRequired = place === 'path' || !(schema as z.ZodType).safeParse(undefined).success;
      return {
        name,
        in: place,
        ...(isRequired ? { required: true } : {}),
        ...(description ? { description } : {}),
        schema: rest,
      };
    });
  const headers = Object.entries(route.headers ?? {}).map(([name, words]) => {
    const described = typeof words === 'string' ? { description: words } : words;
    return { name, in: 'header', ...described, schema: { type: 'string' } };
  });
  return [
    ...named('path', route.params),
    ...named('query', route.query),
    ...(isRepeatable(route) ? [REPEAT_KEY] : []),
    ...(route.hasRanges ? RANGE_HEADERS : []),
    ...headers,
  ];
}

const headerParameter = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', ...schema },
});

const REPEAT_KEY = headerParameter(IDEMPOTENCY_KEY, IDEMPOTENCY_WORDS, {
  minLength: 1,
  maxLength: LIMITS.idempotencyKeyLength,
});

const RANGE_HEADERS: Json[] = [
  headerParameter('Range', 'One part of the bytes, such as `bytes=0-65535`.'),
  headerParameter('If-Range', 'Tag of the document that the part continues; another document is sent whole.'),
  headerParameter('If-None-Match', 'Tags that the caller has; the same document is answered with 304.'),
];

function bodyOf(route: RouteDefinition, components: Components): Json {
  if (route.form) {
    const schema = formSchema(route.form, components);
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (route.rawBody)
    return { requestBody: { required: true, content: rawContent(route.rawBody, components) } };
  if (!route.body) return {};
  const schema = components.schemaOf(route.body, 'input');
  return { requestBody: { required: !route.bodyOptional, content: { 'application/json': { schema } } } };
}

function rawContent({ json, form }: RawBody, components: Components): Json {
  return {
    ...(json ? { 'application/json': { schema: components.schemaOf(json, 'input') } } : {}),
    ...(form
      ? {
          'multipart/form-data': { schema: formSchema(form, components) },
          'application/x-www-form-urlencoded': { schema: formSchema({ ...form, files: {} }, components) },
        }
      : {}),
  };
}

/** Fields are described by what they mean, not by the text they travel as. */
function formSchema(form: Form, components: Components): Json {
  const { required } = components.schemaOf(form.fields, 'input') as { required?: string[] };
  const fields = components.schemaOf(form.fields, 'output');
  const named = Object.entries(fields['properties'] as Record<string, Json>);
  // Written out: the page `/docs` fills a field in from its own schema alone.
  const properties = Object.fromEntries(named.map(([name, schema]) => [name, components.partOf(schema)]));
  const files = Object.entries(form.files).map(([name, part]) => {
    const one = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
    const schema = part.repeated
      ? { type: 'array', items: one, minItems: part.required || form.oneOf?.includes(name) ? 1 : 0 }
      : one;
    return [name, { ...schema, description: part.description }] as const;
  });
  const needed = Object.entries(form.files).filter(([, part]) => part.required);
  const texts = Object.entries(form.jsonFields ?? {}).map(([name, schema]) => {
    const written = properties[name];
    const content = {
      contentMediaType: 'application/json',
      contentSchema: components.schemaOf(schema, 'input'),
    };
    return [name, { ...written, ...content }] as const;
  });
  Object.assign(properties, Object.fromEntries(texts), Object.fromEntries(files));
  const choices = (form.oneOf ?? []).filter((name) => Object.hasOwn(properties, name));
  return {
    additionalProperties: false,
    ...fields,
    properties,
    required: [...(required ?? []), ...needed.map(([name]) => name), ...(form.needs ?? [])],
    ...(form.ignoresUnknown ? { additionalProperties: true } : {}),
    ...(choices.length > 0 ? { oneOf: choices.map((name) => ({ required: [name] })) } : {}),
  };
}
