import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CloudtwoSetup, startCloudtwoSetup } from './cloudtwo-setup.ts';
import { providerErrorOf } from './contract.ts';

let setup: CloudtwoSetup;
beforeEach(async () => {
  setup = await startCloudtwoSetup('oauth2');
});
afterEach(() => setup.close());

const minute = 60_000;
const submit = (provider = setup.provider()) => provider.submit(setup.account, setup.request);

test('one token serves many requests until a minute before its end', async () => {
  const provider = setup.provider();
  const { reference } = await submit(provider);
  await provider.fetchReport(setup.account, reference);
  setup.clock.time += 58 * minute;
  await provider.fetchReport(setup.account, reference);
  expect(setup.tokenRequests()).toBe(1);
  setup.clock.time += minute;
  await provider.fetchReport(setup.account, reference);
  expect(setup.tokenRequests()).toBe(2);
  expect(setup.emulator.calls.every((call) => call.path === '/oauth2/token' || call.authorized)).toBe(true);
});

test('requests that start together share one token request', async () => {
  const provider = setup.provider();
  const { reference } = await submit();
  const before = setup.tokenRequests();
  await Promise.all([1, 2, 3, 4].map(() => provider.fetchReport(setup.account, reference)));
  expect(setup.tokenRequests()).toBe(before + 1);
});

test('a token that expired on the way is renewed once and the fax is sent once', async () => {
  const provider = setup.provider();
  await provider.checkAccount(setup.account);
  setup.emulator.tokens.expireAll();
  await submit(provider);
  const posts = setup.emulator.calls.filter((call) => call.method === 'POST' && call.path === '/faxes');
  expect(posts.map((call) => call.authorized)).toEqual([false, true]);
  expect(posts[1]?.files).toHaveLength(1);
  expect(setup.counts().accepted).toBe(1);
});

test('a token refused for another reason is not renewed at once, but for the next request', async () => {
  const provider = setup.provider();
  await provider.checkAccount(setup.account);
  setup.emulator.tokens.forgetAll();
  expect(await providerErrorOf(submit(provider))).toMatchObject({ certainty: 'not_accepted' });
  await submit(provider);
  expect(setup.counts().accepted).toBe(1);
});

test('a pause that the token endpoint requires is kept, three times at most', async () => {
  setup.emulator.setFault({ kind: 'rate-limited', path: /token/u, count: 3 });
  await submit();
  expect(setup.tokenRequests()).toBe(4);
  setup.emulator.setFault({ kind: 'rate-limited', path: /token/u, count: 4 });
  const error = await providerErrorOf(submit());
  expect(error).toMatchObject({ certainty: 'try_later', category: 'provider_unavailable' });
  expect(setup.counts().accepted).toBe(1);
});

test.each(['dropped', 'server-error', 'garbage', 'wrong-shape', 'redirect'] as const)(
  'a token request that ends with "%s" has submitted nothing',
  async (kind) => {
    setup.emulator.setFault({ kind, path: /token/u });
    expect(await providerErrorOf(submit())).toMatchObject({ certainty: 'try_later' });
    expect(setup.counts()).toEqual({ accepted: 0, requests: 0 });
  },
);

test('a refused key is final, and only the submission says so', async () => {
  const account = { ...setup.account, apiSecret: 'wrong' };
  await setup.provider().reach(account);
  const error = await providerErrorOf(setup.provider().submit(account, setup.request));
  expect(error).toMatchObject({ certainty: 'not_accepted', category: 'refused' });
  expect(setup.counts()).toEqual({ accepted: 0, requests: 0 });
});

test('without a token the provider counts as out of reach', async () => {
  setup.emulator.setFault({ kind: 'server-error', path: /token/u });
  const error = await providerErrorOf(setup.provider().reach(setup.account));
  expect(error).toMatchObject({ certainty: 'try_later', category: 'provider_unavailable' });
});

test('a token of one key is never used for another', async () => {
  const provider = setup.provider();
  await provider.checkAccount(setup.account);
  expect(await provider.checkAccount({ ...setup.account, apiSecret: 'wrong' })).toMatchObject({ ok: false });
});
