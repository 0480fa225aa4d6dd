import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CloudtwoEmulator, startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { reportFacts } from '../setup/report-facts.ts';

const keys = { projectId: 'project-1', apiKey: 'access-key', apiSecret: 'access-secret' };
const PUBLIC = 'https://fax.example.com';
let gateway: TestGateway;
let emulator: CloudtwoEmulator;
beforeAll(async () => {
  const clock = new ManualClock();
  emulator = await startCloudtwoEmulator({ ...keys, clock });
  gateway = await startTestGateway({
    clock,
    settings: {
      FAX_BACKEND: 'cloudtwo',
      CLOUDTWO_PROJECT_ID: keys.projectId,
      CLOUDTWO_API_KEY: keys.apiKey,
      CLOUDTWO_API_SECRET: keys.apiSecret,
      CLOUDTWO_API_URL: emulator.url,
      PUBLIC_API_URL: PUBLIC,
    },
  });
});
afterEach(() => emulator.clearFaults());
afterAll(async () => {
  await gateway.close();
  await emulator.close();
});

async function going(): Promise<Fax & { sid: string }> {
  const { id } = await gateway.send();
  await gateway.processAll();
  const fax = await gateway.fax(id);
  expect(fax).toMatchObject({ delivery_state: 'in_progress', backend: 'cloudtwo' });
  return { ...fax, sid: String(fax.provider_sid) };
}

async function hint(jobId: string, attemptId: string | undefined) {
  const path = `/cloudtwo-callback?job_id=${jobId}&attempt_id=${attemptId}`;
  const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', body: '{}' });
  return { status: answer.status, answer: await answer.json() };
}

test('a fax goes out once through cloudtwo and polling ends it', async () => {
  const fax = await going();
  const sent = emulator.faxes.get(fax.sid);
  expect(sent).toMatchObject({ to: '+12025550123', maxRetries: 0 });
  expect(sent?.contentUrls[0]).toMatch(/^https:\/\/fax\.example\.com\/fax\/.+\/pdf\?token=/u);
  expect(sent?.callbackUrl).toBe(
    `${PUBLIC}/cloudtwo-callback?job_id=${fax.id}&attempt_id=${fax.attempt?.id}`,
  );
  emulator.complete(fax.sid, { pages: 1 });
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success', pages: 1 });
  expect(await reportFacts(gateway, fax.id)).toMatchObject({
    attempts: [{ number: 1, by: 'Sinch', reference: fax.sid, phase: 'success', pages_confirmed: 1 }],
    confirmations: [{ kind: 'provider', by: 'Sinch', text: 'Reported the fax as delivered, 1 page.' }],
  });
});

test('a lost answer becomes a question, and the fax is not sent again', async () => {
  const before = emulator.counts.accepted;
  emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST', path: /^\/faxes/u });
  const { id } = await gateway.send();
  for (let round = 0; round < 3; round += 1) {
    await gateway.processAll();
    gateway.clock.advance(MINUTE);
  }
  expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'reconciliation_required' });
  expect(emulator.counts.accepted).toBe(before + 1);
});

