import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { INVALID_CONFIGURATION } from '../../shared/api/settings.ts';
import { ApiError, createClient } from '../../shared/client/index.ts';
import { allRoutes } from '../setup/every-route.ts';
import { INSTALLATION_KEY, textFile } from '../setup/gateway.ts';
import { fieldsOf, wrongBodies } from '../setup/wrong-values.ts';
import { FilledGateway, named } from './access-filled.ts';

let filled: FilledGateway;
let secret: string;
beforeAll(async () => {
  filled = await FilledGateway.open();
  const { dataFolder } = filled.gateway;
  secret = (await readFile(join(dataFolder, 'telephony', 'inbound-secret'), 'utf8')).trim();
});
afterAll(() => filled.close());

/** Words of a library, a pattern or the code, which explain neither the error nor what would be valid. */
const JARGON =
  /invalid input|is not right|\bexpected\b|\breceived (?:string|number|undefined|NaN)|\bregex|\bpattern\b|zod|undefined|\bNaN\b|\[object|\/\^|\^\[|\\p\{|too_small|too_big|unrecognized|9007199254740991|\b1 entries/iu;

const WRONG_TEXTS = ['', ' ', 'x'.repeat(1000), 'no such word', '-1', '0', '1.5', '1e99', '2026-13-45'];

/** Of queries that need one. */
const FITTING = { job_id: 'a', attempt_id: 'a', to: '+12025550123', pages: '1' };
/** Of forms that need one. */
const FITTING_IN_FORMS = { to: '+12025550123', name: 'Letter', version: '1' };
const isNeeded = (field: z.core.$ZodType | undefined) =>
  field !== undefined && !z.safeParse(field, undefined).success;

/** Returns a form with a fitting value of each of the fields that some form needs. */
function fittingForm(fields: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(FITTING_IN_FORMS))
    if (fields.includes(name)) form.append(name, value);
  return form;
}

interface Refusal {
  readonly code: string | null;
  readonly sentences: readonly string[];
}

/** Returns the code and sentence of a refusal; null when the request succeeded. */
async function refusalOf(response: Response): Promise<Refusal | null> {
  if (response.ok) {
    await response.body?.cancel();
    return null;
  }
  const code = response.headers.get('X-Error-Code');
  const { detail } = (await response.json()) as {
    detail: string | { loc: (string | number)[]; msg: string }[];
  };
  if (typeof detail === 'string') return { code, sentences: [detail] };
  return { code, sentences: detail.map(({ loc, msg }) => `"${loc.slice(1).join('.')}" ${msg}.`) };
}

/** The refusal is in plain words, and one about a field names that field. */
async function expectPlain(response: Response, field: string | null, given: unknown): Promise<void> {
  const refusal = await refusalOf(response);
  if (refusal === null) return;
  const shown = JSON.stringify(given)?.slice(0, 200);
  for (const sentence of refusal.sentences) {
    expect([shown, sentence]).toEqual([shown, expect.not.stringMatching(JARGON)]);
    expect(sentence).toMatch(/^["A-Z].*\.$/su);
  }
  if (refusal.code !== 'invalid_request' || field === null) return;
  const about = new RegExp(
    `"${field}["., ]|"[a-z_.0-9]*\\.${field}"|: ${field}\\b|^The body (?:is missing|requires either)`,
    'u',
  );
  expect([shown, refusal.sentences[0]]).toEqual([shown, expect.stringMatching(about)]);
}

const byName = (routes: readonly RouteDefinition[]) => routes.map((route) => [named(route), route] as const);

function request(route: RouteDefinition, options: { query?: string; json?: unknown; form?: FormData }) {
  const { query = '', ...rest } = options;
  const headers = { Origin: filled.gateway.url, 'X-Internal-Secret': secret };
  return filled.gateway.request(route.method, `${filled.addressOf(route)}${query}`, { ...rest, headers });
}

describe('what does not fit is refused in plain words', () => {
  test.each(byName(allRoutes.filter(({ body }) => body)))('in the body of %s', async (_name, route) => {
    if (!route.body) return;
    for (const [field, json] of wrongBodies(route.body))
      await expectPlain(await request(route, { json }), field, json);
  });

  test.each(byName(allRoutes.filter(({ query }) => query)))('in the query of %s', async (_name, route) => {
    if (!route.query) return;
    const needed = Object.entries(FITTING).filter(([field]) => isNeeded(route.query?.shape[field]));
    const whole = new URLSearchParams(needed);
    for (const field of fieldsOf(route.query))
      for (const value of [...WRONG_TEXTS, null]) {
        const query = new URLSearchParams(whole);
        if (value === null) query.append(field, 'twice');
        else query.set(field, value);
        if (value === null) query.append(field, 'once more');
        await expectPlain(await request(route, { query: `?${query.toString()}` }), field, value);
      }
  });

  test.each(byName(allRoutes.filter(({ form }) => form)))('in the form of %s', async (_name, route) => {
    if (!route.form) return;
    const fields = fieldsOf(route.form.fields);
    for (const field of [...fields, 'nonsense'])
      for (const values of [...WRONG_TEXTS.map((value) => [value]), ['one', 'two'], []]) {
        const form = fittingForm(fields.filter((name) => name !== field));
        for (const value of values) form.append(field, value);
        form.append('file', textFile());
        await expectPlain(await request(route, { form }), field, values);
      }
    const form = fittingForm(fields);
    form.append('nonsense', textFile());
    await expectPlain(await request(route, { form }), 'nonsense', 'a file');
  });

  test.each(byName(allRoutes.filter(({ path }) => path.includes('/:'))))(
    'in the address of %s',
    async (_name, route) => {
      const last = route.path.match(/:\w+/gu)?.at(-1) ?? '';
      for (const value of ['0', '-1', '1.5', '99', 'no%20such', 'x'.repeat(300)]) {
        const path = filled.addressOf({ ...route, path: route.path.replace(last, value) });
        await expectPlain(await filled.gateway.request(route.method, path), null, path);
      }
    },
  );
});

describe('a refusal names its cause', () => {
  const detail = async (response: Response) => ((await response.json()) as { detail: unknown }).detail;
  const post = async (path: string, json: unknown) =>
    detail(await filled.gateway.request('POST', path, { json }));

  test('a list where one value belongs is of another type, and a word given twice was given twice', async () => {
    const path = `/fax/${filled.idOf('/fax')}/cancel`;
    expect(await post(path, { delivery_version: [1] })).toBe('"delivery_version" must be a whole number.');
    const twice = await filled.gateway.request('GET', '/fax?to=1&to=2');
    expect(await detail(twice)).toBe('"to" can be given only once.');
  });

  test('of an entry of a list it says that it is one', async () => {
    const role = { name: 'A role', permissions: [{}], expected_policy_version: 1 };
    expect(await post('/access/roles', role)).toMatch(/^An entry of "permissions" must be one of /u);
  });

  test('of a body with several forms it speaks of the one that was meant', async () => {
    const path = `/fax/${filled.idOf('/fax')}/reconcile`;
    expect(await post(path, { outcome: 'success', delivery_version: 1 })).toBe('"note" is missing.');
    expect(await post(path, { provider_sid: '', delivery_version: 1 })).toBe(
      '"provider_sid" must not be empty.',
    );
    expect(await post(path, { outcome: 'lost', note: 'a', delivery_version: 1 })).toBe(
      '"outcome" must be one of success, failed, not_reached.',
    );
    expect(await post(path, {})).toBe(
      '"outcome" must be one of success, failed, not_reached, or "provider_sid" is missing.',
    );
  });

  test('of a number beyond every bound it says the bound', async () => {
    const response = await filled.gateway.request('GET', '/fax?limit=1e99');
    expect(await detail(response)).toBe('"limit" must be at most 200.');
  });

  test('each field stands in a list once, with what is wrong first', async () => {
    expect(await post('/admin/api-keys', { name: Array.from({ length: 500 }, () => 'a') })).toEqual([
      { loc: ['body', 'name'], type: 'invalid_type', msg: 'must be text' },
    ]);
  });

  test('a page that a document does not have is no expired preview', async () => {
    const { gateway } = filled;
    const form = new FormData();
    form.append('file', new File(['one\ftwo\n'], 'letter.txt', { type: 'text/plain' }));
    const made = await gateway.request('POST', '/fax/preview', { form });
    const { preview_id } = (await made.json()) as { preview_id: string };
    const page = (path: string) => gateway.request('GET', path);
    const missing = await page(`/fax/preview/${preview_id}/3.png`);
    expect([missing.status, missing.headers.get('X-Error-Code'), await detail(missing)]).toEqual([
      404,
      'no_such_page',
      'There is no page 3: the document has 2 pages.',
    ]);
    expect((await page(`/fax/preview/${preview_id}/2.png`)).status).toBe(200);
    const received = await page(`/inbound/${filled.idOf('/inbound')}/pages/9.png`);
    expect(await detail(received)).toBe('There is no page 9: the document has 1 page.');
    const gone = await page('/fax/preview/01900000-0000-7000-8000-000000000000/1.png');
    expect([gone.headers.get('X-Error-Code'), await detail(gone)]).toEqual([
      'preview_expired',
      'There is no such preview, or it has expired. Attach the files again.',
    ]);
  });
});

describe('the client makes sentences of a list of fields', () => {
  const client = () => createClient({ baseUrl: filled.gateway.url, apiKey: INSTALLATION_KEY });
  const said = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return error instanceof ApiError ? error.detail : error;
  };

  test('that name the fields as people write them', async () => {
    const made = client().access.createKey({ body: { name: 'a\u0007', expires_at: 'soon' } });
    expect(await said(made)).toBe(
      '"name" must have no control or invisible characters. "expires_at" must be a time such as 2026-10-31T08:00:00.000Z.',
    );
  });

  test('also where the contract says the same of every setting', async () => {
    const written = client().settings.write({ body: { changes: { MAX_FILE_SIZE_MB: 0 } } });
    const sentence = await said(written);
    expect(sentence).toBe('"changes.MAX_FILE_SIZE_MB" does not accept that value.');
    expect(sentence).not.toContain(INVALID_CONFIGURATION);
  });
});
