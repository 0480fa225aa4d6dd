import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { backendNames, PROVIDERS } from '../../server/composition/providers.ts';
import { type Described, openApiDocument } from '../../server/http/openapi.ts';
import { refusalsIn, resolvedOperation } from '../setup/description-parts.ts';
import type { EmulatedFax as CloudoneFax } from '../setup/emulators/cloudone/fax-record.ts';
import { prepareWebhook as cloudoneWebhook } from '../setup/emulators/cloudone/webhook.ts';
import type { EmulatedFax as CloudtwoFax } from '../setup/emulators/cloudtwo/fax-record.ts';
import { prepareWebhook as cloudtwoWebhook } from '../setup/emulators/cloudtwo/webhook.ts';
import { allRoutes } from '../setup/every-route.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly [keyword: string]: unknown;
}
interface Operation {
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { headers?: Record<string, unknown>; content: object }>;
  readonly description?: string;
  readonly security: readonly object[];
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: Record<string, object>;
    headers: object;
    parameters: object;
    responses: object;
  };
}
const describedAs = (described: Described) =>
  openApiDocument(allRoutes, '0.1.0', backendNames(PROVIDERS), described) as unknown as Description;

const document = describedAs('api');
const { schemas, securitySchemes } = document.components;
const post = (path: string) => resolvedOperation(document, document.paths[path]?.['post'] as Operation);

const cloudoneFax = (direction: 'sent' | 'received'): CloudoneFax => ({
  id: 42,
  direction,
  status: 'success',
  isTest: false,
  createdAt: 0,
  completedAt: 60_000,
  pages: 1,
  cost: 7,
  tags: {},
  callerId: null,
  fromNumber: '+12025550199',
  toNumber: '+12025550100',
  recipients: [],
  errorId: null,
  errorType: null,
  errorMessage: null,
  document: Buffer.from('%PDF-1.4'),
  contentUrls: [],
  headerText: '',
  callbackUrl: null,
  testFail: null,
  resendOf: null,
});

const CLOUDTWO_FAX: CloudtwoFax = {
  id: '01HXVD9FPQ8MAJ2650W0KTY7D4',
  direction: 'INBOUND',
  from: '+12025550199',
  to: '+12025550100',
  status: 'COMPLETED',
  createdAt: 0,
  completedAt: 60_000,
  pages: 1,
  pagesSent: 1,
  price: '0.07',
  errorType: null,
  errorCode: null,
  errorMessage: null,
  document: Buffer.from('%PDF-1.4'),
  contentUrls: [],
  headerText: null,
  maxRetries: 0,
  callbackUrl: null,
  callbackUrlContentType: 'multipart/form-data',
  labels: null,
  serviceId: 'service',
};

/** The schemas that the specification names, with the fields that it lists; `?` after a field that may be left out. */
const SPECIFIED: Readonly<Record<string, string>> = {
  APIKeyMeta: 'key_id name note owner scopes created_at expires_at last_used_at revoked_at',
  CreateAPIKeyIn: 'name? note? owner? scopes? expires_at?',
  AuthPrincipalResponse: 'id kind display_name version',
  AuthCurrentSessionResponse: 'id source_kind expires_at',
  AuthMeResponse:
    'principal source password_change_required policy_version permissions session can_enroll_owner is_owner grantable csrf_token?',
  AuthSessionSummaryResponse: 'session_id source_kind created_at last_used_at expires_at revoked_at current',
  AuthSessionPageResponse: 'items next_cursor',
  AuthSessionResponse: 'ok password_change_required',
  AuthLogoutResponse: 'ok',
  AuthSetupResponse: 'first_owner',
  AuthSessionRevokeResponse: 'session_id changed policy_version',
  AuthErrorResponse: 'detail',
  AssignmentCreate: 'subject role resource_id expected_policy_version',
  AssignIn: 'principal_id version',
  SubjectRef: 'kind id version',
  EntityRef: 'id version',
  CeilingEntry: 'permission resource_id',
  ConfigurationWriteResponse: 'ok changed _meta',
  ConfigurationValidationErrorResponse: 'detail',
  ConsoleContextResponse:
    'policy_version active_revision_id generation permissions navigation send inbound_enabled branding provider_view provider_names?',
  FaxJob:
    'id to status error pages backend provider_sid created_at updated_at delivery_state dispatch_mode delivery_version reconciliation_reason',
  InboundFax: 'status status_text retry_at can_fetch_again is_test received_at source_received_at',
};

/** Those of routes that no release has yet: once the route is there, so is the name. */
const OF_LATER_ROUTES: Readonly<Record<string, string>> = {
  ConfirmIn: '/direct/peers/{id}/confirm',
  ConnectorIn: '/intake/connectors',
};

