import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { allRoutes } from '../setup/every-route.ts';
import { textFile } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { FilledGateway, named } from './access-filled.ts';

const PARAMETERS = [
  '..%2F..%2F..%2Fetc%2Fpasswd',
  '..%5C..%5Cinstallation.key',
  '....%2F%2F',
  'installation.key',
  '%2Fetc%2Fpasswd',
  'C:%5Cboot.ini',
  'a%00.pdf',
  '%00',
  '__proto__',
  'constructor',
  'toString',
  "1'%20OR%20'1'='1",
  '%F0%9F%93%A0',
  'a'.repeat(300),
];
const SQL = [
  "' OR 1=1 --",
  "'; DROP TABLE fax_job;--",
  '" OR ""="',
  "') UNION SELECT id FROM session--",
  '%',
  '_',
  '\\',
  "\\' OR 1=1 --",
  '$$',
  ':id',
];
/** Text that occurs in no record. */
const ODD = 'zqxjzq';
const POLLUTION =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}';

const REFUSED = [400, 401, 403, 404, 405, 415, 422];

const withParams = allRoutes.filter(({ path }) => path.includes('/:'));
const queries = allRoutes.flatMap((route) =>
  Object.keys(route.query?.shape ?? {}).map((field) => [`${named(route)} ${field}`, route, field] as const),
);
const withBody = allRoutes.filter(({ body }) => body !== undefined);

describe.each(STORES)(`on %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let filled: FilledGateway;
  let key: string;
  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    filled = await FilledGateway.open(databaseUrl);
    key = await filled.keyWith(ALL_PERMISSIONS);
  });
  afterAll(async () => {
    await filled.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  const ask = (route: RouteDefinition, path: string) => {
    const hasJson = ['POST', 'PUT', 'PATCH'].includes(route.method) && !route.form;
    return filled.gateway.request(route.method, path, { key, ...(hasJson ? { json: { nonsense: 1 } } : {}) });
  };

  test.each(withParams.map((route) => [named(route), route] as const))(
    '%s finds nothing outside of what it is about',
    async (_name, route) => {
      const before = await readdir(filled.gateway.dataFolder);
      const params = route.path.match(/:\w+/gu) ?? [];
      for (const param of params)
        for (const parameter of PARAMETERS) {
          const path = filled.addressOf({ ...route, path: route.path.replace(param, parameter) });
          const answer = await ask(route, path);
          expect([path, REFUSED]).toEqual([path, expect.arrayContaining([answer.status])]);
          expect(await answer.text()).toMatch(/^\{"detail":/u);
        }
      expect(await readdir(filled.gateway.dataFolder)).toEqual(before);
    },
  );

  test.each(queries)('%s takes SQL for a text like any other', async (_name, route, field) => {
    const answerTo = async (value: string) => {
      const answer = await ask(route, `${filled.addressOf(route)}?${field}=${encodeURIComponent(value)}`);
      if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        await answer.body?.cancel();
        return { status: answer.status };
      }
      const text = (await answer.text()).replaceAll(/"(?:next|policy_version)":[^,}]*/gu, '');
      return { status: answer.status, text };
    };
    const odd = await answerTo(ODD);
    expect(odd.status).toBeLessThan(500);
    for (const value of SQL) expect({ value, ...(await answerTo(value)) }).toEqual({ value, ...odd });
  });

  test.each(queries)('%s takes no NUL', async (_name, route, field) => {
    for (const value of ['\0', `${ODD}\0`]) {
      const answer = await ask(route, `${filled.addressOf(route)}?${field}=${encodeURIComponent(value)}`);
      const { detail } = (await answer.json()) as { detail: unknown };
      expect([value, REFUSED]).toEqual([value, expect.arrayContaining([answer.status])]);
      expect(detail).toBeTruthy();
    }
  });

  test('no text of a body or a form holds NUL', async () => {
    const { gateway } = filled;
    const json = { name: 'a\0b', permissions: [], expected_policy_version: 1 };
    const form = new FormData();
    for (const [field, value] of [
      ['to', '+12025550123'],
      ['mailbox', 'a\0'],
    ] as const)
      form.append(field, value);
    form.append('file', textFile());
    const refused = { detail: ERRORS.unreadable_request.sentence };
    for (const answer of [
      await gateway.request('POST', '/access/roles', { key, json }),
      await gateway.request('POST', '/access/roles', { key, json: { 'a\0': 1 } }),
      await gateway.request('POST', '/fax', { key, form }),
    ])
      expect([answer.status, await answer.json()]).toEqual([400, refused]);
    const backslash = {
      name: 'a\\u0000',
      permissions: [],
      expected_policy_version: await filled.administrator.policy(),
    };
    const made = await gateway.request('POST', '/access/roles', { key, json: backslash });
    expect([made.status, ((await made.json()) as { role: { name: string } }).role.name]).toEqual([
      200,
      'a\\u0000',
    ]);
  });

  test.each(withBody.map((route) => [named(route), route] as const))(
    '%s takes no prototype from a body or a query',
    async (_name, route) => {
      const path = `${filled.addressOf(route)}?__proto__=1&constructor=2&toString=3&__proto__[polluted]=4`;
      const answer = await fetch(`${filled.gateway.url}${path}`, {
        method: route.method,
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Origin: filled.gateway.url },
        body: POLLUTION,
      });
      expect([400, 401, 403, 404, 422]).toContain(answer.status);
      expect(await answer.text()).not.toContain('Something went wrong');
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
    },
  );
});
