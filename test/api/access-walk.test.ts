import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts';
import { allRoutes } from '../setup/every-route.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { ENTRIES } from './access-entries.ts';
import { type EndedCredential, FilledGateway, guarded, named } from './access-filled.ts';

let filled: FilledGateway;
let gateway: TestGateway;
let faxId: string;
beforeAll(async () => {
  filled = await FilledGateway.open();
  gateway = filled.gateway;
  faxId = filled.idOf('/fax');
});
afterAll(() => filled.close());

const open = allRoutes.filter(({ access }) => access === 'public');
const permitted = guarded.filter(({ access }) => access !== 'signed-in');
const byName = (routes: readonly RouteDefinition[]) => routes.map((route) => [named(route), route] as const);

const WRONG = ['wrong', 'key_live_unknown_secret', '', ' ', 'x'.repeat(5000)];
const ENDED: Readonly<Record<EndedCredential, string>> = {
  'an expired key': ERRORS.key_expired.sentence,
  'a revoked key': ERRORS.key_revoked.sentence,
  'a key of somebody disabled': ERRORS.invalid_credential.sentence,
  'a session of a revoked key': ERRORS.session_ended.sentence,
  'a session that signed out': ERRORS.session_ended.sentence,
  'an idle session': ERRORS.session_ended.sentence,
};

