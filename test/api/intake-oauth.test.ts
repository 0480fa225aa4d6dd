import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { finishReplacement, keyState, replaceKey } from '../setup/data-keys.ts';
import { TokenServer } from '../setup/emulators/token-server.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { ALICE, type ConnectorAnswer, type Delivery, IntakeGateway } from './intake-setup.ts';

const SENDER = 'fax@example.org';
const MICROSOFT = {
  provider: 'microsoft',
  client_id: 'app-1',
  client_secret: 'client-secret',
  refresh_token: 'refresh-1',
  tenant: 'example.org',
};

let intake: IntakeGateway;
const tokens = new TokenServer();
/** Takes mail from whom the token server gave a token, and from nobody else. */
let mail: MailServer;
beforeAll(async () => {
  await tokens.open();
  intake = await IntakeGateway.start({ tokenAddresses: tokens.addresses });
  mail = await startMailServer({
    authOptional: false,
    authMethods: ['XOAUTH2'],
    onAuth: ({ method, username, accessToken }, _session, done) => {
      const isRight = method === 'XOAUTH2' && username === SENDER && tokens.given.has(accessToken ?? '');
      if (isRight) done(null, { user: username });
      else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
    },
  });
});
afterEach(async () => {
  await intake.clear();
  mail.faults = {};
  mail.mails.length = 0;
  tokens.asked.length = 0;
  Object.assign(tokens, {
    refreshToken: 'refresh-1',
    rotates: false,
    fault: null,
    meanwhile: null,
    secret: 'client-secret',
  });
});
afterAll(async () => {
  await intake.close();
  await mail.close();
  await tokens.close();
});

const connect = () => intake.connect({ port: mail.port, username: SENDER });
const put = ({ id, version }: ConnectorAnswer, given: object = MICROSOFT) =>
  intake.request('PUT', `/intake/connectors/${id}/oauth`, { ...given, version });
const read = async (): Promise<ConnectorAnswer> =>
  (await intake.request('GET', '/intake/connectors'))[1].items[0];
const warned = async () => JSON.stringify((await intake.request('GET', '/console/status'))[1].warnings);

async function tried(): Promise<Delivery> {
  const fax = await intake.receive();
  await intake.gateway.processAll();
  return intake.delivery(fax);
}

test('a connector signs in with an access token of Microsoft, and shows nothing of what it has', async () => {
  const [status, answer] = await put(await connect());
  expect([status, answer]).toMatchObject([
    200,
    { has_oauth: true, oauth_provider: 'microsoft', oauth_problem: null, has_password: false, version: 2 },
  ]);
  expect(JSON.stringify(answer)).not.toMatch(/refresh-1|client-secret|app-1/u);
  expect(await tried()).toMatchObject({ state: 'delivered' });
  expect(mail.inboxes).toEqual({ [ALICE]: 1 });
  expect(tokens.asked).toEqual([
    {
      path: '/example.org/oauth2/v2.0/token',
      grant_type: 'refresh_token',
      client_id: 'app-1',
      client_secret: 'client-secret',
      refresh_token: 'refresh-1',
      scope: 'https://outlook.office.com/SMTP.Send offline_access',
    },
  ]);
  expect(intake.gateway.logLines.join('')).not.toMatch(/refresh-1|client-secret|access-1/u);
});

test('Google is called at its own address, without a secret where there is none', async () => {
  const { provider: _provider, client_secret: _secret, tenant: _tenant, ...rest } = MICROSOFT;
  await put(await connect(), { ...rest, provider: 'google' });
  const { id } = await read();
  expect((await intake.request('POST', `/intake/connectors/${id}/test`))[1]).toMatchObject({ ok: true });
  expect(tokens.asked).toEqual([
    { path: '/token', grant_type: 'refresh_token', client_id: 'app-1', refresh_token: 'refresh-1' },
  ]);
});

test('a new refresh token takes the place of the one before', async () => {
  tokens.rotates = true;
  await put(await connect());
  expect(await tried()).toMatchObject({ state: 'delivered' });
  expect(await tried()).toMatchObject({ state: 'delivered' });
  expect(tokens.asked.map((asked) => asked['refresh_token'])).toEqual(['refresh-1', 'refresh-2']);
  // It is no change of the connector.
  expect((await read()).version).toBe(2);
});

