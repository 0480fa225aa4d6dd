import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayOn } from '../setup/both-gateways.ts';
import type { TestGateway } from '../setup/gateway.ts';
import { DAY } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

describe.for(STORES)(`rate cards on %s${withoutPostgres}`, (kind) => {
  let gateway: TestGateway;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ gateway, close } = await startGatewayOn(kind));
  });
  afterAll(() => close());

  async function request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await gateway.request(method, path, { json });
    return [answer.status, await answer.json()];
  }

  async function create(fields: object): Promise<Body> {
    const body = { backend: 'cloudtwo', currency: 'USD', per_page: '0.07', ...fields };
    const [status, card] = await request('POST', '/routing/rate-cards', body);
    expect(status, JSON.stringify(card)).toBe(201);
    return card;
  }

  test('keep their earlier versions, whoever reads them later', async () => {
    const card = await create({ prefixes: ['+47', '+47'], source: 'The contract of 2026' });
    expect(card).toMatchObject({ version: 1, in_force: 1, prefixes: ['+47'], increment_seconds: 60 });
    const later = new Date(gateway.clock.now() + DAY).toISOString();
    const [status, changed] = await request('POST', `/routing/rate-cards/${card.id}/versions`, {
      version: 1,
      currency: 'NOK',
      per_minute: '0.5',
      prefixes: ['+47'],
      valid_from: later.replace('Z', '+00:00'),
    });
    expect([status, changed.version, changed.in_force, changed.valid_from]).toEqual([201, 2, 1, later]);
    gateway.clock.advance(DAY);
    const [, read] = await request('GET', `/routing/rate-cards/${card.id}`);
    expect(read.in_force).toBe(2);
    expect(read.versions).toMatchObject([
      { version: 2, currency: 'NOK', per_page: null, per_minute: '0.5' },
      { version: 1, currency: 'USD', per_page: '0.07', source: 'The contract of 2026' },
    ]);
    expect((await request('POST', `/routing/rate-cards/${card.id}/remove`, { version: 1 }))[0]).toBe(409);
    const [, removed] = await request('POST', `/routing/rate-cards/${card.id}/remove`, { version: 2 });
    expect([removed.in_force, removed.removed_at]).toEqual([null, expect.any(String)]);
    expect((await request('GET', `/routing/rate-cards/${card.id}`))[1].versions).toHaveLength(2);
    expect((await request('POST', `/routing/rate-cards/${card.id}/remove`, { version: 2 }))[0]).toBe(409);
  });

  test('of one provider never claim the same numbers, also when they are entered at once', async () => {
    const tries = await Promise.all(
      [1, 2, 3].map(() =>
        request('POST', '/routing/rate-cards', {
          backend: 'sip',
          currency: 'EUR',
          per_fax: '0.10',
          prefixes: ['+49'],
        }),
      ),
    );
    expect(tries.map(([status]) => status).sort((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(tries.find(([status]) => status === 409)?.[1].detail).toContain('Another rate card');
    // Longer ones are other numbers, and so are those of another provider.
    await create({ backend: 'sip', prefixes: ['+4930'] });
    await create({ backend: 'cloudone', prefixes: ['+49'] });
    const all = await create({ backend: 'sip' });
    expect(
      (await request('POST', '/routing/rate-cards', { backend: 'sip', currency: 'EUR', per_fax: '1' }))[0],
    ).toBe(409);
    await request('POST', `/routing/rate-cards/${all.id}/remove`, { version: 1 });
    await create({ backend: 'sip' });
  });

  test('are listed page after page, oldest first', async () => {
    const made: string[] = [];
    for (const prefix of ['+81', '+82', '+83']) made.push((await create({ prefixes: [prefix] })).id);
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const [, page] = await request('GET', `/routing/rate-cards?limit=2${cursor && `&cursor=${cursor}`}`);
      found.push(...page.items.map(({ id }: Body) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(found.filter((id) => made.includes(id))).toEqual(made);
    expect((await request('GET', '/routing/rate-cards?cursor=x'))[0]).toBe(400);
  });

  test.each([
    [{ per_page: '0,07' }, 400],
    [{ per_page: '0.0000001' }, 400],
    [{ per_page: '-1' }, 400],
    [{ per_page: 0.07 }, 400],
    [{ currency: 'USX' }, 400],
    [{ prefixes: ['47'] }, 400],
    [{ increment_seconds: 0 }, 400],
    [{ per_page: null }, 400],
    [{ backend: 'carrier-pigeon' }, 400],
    [{ valid_from: 'tomorrow' }, 400],
  ])('refuse %j with a sentence', async (fields, status) => {
    const body = { backend: 'sip', currency: 'USD', per_page: '0.07', prefixes: ['+99'], ...fields };
    const [answered, { detail }] = await request('POST', '/routing/rate-cards', body);
    expect([answered, typeof detail]).toEqual([status, 'string']);
  });

  test('are in the security audit with provider and version', async () => {
    const card = await create({ prefixes: ['+353'] });
    const [, { items }] = await request('GET', '/access/audit?operation=rate_card.create&limit=1');
    expect(items[0]).toMatchObject({
      target: { kind: 'rate_card', id: card.id },
      details: { backend: 'cloudtwo', version: 1 },
    });
  });
});
