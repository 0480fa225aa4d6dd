import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalsOf } from '../../shared/api/refusals.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { refusalsIn, resolvedOperation } from '../setup/description-parts.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { keepNoConnections } from '../setup/kept-connections.ts';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Operation {
  operationId: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    {
      content: Record<string, { schema: Schema }>;
      headers?: Record<string, { schema: { enum: string[] } }>;
    }
  >;
  security: object[];
  deprecated?: boolean;
}
interface Document {
  openapi: string;
  externalDocs: { url: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, object>;
    parameters: Record<string, object>;
  };
}

let gateway: TestGateway;
let document: Document;
/** Description of the routes that only the console's window can call. */
let consoleDocument: Document;
let ajv: Ajv2020;
// The checks of the whole description keep the process busy for seconds, in which a kept connection ends.
beforeAll(keepNoConnections);
beforeAll(async () => {
  gateway = await startTestGateway();
  const read = async (path: string) => (await gateway.request('GET', path, { key: null })).json();
  document = (await read('/openapi.json')) as Document;
  consoleDocument = (await read('/openapi-console.json')) as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
});
afterAll(() => gateway.close());

function operationOf(method: string, path: string): Operation {
  const owner = path in consoleDocument.paths ? consoleDocument : document;
  return resolvedOperation(owner, owner.paths[path]?.[method.toLowerCase()] as Operation);
}

const operationsOf = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
const namesOf = (routes: readonly RouteDefinition[]): string[] =>
  routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`);

test('every group says what it is for', () => {
  const tags = [...document.tags, ...consoleDocument.tags];
  expect(tags.filter(({ description }) => !description)).toEqual([]);
});

/** Bytes that an operation of the description may take on average: its own words, names and fields are most of them. */
const MOST_OF_AN_OPERATION = 1_990;

/** The answer's body, checked against what the document says about this route and status. */
async function described(method: string, path: string, response: Response): Promise<unknown> {
  const responses = operationOf(method, path).responses;
  const key = String(response.status) in responses ? String(response.status) : 'default';
  const written = document.paths[path]?.[method.toLowerCase()]?.responses[key] as { $ref?: string };
  const place = written.$ref?.slice(2).split('/') ?? ['paths', path, method.toLowerCase(), 'responses', key];
  const pointer = [...place, 'content', 'application/json', 'schema']
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const codes = responses[key]?.headers?.['X-Error-Code']?.schema.enum ?? [null];
  expect(codes).toContain(response.headers.get('X-Error-Code'));
  const body: unknown = await response.json();
  ajv.validate({ $ref: `openapi.json#/${pointer}` }, body);
  expect([method, path, response.status, ajv.errorsText()]).toEqual([
    method,
    path,
    response.status,
    'No errors',
  ]);
  expect(key === 'default' && response.status < 400).toBe(false);
  return body;
}

