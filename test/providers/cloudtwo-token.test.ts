import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CloudtwoBench, startCloudtwoBench } from './cloudtwo-bench.ts';
import { providerErrorOf } from './contract.ts';

let bench: CloudtwoBench;
beforeEach(async () => {
  bench = await startCloudtwoBench('oauth2');
});
afterEach(() => bench.close());

const minute = 60_000;
const submit = (provider = bench.provider()) => provider.submit(bench.account, bench.request);

test('one token serves many requests until a minute before its end', async () => {
  const provider = bench.provider();
  const { providerId } = await submit(provider);
  await provider.fetchReport(bench.account, providerId);
  bench.clock.time += 58 * minute;
  await provider.fetchReport(bench.account, providerId);
  expect(bench.tokenRequests()).toBe(1);
  bench.clock.time += minute;
  await provider.fetchReport(bench.account, providerId);
  expect(bench.tokenRequests()).toBe(2);
  expect(bench.emulator.calls.every((call) => call.path === '/oauth2/token' || call.authorized)).toBe(true);
});

test('requests that start together share one token request', async () => {
  const provider = bench.provider();
  const { providerId } = await submit();
  const before = bench.tokenRequests();
  await Promise.all([1, 2, 3, 4].map(() => provider.fetchReport(bench.account, providerId)));
  expect(bench.tokenRequests()).toBe(before + 1);
});

test('a token that expired on the way is renewed once and the fax is sent once', async () => {
  const provider = bench.provider();
  await provider.checkAccount(bench.account);
  bench.emulator.tokens.expireAll();
  await submit(provider);
  const posts = bench.emulator.calls.filter((call) => call.method === 'POST' && call.path === '/faxes');
  expect(posts.map((call) => call.authorized)).toEqual([false, true]);
  expect(posts[1]?.files).toHaveLength(1);
  expect(bench.counts().accepted).toBe(1);
});

test('a token refused for another reason is not renewed at once, but for the next request', async () => {
  const provider = bench.provider();
  await provider.checkAccount(bench.account);
  bench.emulator.tokens.forgetAll();
  expect(await providerErrorOf(submit(provider))).toMatchObject({ certainty: 'not_accepted' });
  await submit(provider);
  expect(bench.counts().accepted).toBe(1);
});

test('a pause that the token endpoint asks for is kept, three times at most', async () => {
  bench.emulator.setFault({ kind: 'rate-limited', path: /token/u, count: 3 });
  await submit();
  expect(bench.tokenRequests()).toBe(4);
  bench.emulator.setFault({ kind: 'rate-limited', path: /token/u, count: 4 });
  const error = await providerErrorOf(submit());
  expect(error).toMatchObject({ certainty: 'try_later', category: 'provider_unavailable' });
  expect(bench.counts().accepted).toBe(1);
});

test.each(['dropped', 'server-error', 'garbage', 'wrong-shape', 'redirect'] as const)(
  'a token request that ends with "%s" has submitted nothing',
  async (kind) => {
    bench.emulator.setFault({ kind, path: /token/u });
    expect(await providerErrorOf(submit())).toMatchObject({ certainty: 'try_later' });
    expect(bench.counts()).toEqual({ accepted: 0, requests: 0 });
  },
);

test('a refused key is final, and only the submission says so', async () => {
  const account = { ...bench.account, apiSecret: 'wrong' };
  await bench.provider().reach(account);
  const error = await providerErrorOf(bench.provider().submit(account, bench.request));
  expect(error).toMatchObject({ certainty: 'not_accepted', category: 'refused' });
  expect(bench.counts()).toEqual({ accepted: 0, requests: 0 });
});

test('without a token the provider counts as out of reach', async () => {
  bench.emulator.setFault({ kind: 'server-error', path: /token/u });
  const error = await providerErrorOf(bench.provider().reach(bench.account));
  expect(error).toMatchObject({ certainty: 'try_later', category: 'provider_unavailable' });
});

test('a token of one key is never used for another', async () => {
  const provider = bench.provider();
  await provider.checkAccount(bench.account);
  expect(await provider.checkAccount({ ...bench.account, apiSecret: 'wrong' })).toMatchObject({ ok: false });
});