test('rule (data-key): a refresh token that arrives while the former one is sealed with a new data key is kept', async () => {
  tokens.rotates = true;
  await put(await connect());
  const { id } = await read();
  tokens.meanwhile = async () => {
    tokens.meanwhile = null;
    expect((await replaceKey(intake.gateway)).status).toBe(202);
    await intake.gateway.processAll();
  };
  expect((await intake.request('POST', `/intake/connectors/${id}/test`))[1]).toMatchObject({ ok: true });
  await finishReplacement(intake.gateway);
  expect((await keyState(intake.gateway)).replacement).toBeNull();
  expect(await tried()).toMatchObject({ state: 'delivered' });
  expect(tokens.asked.map((asked) => asked['refresh_token'])).toEqual(['refresh-1', 'refresh-2']);
});

test('a sign-in that expired waits for a person, nothing is handed over, and a new one sends what waits once', async () => {
  await put(await connect());
  tokens.refreshToken = 'another';
  const item = await tried();
  const sentence =
    'Microsoft no longer accepts the sign-in: it expired or was revoked. Sign in again (AADSTS700082: The refresh token has expired).';
  expect(item).toMatchObject({ state: 'received', failures: 1, sentence });
  expect(await read()).toMatchObject({ oauth_problem: sentence });
  expect(await warned()).toContain(
    'The OAuth sign-in of an e-mail connector no longer works. Sign in again.',
  );
  await put(await read(), { ...MICROSOFT, refresh_token: 'another' });
  expect(await warned()).not.toContain('OAuth');
  await intake.pass(MINUTE);
  expect(await intake.delivery(item.fax_id)).toMatchObject({ state: 'delivered' });
  expect(mail.inboxes).toEqual({ [ALICE]: 1 });
});

test.for([
  [{ status: 503, body: 'busy' }, 'Microsoft did not issue an access token (503).', false],
  [{ status: 429, body: { error: 'slow_down' } }, 'Microsoft did not issue an access token (429).', false],
  [{ status: 200, body: { token_type: 'Bearer' } }, 'Microsoft did not issue an access token (200).', false],
  [
    { status: 401, body: { error: 'invalid_client', error_description: 'Expired.' } },
    'Microsoft does not accept the client ID or its secret, which may have expired (Expired).',
    true,
  ],
  [
    { status: 400, body: { error: 'invalid_scope' } },
    'Microsoft did not issue an access token (invalid_scope).',
    true,
  ],
] as const)('what the provider answers is said in a sentence: %j', async ([fault, sentence, needsPerson]) => {
  await put(await connect());
  tokens.fault = fault;
  const item = await tried();
  expect(item).toMatchObject({ state: 'received', sentence });
  expect((await read()).oauth_problem).toBe(needsPerson ? sentence : null);
  tokens.fault = null;
  await intake.pass(HOUR);
  expect(await intake.delivery(item.fax_id)).toMatchObject({ state: 'delivered' });
  expect((await read()).oauth_problem).toBeNull();
});

test('a token that the e-mail server does not take is a refused sign-in', async () => {
  await put(await connect());
  tokens.given.clear();
  const [, { items }] = await intake.request('GET', '/intake/connectors');
  const wrong = await intake.request('PUT', `/intake/connectors/${items[0].id}`, {
    ...intake.fields({ port: mail.port, username: 'other@example.org', version: 2 }),
  });
  expect(wrong[1].detail).toContain('Remove the OAuth sign-in before you change the server');
  const [, removed] = await intake.request('DELETE', `/intake/connectors/${items[0].id}/oauth`);
  expect(removed).toMatchObject({ has_oauth: false, oauth_provider: null, version: 3 });
  const other = { port: mail.port, username: 'other@example.org', version: 3 };
  await intake.request('PUT', `/intake/connectors/${items[0].id}`, intake.fields(other));
  await put(await read());
  expect(await tried()).toMatchObject({
    state: 'received',
    sentence: expect.stringContaining('The e-mail server refused the sign-in'),
  });
  expect(mail.mails).toEqual([]);
});

test('what cannot be used is refused, and a connector that changed meanwhile stays as it is', async () => {
  const connector = await intake.connect({ port: mail.port });
  expect((await put(connector))[1].detail).toContain('Enter the sign-in name first');
  expect((await put({ ...connector, version: 7 }))[0]).toBe(409);
  for (const wrong of [{ provider: 'yahoo' }, { refresh_token: '' }, { tenant: 'a/b' }, { client_id: 'a b' }])
    expect((await put(connector, { ...MICROSOFT, ...wrong }))[0]).toBe(400);
  expect((await intake.request('DELETE', '/intake/connectors/nothing/oauth'))[0]).toBe(404);
});
