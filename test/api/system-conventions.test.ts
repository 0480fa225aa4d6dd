import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

let gateway: TestGateway;
const faxes: Fax[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
  for (let one = 0; one < 7; one += 1) {
    faxes.push(await gateway.send());
    gateway.clock.advance(5);
  }
});
afterAll(() => gateway.close());

const READ = [
  '/fax',
  '/auth/me',
  '/auth/context',
  '/auth/sessions',
  '/admin/settings',
  '/admin/settings/revisions',
  '/admin/api-keys',
  '/health/ready',
];

async function read(path: string): Promise<unknown> {
  const response = await gateway.request('GET', path);
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return response.json();
}

/** Every name and value in an answer. */
function* membersOf(value: unknown): Generator<[name: string, value: unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* membersOf(item);
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      yield [name, inner];
      yield* membersOf(inner);
    }
}

const detailOf = async (response: Response) => ((await response.json()) as { detail: unknown }).detail;

describe('JSON', () => {
  test('has names in snake_case and times in UTC with milliseconds', async () => {
    for (const path of [...READ, `/fax/${faxes[0]?.id}/history`])
      for (const [name, value] of membersOf(await read(path))) {
        expect([path, name]).toEqual([path, expect.stringMatching(/^_?[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u)]);
        if (name.endsWith('_at') && value !== null)
          expect([name, value]).toEqual([
            name,
            expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
          ]);
      }
  });

  test('says null for what is absent', () => {
    expect(faxes[0]).toMatchObject({
      error: null,
      pages: null,
      provider_sid: null,
      attempt: null,
      cost: null,
      resend_of: null,
      case_id: null,
      cover: null,
      broadcast_id: null,
      legal_holds: [],
      contact: null,
      delivered_by: null,
      decision: null,
    });
  });

  test('has ids of at most 40 characters in the order of their time', () => {
    const ids = faxes.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(40);
  });
});

describe('a request', () => {
  test('with an unknown field, another type or an unknown query name is refused', async () => {
    const key = (json: unknown) => gateway.request('POST', '/admin/api-keys', { json });
    expect((await key({ name: 'a', colour: 'red' })).status).toBe(422);
    expect((await key({ name: 1 })).status).toBe(422);
    expect((await key({ scopes: 'fax:read' })).status).toBe(422);
    expect((await gateway.request('GET', '/fax?colour=red&limit=2')).status).toBe(400);
    expect((await gateway.request('GET', '/health?verbose=1')).status).toBe(200);
  });

  test('on a fax route says in one sentence what does not fit', async () => {
    const cancel = (json: unknown) => gateway.request('POST', `/fax/${faxes[0]?.id}/cancel`, { json });
    const sentences: [Promise<Response>, string][] = [
      [cancel({}), '"delivery_version" is missing.'],
      [cancel({ delivery_version: '1' }), '"delivery_version" must be a whole number.'],
      [cancel({ delivery_version: 0 }), '"delivery_version" must be at least 1.'],
      [cancel([]), 'The body must be an object.'],
      [
        gateway.request('POST', `/fax/${faxes[0]?.id}/reconcile`, { json: {} }),
        '"outcome" must be one of success, failed, not_reached, or "provider_sid" is missing.',
      ],
      [cancel({ delivery_version: 1, colour: 'red' }), '"colour" is not a field of this request.'],
      [cancel({ delivery_version: 1, a: 1, b: 2 }), '"a", "b" are not fields of this request.'],
      [gateway.request('GET', '/fax?limit=0'), '"limit" must be at least 1.'],
      [gateway.request('GET', '/fax?limit=201'), '"limit" must be at most 200.'],
      [gateway.request('GET', '/fax?limit=many'), '"limit" must be a whole number.'],
      [
        gateway.request('GET', '/fax?since=yesterday'),
        '"since" must be a time such as 2026-10-31T08:00:00.000Z.',
      ],
      [gateway.request('GET', `/fax?q=${'x'.repeat(101)}`), '"q" must have at most 100 characters.'],
      [gateway.request('GET', '/fax?to=1&to=2'), '"to" can be given only once.'],
      [
        gateway.request('GET', '/fax?state=lost'),
        expect.stringMatching(/^"state" must be one of held, ready, .*\.$/u),
      ],
    ];
    for (const [asked, sentence] of sentences) {
      const response = await asked;
      expect([response.status, await detailOf(response)]).toEqual([400, sentence]);
    }
  });

  test('on another route gets 422 with the parameters it refuses', async () => {
    const json = { name: 1, scopes: 'fax:read', expires_at: 'soon', colour: 'red' };
    const response = await gateway.request('POST', '/admin/api-keys', { json });
    expect([response.status, await detailOf(response)]).toEqual([
      422,
      [
        { loc: ['body', 'name'], type: 'invalid_type', msg: 'must be text' },
        { loc: ['body', 'scopes'], type: 'invalid_type', msg: 'must be a list' },
        {
          loc: ['body', 'expires_at'],
          type: 'invalid_format',
          msg: 'must be a time such as 2026-10-31T08:00:00.000Z',
        },
        { loc: ['body'], type: 'unrecognized_keys', msg: 'has unknown fields: colour' },
      ],
    ]);
  });

  test('for something that cannot be is a missing thing', async () => {
    for (const path of [`/fax/${'x'.repeat(41)}`, '/fax/nothing', '/fax/preview/1/x.png', '/fax/%00'])
      expect([path, (await gateway.request('GET', path)).status]).toEqual([path, 404]);
  });
});

describe('a list', () => {
  test('comes page by page, each fax once, newest first', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await read(`/fax?limit=3${after}`)) as { items: Fax[]; next_cursor: string | null };
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(faxes.map(({ id }) => id).toReversed());
  });

  const OTHER_CURSOR = 'That cursor is not valid; start again from the first page.';
  test.each([
    ['x', OTHER_CURSOR],
    ['e30', OTHER_CURSOR],
    [
      '%00',
      'The request could not be read. Send it whole, as JSON or a form in UTF-8 without NUL characters.',
    ],
    ['a'.repeat(501), '"cursor" must have at most 500 characters.'],
  ])('refuses the cursor "%s" with a sentence', async (cursor, sentence) => {
    const response = await gateway.request('GET', `/fax?cursor=${cursor}`);
    expect([response.status, await detailOf(response)]).toEqual([400, sentence]);
  });
});