describe('the description of the interface', () => {
  test('is valid OpenAPI 3.1 to somebody else', async () => {
    for (const each of [document, consoleDocument]) {
      const validator = new Validator();
      const result = await validator.validate(structuredClone(each) as never);
      expect(result.errors ?? []).toEqual([]);
      expect([result.valid, validator.version, each.openapi]).toEqual([true, '3.1', '3.1.0']);
    }
  });

  test('has every route once, with an operation id of its own', () => {
    const operations = [...operationsOf(document), ...operationsOf(consoleDocument)];
    expect(operations.sort()).toEqual(namesOf(allRoutes).sort());
    expect(new Set(allRoutes.map(({ id }) => id)).size).toBe(allRoutes.length);
  });

  test('has the routes that refuse every key in a second description, and each names the other', async () => {
    const consoleRoutes = allRoutes.filter(({ onlyConsole }) => onlyConsole);
    expect(operationsOf(consoleDocument).sort()).toEqual(namesOf(consoleRoutes).sort());
    const others = [document, consoleDocument].map(({ externalDocs }) => externalDocs.url);
    expect(others).toEqual(['/openapi-console.json', '/openapi.json']);
    for (const { id, method, path, access, refusals = [] } of consoleRoutes) {
      const isForBrowsers = refusals.some((code) =>
        ['password_session_needed', 'no_such_terminal'].includes(code),
      );
      const isSignIn = access === 'public' && /^\/auth\/(?:passkey|quick-sign-in)\//u.test(path);
      expect([id, isForBrowsers || isSignIn]).toEqual([id, true]);
      const address = path.replaceAll(/:\w+/gu, 'x');
      const json = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status } = await gateway.request(method, address, json ? { json } : {});
      if (access !== 'public') expect([id, status]).toEqual([id, expect.toSatisfy((each) => each >= 400)]);
    }
  });

  test('gives a fax the fields of the specification', () => {
    const fields = Object.keys(document.components.schemas['FaxJob']?.properties ?? {});
    const specified =
      'id to status error pages backend provider_sid created_at updated_at delivery_state dispatch_mode delivery_version reconciliation_reason';
    expect(fields).toEqual(expect.arrayContaining(specified.split(' ')));
    expect(document.components.schemas['FaxJob']?.required?.sort()).toEqual(fields.sort());
  });

  test('says that the list of an invalid setting has one fixed message', () => {
    const invalid = document.components.schemas['ConfigurationValidationErrorResponse'];
    expect(JSON.stringify(invalid)).toContain('Invalid configuration input.');
    expect(
      operationOf('PUT', '/admin/settings').responses['422']?.content['application/json']?.schema,
    ).toEqual({
      $ref: '#/components/schemas/ConfigurationValidationErrorResponse',
    });
  });

  test('says that a key is also taken as a bearer token, wherever it is taken', () => {
    for (const route of allRoutes.filter(({ access }) => access !== 'public')) {
      const { security } = operationOf(route.method, route.path.replaceAll(/:(\w+)/gu, '{$1}'));
      expect([route.id, security]).toEqual([route.id, [{ apiKey: [] }, { bearerKey: [] }]]);
    }
  });

  test('comes packed, with a tag by which it is not sent twice, and is small', async () => {
    const get = (headers: Record<string, string>) =>
      gateway.request('GET', '/openapi.json', { key: null, headers });
    const plain = await get({ 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect([plain.headers.get('Content-Encoding'), plain.headers.get('Vary')]).toEqual([
      null,
      'Accept-Encoding',
    ]);
    const { paths } = (await plain.json()) as Document;
    expect(Object.keys(paths)).toEqual(Object.keys(document.paths));
    const packed = await get({ 'Accept-Encoding': 'gzip' });
    expect(packed.headers.get('Content-Encoding')).toBe('gzip');
    expect(Number(packed.headers.get('Content-Length'))).toBeLessThan(101_000);
    expect(Number(plain.headers.get('Content-Length'))).toBeLessThan(
      MOST_OF_AN_OPERATION * operationsOf(document).length,
    );
    const [tag = '', other] = [packed, plain].map(({ headers }) => headers.get('ETag') ?? '');
    expect(tag).not.toBe(other);
    const again = await get({ 'Accept-Encoding': 'gzip', 'If-None-Match': tag });
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'no-cache']);
  });

  test('describes every property and every parameter', () => {
    const undescribed: string[] = [];
    const walk = (value: unknown, place: string): void => {
      if (Array.isArray(value)) for (const each of value) walk(each, place);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, schema] of Object.entries((value as Schema).properties ?? {})) {
        const forms = [schema, ...((schema['anyOf'] ?? []) as Schema[])];
        if (!forms.some((each) => '$ref' in each || 'description' in each))
          undescribed.push(`${place}.${name}`);
      }
      for (const [key, each] of Object.entries(value)) walk(each, `${place}/${key}`);
    };
    for (const { components, paths } of [document, consoleDocument]) {
      walk(components, 'components');
      walk(paths, 'paths');
    }
    expect(undescribed).toEqual([]);
    for (const [path, methods] of Object.entries({ ...document.paths, ...consoleDocument.paths }))
      for (const method of Object.keys(methods))
        for (const { name, description } of operationOf(method, path).parameters ?? [])
          expect([path, name, description]).toEqual([path, name, expect.stringMatching(/./u)]);
  });

  test('names each operation by a verb and not like a schema', () => {
    const verbs =
      /^(?:accept|acknowledge|add|apply|approve|assign|begin|block|cancel|change|check|complete|confirm|continue|count|create|describe|dismiss|download|end|enroll|export|fetch|finish|forget|get|hand|import|list|listen|make|mark|merge|move|note|open|page|pair|pause|persist|preview|propose|prove|read|reconcile|recover|redraw|refresh|release|remove|renew|reopen|replace|report|resend|reset|restore|retry|revoke|rotate|schedule|send|serve|set|show|sign|simulate|start|stream|test|try|turn|unblock|undo|validate|verify|write)(?:[A-Z]|$)/u;
    const ids = allRoutes.map(({ id }) => id);
    const ownNames = allRoutes.filter(({ from }) => from !== 'provider').map(({ id }) => id);
    expect(ownNames.filter((id) => !verbs.test(id))).toEqual([]);
    const named = [document, consoleDocument].flatMap(({ components }) => Object.keys(components.schemas));
    const schemas = new Set(named.map((name) => name.toLowerCase()));
    expect(ids.filter((id) => schemas.has(id.toLowerCase()))).toEqual([]);
  });

  test('says what each successful answer means', () => {
    for (const { method, path, answer } of allRoutes) {
      const { responses } = operationOf(method, path.replaceAll(/:(\w+)/gu, '{$1}'));
      const { description } = responses[String(answer.status)] as unknown as { description: string };
      expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z].{7,}\.$/su)]);
      expect(['Created.', 'The state now.', 'OK.']).not.toContain(description);
    }
  });

  test('writes what many operations have once, in components', () => {
    for (const { paths } of [document, consoleDocument]) {
      const inline = Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap((operation) =>
          Object.entries(operation.responses).filter(([, response]) => !('$ref' in response)),
        ),
      );
      expect(new Set(inline.map(([, response]) => JSON.stringify(response))).size).toBe(inline.length);
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      const refused = operations.map(({ responses }) => responses['default']);
      expect(new Set(refused.map((each) => JSON.stringify(each))).size).toBe(1);
    }
    const { responses, parameters } = document.components;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['Refused', 'InvalidBody']));
    expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['Cursor', 'IdInPath', 'IdempotencyKey']));
  });

  test('declares the headers of answers', () => {
    const headersOf = (method: string, path: string, status: string) => {
      const { responses } = operationOf(method, path);
      const { headers } = responses[status] ?? responses['default'] ?? {};
      return headers as unknown as Record<string, { schema: object }>;
    };
    for (const { method, path, answer } of allRoutes) {
      const headers = headersOf(method, path.replaceAll(/:(\w+)/gu, '{$1}'), String(answer.status));
      expect([path, Object.keys(headers)]).toEqual([path, expect.arrayContaining(['X-Request-Id'])]);
    }
    expect(headersOf('GET', '/inbound', '200')).toHaveProperty('Link');
    expect(headersOf('GET', '/fax/{id}', '200')).toHaveProperty('X-Ignored');
    expect(headersOf('POST', '/work/{id}/done', '200')).toHaveProperty('Idempotency-Replayed');
    expect(headersOf('GET', '/inbound/{id}/pdf', '206')).toHaveProperty('Content-Range');
    expect(headersOf('GET', '/fax', '401')).toHaveProperty('WWW-Authenticate');
    const limited = headersOf('GET', '/fax', '429');
    expect(limited['Retry-After']?.schema).toEqual({ type: 'integer' });
    expect(Object.keys(limited)).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']));
  });

  test('describes filters by their values, and flags as booleans', () => {
    const query = (path: string) =>
      Object.fromEntries(
        operationOf('GET', path).parameters?.map(({ name, schema }) => [name, schema]) ?? [],
      );
    expect(query('/inbound')).toMatchObject({
      status: { type: 'array', items: { enum: ['waiting', 'received', 'failed'] } },
      unread: { type: 'boolean' },
      junk: { type: 'boolean' },
    });
    expect(query('/fax')['state']?.['items']).toMatchObject({
      enum: expect.arrayContaining(['held', 'ready']),
    });
    expect(query('/work')['view']?.['enum']).toContain('overdue');
  });

  test('needs both parts of an import, and describes its manifest', () => {
    const form = operationOf('POST', '/imports').requestBody?.content['multipart/form-data']?.schema;
    expect(form?.required).toEqual(['file', 'manifest']);
    const { contentMediaType, contentSchema } = form?.properties?.['manifest'] ?? {};
    expect([contentMediaType, contentSchema]).toEqual([
      'application/json',
      { $ref: '#/components/schemas/ImportManifest' },
    ]);
    expect(document.components.schemas['ImportManifest']?.required).toEqual([
      'source_system',
      'operation_id',
    ]);
  });

  test('says what the flags of a fax mean, and which of its states are final', () => {
    const { properties = {} } = document.components.schemas['FaxJob'] ?? {};
    for (const name of ['delivery_state', 'urgent', 'send_now', 'queue_only'])
      expect([name, properties[name]?.['description']]).toEqual([name, expect.stringMatching(/.{30}/u)]);
    expect(properties['delivery_state']?.['description']).toContain('final');
    const form = operationOf('POST', '/fax').requestBody?.content['multipart/form-data']?.schema;
    expect(form?.properties?.['to']?.['description']).not.toMatch(/^\+/u);
  });

  test('describes the form of a fax', () => {
    const operation = operationOf('POST', '/fax');
    const { requestBody, parameters, responses } = operation;
    const form = requestBody?.content['multipart/form-data']?.schema;
    expect(requestBody?.required).toBe(true);
    expect(form?.required).toEqual(['to']);
    // Files, or the preview that has them; unknown fields are ignored.
    expect(form).toMatchObject({
      oneOf: [{ required: ['file'] }, { required: ['preview_id'] }],
      additionalProperties: true,
    });
    expect(form?.properties?.['file']).toMatchObject({ minItems: 1 });
    expect(form?.properties).toMatchObject({
      to: { type: 'string' },
      file: { type: 'array', items: { type: 'string', format: 'binary' } },
      queue_only: { type: 'boolean', default: false },
      send_now: { type: 'boolean', default: false },
      urgent: { type: 'boolean', default: false },
      send_by_call: { type: 'boolean', default: false },
      send_at: { type: 'string', format: 'date-time' },
      clean_greys: { type: 'boolean', default: false },
      titles: { type: 'array', items: { type: 'string', maxLength: 200 } },
      preview_id: { type: 'string' },
      cover: { type: 'string' },
      cover_fields: { type: 'string', maxLength: 50_000 },
      guard: { type: 'string', enum: ['refuse', 'ignore'], default: 'ignore' },
      guard_digits: { type: 'string' },
      guard_confirmed: { type: 'array', default: [] },
    });
    expect(parameters?.map(({ name, in: location }) => [name, location])).toEqual([
      ['Idempotency-Key', 'header'],
    ]);
    expect(Object.keys(responses)).toEqual(['202', 'default']);
    const statuses = new Set(refusalsIn(operation).map((refusal) => refusal.slice(0, 3)));
    expect([...statuses]).toEqual(expect.arrayContaining(['400', '401', '403', '409', '413', '415', '429']));
  });

  test('describes the query of a list and the parts of an address', () => {
    const list = Object.fromEntries(
      operationOf('GET', '/fax').parameters?.map((one) => [one.name, one]) ?? [],
    );
    expect(list['limit']).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
    expect(Object.keys(list).sort()).toEqual([
      'broadcast_id',
      'case_id',
      'created_by',
      'cursor',
      'idempotency_key',
      'ids',
      'include_test',
      'legal_hold',
      'limit',
      'q',
      'scheduled',
      'since',
      'state',
      'to',
      'until',
      'updated_since',
    ]);
    expect(operationOf('GET', '/fax/{id}').parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ]);
    expect(operationOf('POST', '/cloudone-callback').parameters).toMatchObject([
      { name: 'job_id', required: true },
      { name: 'attempt_id', required: true },
      { name: 'X-Cloudone-Signature', in: 'header' },
    ]);
  });

  test('says which routes need a key, which are old, and what they may refuse', () => {
    for (const route of allRoutes) {
      const operation = operationOf(route.method, route.path.replaceAll(/:(\w+)/gu, '{$1}'));
      const refusals = refusalsIn(operation);
      const statuses = refusals.map((refusal) => refusal.slice(0, 3));
      const wantsKey = operation.security.some((way) => 'apiKey' in way);
      expect([route.id, wantsKey]).toEqual([route.id, route.access !== 'public']);
      expect([route.id, operation.deprecated ?? false]).toEqual([route.id, route.deprecated !== undefined]);
      if (route.access !== 'public') expect(statuses).toContain('401');
      if (!['public', 'signed-in'].includes(route.access)) expect(statuses).toContain('403');
      for (const code of refusalsOf(route)) {
        const { status } = ERRORS[code];
        expect([route.id, refusals]).toEqual([route.id, expect.arrayContaining([`${status} ${code}`])]);
        const response = operation.responses[String(status)] ?? operation.responses['default'];
        expect([route.id, response?.headers?.['X-Error-Code']?.schema.enum]).toEqual([
          route.id,
          expect.arrayContaining([code]),
        ]);
      }
    }
  });
});