describe('an unsigned callback', () => {
  test('makes the gateway query the provider, whose answer ends the fax', async () => {
    const fax = await going();
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    emulator.complete(fax.sid, { errorType: 'LINE_ERROR', errorCode: 17 });
    gateway.clock.advance(MINUTE);
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({ status: 200, answer: { ok: true, applied: true } });
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'failed' });
    expect((await reportFacts(gateway, fax.id)).confirmations).toMatchObject([
      { kind: 'provider', by: 'Sinch', text: 'Reported the fax as not delivered. The line was busy.' },
    ]);
    const asked = emulator.counts.requests;
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    expect(emulator.counts.requests).toBe(asked);
  });

  test.each(['application/json', 'multipart/form-data'] as const)(
    'as %s changes nothing',
    async (contentType) => {
      const fax = await going();
      const url = `${gateway.url}/cloudtwo-callback?job_id=${fax.id}&attempt_id=${fax.attempt?.id}`;
      const forged = {
        status: 'COMPLETED',
        numberOfPages: 9,
        price: { currencyCode: 'USD', amount: '9.99' },
      };
      const options = { url, contentType, fax: forged, file: Buffer.alloc(300_000, 'x') };
      const delivery = await emulator.sendCallback(fax.sid, options);
      expect(delivery.attempts[0]).toMatchObject({
        status: 200,
        body: expect.stringContaining('false') as string,
      });
      expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress', pages: null });
    },
  );

  test('about an earlier attempt makes the gateway query it, and a delivery after all is a warning', async () => {
    const account = {
      CLOUDTWO_PROJECT_ID: keys.projectId,
      CLOUDTWO_API_KEY: keys.apiKey,
      CLOUDTWO_API_SECRET: keys.apiSecret,
      CLOUDTWO_API_URL: emulator.url,
    };
    for (const [at, name] of ['One', 'Two'].entries()) {
      const route = { name, backend: 'cloudtwo', prefixes: ['+1415'], priority: at + 1, account };
      const made = await gateway.request('POST', '/routing/routes', {
        json: { ...route, next_allowed: true },
      });
      expect(made.status, await made.text()).toBe(201);
    }
    const { id } = await gateway.send({ to: '+14155550123' });
    await gateway.processAll();
    const first = await gateway.fax(id);
    const earlier = first.attempt?.id;
    emulator.complete(String(first.provider_sid), { errorType: 'LINE_ERROR', errorCode: 17 });
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    const second = await gateway.fax(id);
    expect(second).toMatchObject({ delivery_state: 'in_progress', attempt: { number: 2 } });
    expect((await hint(id, earlier)).status).toBe(409);
    expect((await gateway.fax(id)).arrival_warning).toBe(null);
    emulator.complete(String(first.provider_sid), { pages: 1 });
    gateway.clock.advance(MINUTE);
    expect(await hint(id, earlier)).toEqual({ status: 200, answer: { ok: true, applied: true } });
    const sentence = `Route “One” reported an earlier attempt as delivered later (ID ${first.provider_sid}).`;
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'in_progress',
      provider_sid: second.provider_sid,
      arrival_warning: `${sentence} The fax may arrive twice.`,
    });
    emulator.complete(String(second.provider_sid), { pages: 1 });
    await gateway.processAll();
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'success',
      arrival_warning: `${sentence} The fax may have arrived twice.`,
    });
  });

  test('changes nothing while the provider does not answer', async () => {
    const fax = await going();
    emulator.complete(fax.sid);
    emulator.setFault({ kind: 'server-error' });
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress' });
  });

  test('makes it query once a minute, however many arrive', async () => {
    const fax = await going();
    const asked = emulator.counts.requests;
    for (let i = 0; i < 20; i += 1) expect((await hint(fax.id, fax.attempt?.id)).status).toBe(200);
    expect(emulator.counts.requests).toBe(asked + 1);
    gateway.clock.advance(MINUTE);
    await hint(fax.id, fax.attempt?.id);
    expect(emulator.counts.requests).toBe(asked + 2);
  });

  test('about an unknown fax or attempt causes no query', async () => {
    const fax = await going();
    const asked = emulator.counts.requests;
    expect((await hint(fax.id, 'unknown')).status).toBe(401);
    expect((await hint('unknown', fax.attempt?.id)).status).toBe(401);
    expect((await hint('', '')).status).toBe(401);
    expect(emulator.counts.requests).toBe(asked);
  });
});