/** Returns the status and sentence of a refusal, and checks that it contains nothing else. */
async function refusal(response: Response): Promise<[number, string]> {
  const text = await response.text();
  const { detail } = JSON.parse(text) as { detail: string };
  expect([text, response.headers.get('set-cookie')]).toEqual([JSON.stringify({ detail }), null]);
  return [response.status, detail];
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;

test('rule (api): every route that needs a credential has an entry in the access test', () => {
  expect(Object.keys(ENTRIES).sort()).toEqual(guarded.map(named).sort());
  const isAnywhere = (route: RouteDefinition) => [named(route), route.anywhere ?? false];
  const hasElsewhere = (route: RouteDefinition) => [
    named(route),
    'elsewhere' in (ENTRIES[named(route)] ?? {}),
  ];
  expect(guarded.map(hasElsewhere)).toEqual(guarded.map(isAnywhere));
});

describe('every route', () => {
  test.each(byName(guarded))('%s answers 401 without a credential in force', async (_name, route) => {
    for (const missing of [false, true]) {
      const none = await refusal(await filled.request(route, { missing }));
      expect(none).toEqual([401, ERRORS.sign_in_required.sentence]);
    }
    for (const key of WRONG) {
      const [status, sentence] = await refusal(await filled.request(route, { key }));
      expect([key, status]).toEqual([key, 401]);
      expect([ERRORS.sign_in_required.sentence, ERRORS.invalid_credential.sentence]).toContain(sentence);
    }
    for (const [kind, headers] of Object.entries(filled.ended)) {
      const [status, sentence] = await refusal(await filled.request(route, { headers }));
      expect([kind, status, sentence]).toEqual([kind, 401, ENDED[kind as EndedCredential]]);
    }
  });

  test.each(byName(permitted))('%s answers 403 to every other permission', async (_name, route) => {
    const others = ALL_PERMISSIONS.filter((permission) => permission !== route.access);
    const refused = async (held: readonly Permission[]) => {
      const answer = await refusal(await filled.request(route, { key: await filled.keyWith(held) }));
      expect([held, ...answer]).toEqual([held, 403, ERRORS.not_allowed.sentence]);
    };
    for (const permission of others) await refused([permission]);
    await refused(others);
    await refused([]);
    const key = await filled.keyWith(others);
    const missing = await refusal(await filled.request(route, { key, missing: true }));
    expect(missing).toEqual([403, ERRORS.not_allowed.sentence]);
  });

  test.each(byName(guarded))('%s lets a key in that may do only this', async (name, route) => {
    const key = await filled.keyWith(route.access === 'signed-in' ? [] : [route.access as Permission]);
    const response = await filled.request(route, { key });
    expect(response.status).toBe(ENTRIES[name]?.right);
    await response.body?.cancel();
  });

  test.each(byName(permitted))(
    'rule (access): one `Caller` goes from the access check to the services and limits what a key for another mailbox sees [%s]',
    async (name, route) => {
      const key = await filled.keyElsewhere(route.access as Permission);
      const response = await filled.request(route, { key });
      const { elsewhere } = ENTRIES[name] ?? {};
      expect(response.status).toBe(elsewhere ?? 403);
      const text = await response.text();
      expect(filled.findLeaks(text)).toEqual([]);
      if (elsewhere === undefined) expect(text).toBe(JSON.stringify({ detail: ERRORS.not_allowed.sentence }));
      if (elsewhere !== 200) {
        const missing = await filled.request(route, { key, missing: true });
        expect([missing.status, await missing.text()]).toEqual([response.status, text]);
      }
    },
  );

  test('rule (api): a route is defined once in `shared/api`; exactly the defined routes are served', async () => {
    expect(open.map(named).sort()).toEqual([
      'GET /auth/welcome',
      'GET /direct/deliveries/:message_id',
      'GET /fax/:id/pdf',
      'GET /health',
      'GET /health/ready',
      'GET /https/root.crt',
      'GET /openapi-console.json',
      'GET /openapi.json',
      'POST /_internal/telephony/inbound',
      'POST /auth/key-login',
      'POST /auth/login',
      'POST /auth/passkey/login',
      'POST /auth/passkey/options',
      'POST /auth/quick-sign-in/card-login',
      'POST /auth/quick-sign-in/people',
      'POST /auth/quick-sign-in/pin-login',
      'POST /cloudone-callback',
      'POST /cloudone-inbound',
      'POST /cloudtwo-callback',
      'POST /cloudtwo-inbound',
      'POST /direct/deliveries',
      'POST /direct/statements',
      'POST /direct/verifications',
      'POST /mobile/pair',
    ]);
    await gateway.set({ DIRECT_DELIVERY_ENABLED: true });
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
    const paths = [...new Set(allRoutes.map((route) => route.path))];
    for (const path of paths) {
      for (const method of methods) {
        const response = await gateway.request(
          method,
          filled.addressOf({ method, path } as RouteDefinition),
          {
            key: null,
          },
        );
        const isMounted = ![404, 405].includes(response.status) || OWN_404.test(path);
        expect([method, path, isMounted]).toEqual([method, path, isMatched(method, path)]);
        await response.arrayBuffer();
      }
    }
    await gateway.set({ DIRECT_DELIVERY_ENABLED: false });
  });
});

/** Their own 404 is about the fax, about a document of a partner, and about a root that there is none of while HTTPS is off. */
const OWN_404 = /^\/(?:fax\/:id\/pdf|https\/root\.crt|direct\/deliveries\/:message_id)$/u;
/** True also where another path with parameters matches: `GET /fax/preview` is read as a fax with the id `preview`. */
const isMatched = (method: string, path: string) =>
  OWN_404.test(path) ||
  allRoutes.some((route) => route.method === method && patternOf(route.path).test(path));
const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u');

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
      const response = await gateway.request('GET', path, key === null ? { key } : {});
      expect([response.status, await detailOf(response)]).toEqual([404, ERRORS.no_such_address.sentence]);
    }
  });

  test.each([
    ['DELETE', '/health', 'GET, HEAD, OPTIONS'],
    ['PUT', '/fax', 'POST, GET, HEAD, OPTIONS'],
    ['PATCH', '/admin/settings', 'GET, PUT, HEAD, OPTIONS'],
    ['POST', '/auth/me', 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405 that says what there is', async (method, path, allowed) => {
    const response = await gateway.request(method, path, { key: null });
    expect([response.status, await detailOf(response)]).toEqual([
      405,
      'This address does not support that method.',
    ]);
    expect(response.headers.get('allow')).toBe(allowed);
  });

  test('OPTIONS says what there is, and lets no other origin in', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
    const response = await gateway.request('OPTIONS', '/fax', { key: null, headers });
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('HEAD', () => {
  test.each(['/health', '/fax', '/openapi.json', '/metrics', '/docs'])(
    '%s is GET without the bytes',
    async (path) => {
      const get = await gateway.request('GET', path);
      const head = await gateway.request('HEAD', path);
      await get.arrayBuffer();
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    },
  );

  test('needs the same permission as GET', async () => {
    expect((await gateway.request('HEAD', '/fax', { key: null })).status).toBe(401);
    expect((await gateway.request('HEAD', '/fax', { key: await filled.keyWith([]) })).status).toBe(403);
    expect((await gateway.request('HEAD', `/fax/${faxId}/document`)).headers.get('content-type')).toBe(
      'application/pdf',
    );
  });
});

describe('a caller without a credential', () => {
  test('learns nothing from a callback that is not signed', async () => {
    const answers = await Promise.all(
      [faxId, 'nothing'].map(async (id) => {
        const form = new FormData();
        form.append('fax[status]', 'success');
        const path = `/cloudone-callback?job_id=${id}&attempt_id=1`;
        const response = await gateway.request('POST', path, { key: null, form });
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });

  test('learns nothing from a link to a fax that never had one', async () => {
    const answer = async (id: string) => {
      const response = await gateway.request('GET', `/fax/${id}/pdf?token=${'a'.repeat(43)}`, { key: null });
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
        (await gateway.request('POST', path, { key: null, json, headers: origin ? { Origin: origin } : {} }))
          .status;
      expect(await from()).toBe(403);
      for (const origin of [
        'null',
        'https://elsewhere.example',
        `${gateway.url}.elsewhere.example`,
        `${gateway.url}0`,
      ])
        expect([origin, await from(origin)]).toEqual([origin, 403]);
      expect(await from(gateway.url)).toBe(401);
    },
  );
});
