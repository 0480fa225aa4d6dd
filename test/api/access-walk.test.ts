import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRoutes } from '../../shared/api/all.ts';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

let desk: TestGateway;
let faxId: string;
const keys = new Map<string, string>();
beforeAll(async () => {
  desk = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
  faxId = (await desk.send()).id;
});
afterAll(() => desk.close());

const open = allRoutes.filter(({ access }) => access === 'public');
const guarded = allRoutes.filter(({ access }) => access !== 'public');
const permitted = guarded.filter(({ access }) => access !== 'signed-in');
const named = (route: RouteDefinition) => `${route.method} ${route.path}`;

/** An address of the route, of an existing fax where it takes one, or of nothing. */
function addressOf(route: RouteDefinition, id: string): string {
  return route.path
    .replace('/fax-jobs/:id', `/fax-jobs/${id}`)
    .replace('/fax/:id', `/fax/${id}`)
    .replaceAll(/:\w+/gu, '1');
}

async function ask(route: RouteDefinition, key: string | null, id = faxId): Promise<Response> {
  const json = ['POST', 'PUT', 'PATCH'].includes(route.method) && !route.form ? { nonsense: 1 } : undefined;
  return desk.request(route.method, addressOf(route, id), { key, json });
}

/** A database key with these permissions, made once. */
async function keyWith(scopes: readonly Permission[]): Promise<string> {
  const name = scopes.join(' ');
  const known = keys.get(name);
  if (known) return known;
  const response = await desk.request('POST', '/admin/api-keys', { json: { scopes } });
  if (response.status !== 200) throw new Error(await response.text());
  const { token } = (await response.json()) as { token: string };
  keys.set(name, token);
  return token;
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;

describe('every route', () => {
  test.each(guarded.map((route) => [named(route), route] as const))(
    '%s answers 401 without a credential and with a wrong one',
    async (_name, route) => {
      const none = await ask(route, null);
      expect([none.status, await detailOf(none)]).toEqual([401, FIXED_MESSAGES.noCredential]);
      for (const key of ['wrong', 'key_live_unknown_secret', '', ' ', 'x'.repeat(5000)]) {
        const wrong = await ask(route, key);
        expect([key, wrong.status]).toEqual([key, 401]);
        expect(await detailOf(wrong)).toMatch(/^[A-Z].*\.$/u);
      }
    },
  );

  test.each(permitted.map((route) => [named(route), route] as const))(
    '%s answers 403 to a key that may do everything else',
    async (_name, route) => {
      const key = await keyWith(ALL_PERMISSIONS.filter((permission) => permission !== route.access));
      for (const id of [faxId, 'nothing']) {
        const response = await ask(route, key, id);
        expect([response.status, await detailOf(response)]).toEqual([403, FIXED_MESSAGES.notAllowed]);
      }
    },
  );

  test.each(permitted.map((route) => [named(route), route] as const))(
    '%s lets a key in that may do only this',
    async (_name, route) => {
      const response = await ask(route, await keyWith([route.access as Permission]));
      expect([401, 403]).not.toContain(response.status);
      expect(response.status).toBeLessThan(500);
    },
  );

  test('that needs only a credential lets a key in that may do nothing', async () => {
    const key = await keyWith([]);
    for (const path of ['/auth/me', '/auth/context', '/auth/sessions'])
      expect([path, (await desk.request('GET', path, { key })).status]).toEqual([path, 200]);
  });

  test('in the table is mounted, and no other one is', async () => {
    expect(open.map(named).sort()).toEqual([
      'GET /auth/welcome',
      'GET /fax/:id/pdf',
      'GET /health',
      'GET /health/ready',
      'GET /openapi.json',
      'POST /_internal/telephony/inbound',
      'POST /auth/key-login',
      'POST /auth/login',
      'POST /cloudone-callback',
      'POST /cloudone-inbound',
      'POST /cloudtwo-callback',
      'POST /cloudtwo-inbound',
      'POST /mobile/pair',
    ]);
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    const paths = [...new Set(allRoutes.map((route) => route.path))];
    for (const path of paths) {
      const known = allRoutes.filter((route) => route.path === path).map((route) => route.method as string);
      for (const method of methods) {
        const response = await desk.request(method, addressOf({ method, path } as RouteDefinition, faxId), {
          key: null,
        });
        const isMounted = ![404, 405].includes(response.status) || FAX_LINK.test(path);
        expect([method, path, isMounted]).toEqual([
          method,
          path,
          known.includes(method) || alsoFits(method, path),
        ]);
        await response.arrayBuffer();
      }
    }
  });
});

/** Its own 404 is about the fax. */
const FAX_LINK = /^\/fax\/:id\/pdf$/u;
/** `GET /fax/preview` is read as a fax with the id `preview`. */
const alsoFits = (method: string, path: string) =>
  FAX_LINK.test(path) ||
  (method === 'GET' && ['/fax/preview', '/inbound/test', '/inbound/recover'].includes(path));

describe('an address nobody serves', () => {
  test.each([
    '/nothing',
    '/fax/1/2/3',
    '/admin',
    '/auth',
    '/%E0%A4%A',
    '/fax/%zz',
    '/docs/../nothing',
    '/.env',
  ])('%s is a 404 with a sentence, with and without a key', async (path) => {
    for (const key of [null, undefined]) {
      const response = await desk.request('GET', path, key === null ? { key } : {});
      expect([response.status, await detailOf(response)]).toEqual([404, FIXED_MESSAGES.noRoute]);
    }
  });

  test.each([
    ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
    ['PUT', '/fax', 'POST, GET, HEAD, OPTIONS'],
    ['PATCH', '/admin/settings', 'GET, PUT, HEAD, OPTIONS'],
    ['POST', '/auth/me', 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405 that says what there is', async (method, path, allowed) => {
    const response = await desk.request(method, path, { key: null });
    expect([response.status, await detailOf(response)]).toEqual([
      405,
      'This address does not take that method.',
    ]);
    expect(response.headers.get('allow')).toBe(allowed);
  });

  test('OPTIONS says what there is, and lets no other origin in', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
    const response = await desk.request('OPTIONS', '/fax', { key: null, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('HEAD', () => {
  test.each(['/health', '/fax', '/openapi.json', '/metrics', '/docs'])(
    '%s is GET without the bytes',
    async (path) => {
      const get = await desk.request('GET', path);
      const head = await desk.request('HEAD', path);
      await get.arrayBuffer();
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    },
  );

  test('needs the same permission as GET', async () => {
    expect((await desk.request('HEAD', '/fax', { key: null })).status).toBe(401);
    expect((await desk.request('HEAD', '/fax', { key: await keyWith([]) })).status).toBe(403);
    expect((await desk.request('HEAD', `/fax/${faxId}/document`)).headers.get('content-type')).toBe(
      'application/pdf',
    );
  });
});

describe('a caller without a credential', () => {
  test('learns from no guarded route whether a fax exists', async () => {
    for (const route of guarded) {
      const there = await ask(route, null, faxId);
      const missing = await ask(route, null, 'nothing');
      expect([named(route), there.status, await there.text()]).toEqual([
        named(route),
        missing.status,
        await missing.text(),
      ]);
    }
  });

  test('learns nothing from a callback that is not signed', async () => {
    const answers = await Promise.all(
      [faxId, 'nothing'].map(async (id) => {
        const form = new FormData();
        form.append('fax[status]', 'success');
        const path = `/cloudone-callback?job_id=${id}&attempt_id=1`;
        const response = await desk.request('POST', path, { key: null, form });
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });

  test('learns nothing from a link to a fax that never had one', async () => {
    const answer = async (id: string) => {
      const response = await desk.request('GET', `/fax/${id}/pdf?token=${'a'.repeat(43)}`, { key: null });
      return [response.status, await response.text()];
    };
    expect(await answer(faxId)).toEqual(await answer('nothing'));
  });

  test.each(['/auth/login', '/auth/key-login'])(
    '%s must come from an origin of the gateway',
    async (path) => {
      const json = path.endsWith('key-login')
        ? { api_key: 'wrong' }
        : { login: 'who', password: 'no such password' };
      const from = async (origin?: string) =>
        (await desk.request('POST', path, { key: null, json, headers: origin ? { Origin: origin } : {} }))
          .status;
      expect(await from()).toBe(403);
      for (const origin of [
        'null',
        'https://elsewhere.example',
        `${desk.url}.elsewhere.example`,
        `${desk.url}0`,
      ])
        expect([origin, await from(origin)]).toEqual([origin, 403]);
      expect(await from(desk.url)).toBe(401);
    },
  );
});
