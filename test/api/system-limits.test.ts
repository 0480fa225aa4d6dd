import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';

let gateway: TestGateway;
let key: string;
let other: string;
beforeEach(async () => {
  gateway = await startTestGateway();
  key = await newKey();
  other = await newKey();
  await gateway.set({ MAX_REQUESTS_PER_MINUTE: 3 });
});
afterEach(() => gateway.close());

async function newKey(): Promise<string> {
  const response = await gateway.request('POST', '/admin/api-keys', {
    json: { scopes: ['fax:read', 'fax:send'] },
  });
  return ((await response.json()) as { token: string }).token;
}

const request = (as: string | null = key, path = '/auth/me') => gateway.request('GET', path, { key: as });
async function statuses(count: number, as = key): Promise<number[]> {
  const seen: number[] = [];
  for (let one = 0; one < count; one += 1) seen.push((await request(as)).status);
  return seen;
}

describe('MAX_REQUESTS_PER_MINUTE', () => {
  test('refuses the fourth request with a sentence and the seconds to wait', async () => {
    expect(await statuses(3)).toEqual([200, 200, 200]);
    const refused = await request();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toEqual({ detail: ERRORS.rate_limited.sentence });
  });

  test('counts every key for itself', async () => {
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(4, other)).toEqual([200, 200, 200, 429]);
    expect((await statuses(1, INSTALLATION_KEY))[0]).toBe(200);
  });

  test('lets no more through in any 60 seconds, however they are spread', async () => {
    expect(await statuses(1)).toEqual([200]);
    gateway.clock.advance(50 * SECOND);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    gateway.clock.advance(9 * SECOND);
    const refused = await request();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    gateway.clock.advance(1 * SECOND);
    expect(await statuses(2)).toEqual([200, 429]);
    gateway.clock.advance(600 * SECOND);
    expect(await statuses(4)).toEqual([200, 200, 200, 429]);
  });

  test('lets in who keeps asking too often, at the allowed rate', async () => {
    const served: number[] = [];
    for (let second = 0; second < 180; second += 1) {
      if ((await request()).status === 200) served.push(second);
      gateway.clock.advance(1 * SECOND);
    }
    expect(served).toEqual([0, 1, 2, 60, 61, 62, 120, 121, 122]);
  });

  test('shuts nobody out for longer when the clock is set back', async () => {
    await statuses(4);
    gateway.clock.advance(-3600 * SECOND);
    expect((await request()).status).toBe(429);
    gateway.clock.advance(60 * SECOND);
    expect((await request()).status).toBe(200);
  });

  test('counts neither public routes nor wrong keys', async () => {
    await statuses(4);
    for (let one = 0; one < 10; one += 1) {
      expect((await request(key, '/health')).status).toBe(200);
      expect((await request(`${other}x`)).status).toBe(401);
      expect((await request(null)).status).toBe(401);
    }
    expect((await statuses(1, other))[0]).toBe(200);
  });

  test('refuses an upload before it is read, and counts a refusal of permission', async () => {
    expect((await request(key, '/admin/settings')).status).toBe(403);
    await statuses(2);
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('file', new File(['x'.repeat(1000)], 'a.txt'));
    expect((await gateway.request('POST', '/fax', { key, form })).status).toBe(429);
  });

  test('ends the moment the setting is 0', async () => {
    await statuses(4);
    await gateway.set({ MAX_REQUESTS_PER_MINUTE: 0 });
    expect(await statuses(10)).toEqual(Array<number>(10).fill(200));
  });
});
