import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalsOf } from '../../shared/api/refusals.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { allRoutes } from '../setup/every-route.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<
    string,
    {
      content: Record<string, { schema: Schema }>;
      headers?: Record<string, { schema: { enum: string[] } }>;
    }
  >;
  security: unknown[];
  deprecated?: boolean;
}
interface Document {
  openapi: string;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

let gateway: TestGateway;
let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  gateway = await startTestGateway();
  document = (await (await gateway.request('GET', '/openapi.json', { key: null })).json()) as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
});
afterAll(() => gateway.close());

const operationOf = (method: string, path: string) =>
  document.paths[path]?.[method.toLowerCase()] as Operation;

test('every group says what it is for', () => {
  expect(document.tags.filter(({ description }) => !description)).toEqual([]);
});

/** The answer's body, checked against what the document says about this route and status. */
async function described(method: string, path: string, response: Response): Promise<unknown> {
  const responses = operationOf(method, path).responses;
  const key = String(response.status) in responses ? String(response.status) : 'default';
  const pointer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    key,
    'content',
    'application/json',
    'schema',
  ]
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
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document) as never);
    expect(result.errors ?? []).toEqual([]);
    expect([result.valid, validator.version, document.openapi]).toEqual([true, '3.1', '3.1.0']);
  });

  test('has every route once, with an operation id of its own', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/gu, '{$1}')}`);
    expect(operations.sort()).toEqual(routes.sort());
    expect(new Set(allRoutes.map(({ id }) => id)).size).toBe(allRoutes.length);
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

  test('says that the figures and assistants take a key as a bearer token, and nothing else does', () => {
    const taking = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).some(({ security }) => JSON.stringify(security).includes('bearerKey'))
        ? [path]
        : [],
    );
    expect(taking).toEqual(['/mcp', '/metrics', '/mcp/sse', '/mcp/messages']);
    expect(operationOf('GET', '/metrics').security).toEqual([{ apiKey: [] }, { bearerKey: [] }]);
  });

  test('describes the form of a fax', () => {
    const { requestBody, parameters, responses } = operationOf('POST', '/fax');
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
    });
    expect(parameters?.map(({ name, in: location }) => [name, location])).toEqual([
      ['Idempotency-Key', 'header'],
    ]);
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['202', '400', '401', '403', '409', '413', '415', '429']),
    );
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
      'created_by',
      'cursor',
      'ids',
      'limit',
      'q',
      'since',
      'state',
      'to',
      'until',
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
      const statuses = Object.keys(operation.responses);
      const wantsKey = operation.security.some((way) => 'apiKey' in (way as object));
      expect([route.id, wantsKey]).toEqual([route.id, route.access !== 'public']);
      expect([route.id, operation.deprecated ?? false]).toEqual([route.id, route.deprecated !== undefined]);
      if (route.access !== 'public') expect(statuses).toContain('401');
      if (!['public', 'signed-in'].includes(route.access)) expect(statuses).toContain('403');
      for (const code of refusalsOf(route)) {
        const response = operation.responses[String(ERRORS[code].status)];
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