describe('an unsigned callback about a fax whose answer was lost', () => {
  beforeEach(() => gateway.clock.advance(HOUR));

  /** Loses a fax: the provider accepted it as its newest fax, and the gateway received no answer. */
  async function lost(fields: Record<string, string> = {}): Promise<Fax & { sid: string }> {
    emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST', path: /^\/faxes/u });
    const { id } = await gateway.send(fields);
    await gateway.processAll();
    emulator.clearFaults();
    const fax = await gateway.fax(id);
    expect(fax).toMatchObject({ delivery_state: 'reconciliation_required', provider_sid: null });
    return { ...fax, sid: [...emulator.faxes.keys()].at(-1) ?? '' };
  }

  const hintOf = async (fax: Fax) => (await hint(fax.id, fax.attempt?.id)).answer;

  test('has it looked for, and the one that fits settles it', async () => {
    const delivered = await lost();
    emulator.complete(delivered.sid, { pages: 1 });
    const failed = await lost();
    emulator.complete(failed.sid, { pages: 1, pagesSent: 0, errorCode: 17 });
    expect(await hintOf(delivered)).toEqual({ ok: true, applied: true });
    expect(await hintOf(failed)).toEqual({ ok: true, applied: true });
    expect(await gateway.fax(delivered.id)).toMatchObject({
      delivery_state: 'success',
      provider_sid: delivered.sid,
      reconciliation_reason: null,
    });
    expect(await gateway.fax(failed.id)).toMatchObject({
      delivery_state: 'failed',
      provider_sid: failed.sid,
    });
  });

  test('leaves a question what does not fit: other pages, another number, another time, another address', async () => {
    const fax = await lost();
    const taken = emulator.faxes.get(fax.sid);
    if (!taken) throw new Error('the provider does not have it');
    emulator.complete(fax.sid, { pages: 1 });
    const others = [
      { pages: 2 },
      { to: '+12025550124' },
      { createdAt: taken.createdAt - HOUR },
      { callbackUrl: `${PUBLIC}/cloudtwo-callback?job_id=another&attempt_id=another` },
    ];
    const faxes = emulator.state.faxes;
    for (const other of others) {
      faxes.set(fax.sid, { ...taken, ...other });
      expect(await hintOf(fax)).toEqual({ ok: true, applied: false });
      gateway.clock.advance(MINUTE);
    }
    faxes.set(fax.sid, { ...taken, callbackUrl: null });
    faxes.set('twin', { ...taken, id: 'twin', callbackUrl: null });
    expect(await hintOf(fax)).toEqual({ ok: true, applied: false });
    expect(await gateway.fax(fax.id)).toMatchObject({
      delivery_state: 'reconciliation_required',
      provider_sid: null,
    });
    faxes.delete('twin');
    gateway.clock.advance(MINUTE);
    expect(await hintOf(fax)).toEqual({ ok: true, applied: true });
  });

  test('settles neither of two that cannot be distinguished', async () => {
    const [one, two] = [await lost(), await lost()];
    for (const fax of [one, two]) emulator.complete(fax.sid, { pages: 1 });
    const kept = emulator.faxes.get(one.sid);
    emulator.state.faxes.delete(two.sid);
    if (kept) emulator.state.faxes.set(one.sid, { ...kept, callbackUrl: null });
    for (const fax of [one, two]) expect(await hintOf(fax)).toEqual({ ok: true, applied: false });
  });

  test('follows one that still goes on, and its busy number is not tried again by itself', async () => {
    await gateway.set({ FAX_AUTOMATIC_TRIES: 3 });
    const fax = await lost();
    Object.assign(emulator.faxes.get(fax.sid) ?? {}, { pages: 1 });
    expect(await hintOf(fax)).toEqual({ ok: true, applied: false });
    expect((await gateway.fax(fax.id)).delivery_state).toBe('in_progress');
    emulator.complete(fax.sid, { pagesSent: 0, errorType: 'LINE_ERROR', errorCode: 17 });
    gateway.clock.advance(MINUTE);
    expect(await hintOf(fax)).toEqual({ ok: true, applied: true });
    await gateway.processAll();
    const { delivery_state, tried_again_as, attempt } = await gateway.fax(fax.id);
    expect([delivery_state, tried_again_as, attempt?.unreached]).toEqual(['failed', null, 'busy']);
    await gateway.set({ FAX_AUTOMATIC_TRIES: 0 });
  });

  test('that comes too soon has it looked for later', async () => {
    const fax = await lost();
    await hintOf(fax);
    emulator.complete(fax.sid, { pages: 1 });
    const asked = emulator.counts.requests;
    expect(await hintOf(fax)).toEqual({ ok: true, applied: false });
    expect(emulator.counts.requests).toBe(asked);
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success' });
  });
});

test('the connection is checked with the values given', async () => {
  const check = async (settings: Record<string, string>) => {
    const json = { provider: 'cloudtwo', settings };
    return await (await gateway.request('POST', '/admin/settings/validate', { json })).json();
  };
  expect(await check({})).toMatchObject({ ok: true });
  expect(await check({ CLOUDTWO_AUTH_METHOD: 'basic' })).toMatchObject({ ok: true });
  expect(await check({ CLOUDTWO_PROJECT_ID: 'another' })).toMatchObject({ ok: false });
});