describe('what the gateway really answers is what the description says', () => {
  test('about faxes', async () => {
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('file', textFile());
    const sent = await gateway.request('POST', '/fax', { form });
    expect(sent.status).toBe(202);
    const { id } = (await described('POST', '/fax', sent)) as { id: string };
    await gateway.processAll();
    await described('GET', '/fax/{id}', await gateway.request('GET', `/fax/${id}`));
    await described('GET', '/fax', await gateway.request('GET', '/fax'));
    await described('GET', '/fax/{id}/history', await gateway.request('GET', `/fax/${id}/history`));
    await described('GET', '/admin/fax-jobs', await gateway.request('GET', '/admin/fax-jobs'));
    const preview = new FormData();
    preview.append('file', textFile());
    await described('POST', '/fax/preview', await gateway.request('POST', '/fax/preview', { form: preview }));
  });

  test('about the caller, the console and the keys', async () => {
    await described('GET', '/auth/me', await gateway.request('GET', '/auth/me'));
    await described('GET', '/auth/context', await gateway.request('GET', '/auth/context'));
    await described('GET', '/auth/sessions', await gateway.request('GET', '/auth/sessions'));
    const made = await gateway.request('POST', '/admin/api-keys', {
      json: { name: 'A key', scopes: ['fax:read'] },
    });
    const { key_id } = (await described('POST', '/admin/api-keys', made)) as { key_id: string };
    await described('GET', '/admin/api-keys', await gateway.request('GET', '/admin/api-keys'));
    const keyPath = `/admin/api-keys/${key_id}`;
    const rotated = await gateway.request('POST', `${keyPath}/rotate`);
    await described('POST', '/admin/api-keys/{keyId}/rotate', rotated);
    await described('DELETE', '/admin/api-keys/{keyId}', await gateway.request('DELETE', keyPath));
  });

  test('about the settings', async () => {
    await described('GET', '/admin/settings', await gateway.request('GET', '/admin/settings'));
    const changes = { FAX_ORGANIZATION: 'Another Clinic' };
    const written = await gateway.request('PUT', '/admin/settings', { json: { changes } });
    await described('PUT', '/admin/settings', written);
    await described(
      'GET',
      '/admin/settings/revisions',
      await gateway.request('GET', '/admin/settings/revisions'),
    );
    const bad = await gateway.request('PUT', '/admin/settings', {
      json: { changes: { MAX_FILE_SIZE_MB: 'x' } },
    });
    expect(bad.status).toBe(422);
    await described('PUT', '/admin/settings', bad);
    await described(
      'POST',
      '/admin/settings/persist',
      await gateway.request('POST', '/admin/settings/persist'),
    );
  });

  test('about its health', async () => {
    await described('GET', '/health', await gateway.request('GET', '/health', { key: null }));
    await described('GET', '/health/ready', await gateway.request('GET', '/health/ready', { key: null }));
  });

  test('when it refuses', async () => {
    const refusals = [
      ['GET', '/fax', '/fax?limit=0', 400],
      ['GET', '/fax/{id}', '/fax/nothing', 404],
      ['POST', '/fax/{id}/cancel', '/fax/nothing/cancel', 415],
      ['POST', '/auth/login', '/auth/login', 422],
      ['POST', '/admin/api-keys', '/admin/api-keys', 422],
      ['POST', '/admin/settings/validate', '/admin/settings/validate', 422],
    ] as const;
    for (const [method, template, path, status] of refusals) {
      const json = method === 'POST' && status !== 415 ? { nonsense: true } : undefined;
      const headers = status === 415 ? { 'Content-Type': 'text/plain' } : undefined;
      const body = status === 415 ? { form: 'text' as never, headers } : { json };
      const response = await gateway.request(method, path, body);
      expect([path, response.status]).toEqual([path, status]);
      await described(method, template, response);
    }
    await described('GET', '/fax', await gateway.request('GET', '/fax', { key: null }));
    await described('GET', '/fax', await gateway.request('GET', '/fax', { key: 'wrong' }));
  });
});