describe('the schemas', () => {
  test.each(Object.entries(SPECIFIED))('%s has its name and its fields', (name, fields) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    for (const field of fields.split(' ')) {
      const plain = field.replace('?', '');
      expect([plain, Object.keys(properties)]).toEqual([plain, expect.arrayContaining([plain])]);
      expect([plain, required.includes(plain)]).toEqual([plain, plain === field]);
    }
  });

  test.each(Object.entries(OF_LATER_ROUTES))('%s comes with its route', (name, path) => {
    expect([name, name in schemas]).toEqual([name, path in document.paths]);
  });

  test.each(['api', 'console'] as const)(
    'of %s that are referred to exist, and each that exists is referred to',
    (described) => {
      const each = describedAs(described);
      const text = JSON.stringify(each);
      const named = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/gu)].map(([, name]) => name);
      expect(new Set(named)).toEqual(new Set(Object.keys(each.components.schemas)));
      const others = [...text.matchAll(/"\$ref":"#\/components\/(?!schemas\/)([^"]+)"/gu)].map(
        ([, name]) => name,
      );
      expect([...text.matchAll(/"\$ref":"([^"]+)"/gu)]).toHaveLength(named.length + others.length);
      const { headers, parameters, responses } = each.components;
      const known = Object.entries({ headers, parameters, responses }).flatMap(([kind, parts]) =>
        Object.keys(parts).map((name) => `${kind}/${name}`),
      );
      expect(new Set(others)).toEqual(new Set(known));
    },
  );

  test('of the parts of an access change are closed', () => {
    for (const name of ['AssignmentCreate', 'CeilingEntry', 'EntityRef', 'SubjectRef'])
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, false]);
  });
});

describe('the routes of the providers', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi.json');

  const problemsOf = (path: string, type: string, body: unknown): string => {
    const pointer = ['paths', path, 'post', 'requestBody', 'content', type, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    ajv.validate({ $ref: `openapi.json#/${pointer}` }, body);
    return ajv.errorsText();
  };

  test('each say what they read, or that they read nothing', () => {
    const paths = PROVIDERS.flatMap(({ backend, routes }) => [
      ...(routes.callback ? [`/${backend}-callback`] : []),
      ...(routes.notification ? [`/${backend}-inbound`] : []),
    ]);
    const bodies = paths.map((path) => [path, Object.keys(post(path).requestBody?.content ?? {})]);
    const form = ['multipart/form-data', 'application/x-www-form-urlencoded'];
    expect(bodies).toEqual([
      ['/cloudone-callback', form],
      ['/cloudone-inbound', form],
      ['/cloudtwo-callback', []],
      ['/cloudtwo-inbound', ['application/json', ...form]],
    ]);
    expect(Object.keys(post('/_internal/telephony/inbound').requestBody?.content ?? {})).toEqual([
      'application/json',
    ]);
  });

  test('each say how a caller proves who it is', () => {
    const headersOf = (path: string) =>
      (post(path).parameters ?? []).flatMap((one) => (one.in === 'header' ? [[one.name, one.required]] : []));
    expect(headersOf('/cloudone-callback')).toEqual([['X-Cloudone-Signature', true]]);
    expect(headersOf('/cloudone-inbound')).toEqual([['X-Cloudone-Signature', false]]);
    expect(headersOf('/_internal/telephony/inbound')).toEqual([['X-Internal-Secret', true]]);
    expect(post('/cloudtwo-inbound').security).toEqual([{ cloudtwoNotification: [] }, {}]);
    expect(securitySchemes['cloudtwoNotification']).toMatchObject({ type: 'http', scheme: 'basic' });
    expect(Object.keys(post('/cloudtwo-inbound').responses['default']?.headers ?? {})).toContain(
      'WWW-Authenticate',
    );
  });

  test('each say what they answer', () => {
    for (const [path, statuses] of [
      ['/cloudone-callback', ['200', '400', '401', '409', '413']],
      ['/cloudone-inbound', ['200', '400', '401', '413', '429', '503']],
      ['/cloudtwo-inbound', ['200', '400', '401', '413', '429', '503']],
      ['/_internal/telephony/inbound', ['200', '400', '401', '404', '413', '415']],
    ] as const)
      expect([
        path,
        [...Object.keys(post(path).responses), ...refusalsIn(post(path)).map((each) => each.slice(0, 3))],
      ]).toEqual([path, expect.arrayContaining([...statuses])]);
  });

  test.each(['v1', 'v2-brackets', 'v2.1'] as const)('describe what cloudone sends as %s', (layout) => {
    for (const [path, direction] of [
      ['/cloudone-callback', 'sent'],
      ['/cloudone-inbound', 'received'],
    ] as const) {
      const webhook = cloudoneWebhook(cloudoneFax(direction), `https://fax.example.com${path}`, 'token', {
        layout,
      });
      const body = Object.fromEntries(webhook.fields);
      expect([path, problemsOf(path, 'multipart/form-data', body)]).toEqual([path, 'No errors']);
      const known = post(path).requestBody?.content['multipart/form-data']?.schema.properties ?? {};
      const told = ['direction', 'is_test', 'success', layout === 'v2-brackets' ? 'fax[id]' : 'fax'];
      for (const name of told) expect([name in body, name in known]).toEqual([true, true]);
    }
  });

  test.each([
    ['application/json', false],
    ['application/json', true],
    ['multipart/form-data', false],
  ] as const)('describe what cloudtwo sends as %s (fax as text: %s)', (contentType, faxAsText) => {
    const asked = {
      projectId: 'project',
      url: 'https://fax.example.com/cloudtwo-inbound',
      contentType,
      now: 0,
    };
    const webhook = cloudtwoWebhook(CLOUDTWO_FAX, asked, { faxAsText });
    const body =
      contentType === 'application/json'
        ? (JSON.parse(webhook.body.toString('utf8')) as object)
        : Object.fromEntries(webhook.fields);
    expect(problemsOf('/cloudtwo-inbound', contentType, body)).toBe('No errors');
    expect(problemsOf('/cloudtwo-inbound', contentType, { ...body, event: undefined })).not.toBe('No errors');
    const schema = post('/cloudtwo-inbound').requestBody?.content[contentType]?.schema ?? {};
    const ref = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
    const known = Object.keys((ref === undefined ? schema : schemas[ref])?.properties ?? {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(body)));
  });
});