describe('a change of something that changed meanwhile', () => {
  test('is a 409 and writes nothing', async () => {
    const fax = await gateway.send();
    const stale = await gateway.request('POST', `/fax/${fax.id}/cancel`, { json: { delivery_version: 9 } });
    const sentence = 'This changed in the meantime; reload and try again.';
    expect([stale.status, await detailOf(stale)]).toEqual([409, sentence]);
    expect(await gateway.fax(fax.id)).toEqual(fax);

    const settings = await read('/admin/settings');
    const written = await gateway.request('PUT', '/admin/settings', {
      json: { changes: { FAX_ORGANIZATION: 'Stale' }, expected_revision_id: 'another' },
    });
    expect(written.status).toBe(409);
    expect(await read('/admin/settings')).toEqual(settings);

    const owner = { login: 'owner', display_name: 'Owner', expected_policy_version: 999 };
    expect((await gateway.request('POST', '/auth/owner/enroll', { json: owner })).status).toBe(409);
    expect(await read('/auth/me')).toMatchObject({ can_enroll_owner: true });
  });
});

describe('a fax number', () => {
  test.each([
    ['+12025550123', '+12025550123'],
    ['(202) 555-0123', '+12025550123'],
    ['+44 20 7946 0123', '+442079460123'],
    ['+999 123456', '+999123456'],
    ['+1202555012345678901', '+1202555012345678901'],
  ])('%s is taken as %s', async (to, stored) => {
    expect((await gateway.send({ to })).to).toBe(stored);
  });

  test.each(['+12025550123 ext. 4', '+1', '911x', 'fax', '+120255501234567890123'])(
    '%s is refused',
    async (to) => {
      const response = await gateway.sendForm({ to }, [textFile()]);
      expect([response.status, await detailOf(response)]).toEqual([
        400,
        'That fax number is incomplete or not valid.',
      ]);
    },
  );
});
