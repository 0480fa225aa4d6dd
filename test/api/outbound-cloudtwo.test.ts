import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CloudtwoEmulator, startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { ManualClock, MINUTE } from '../setup/manual-clock.ts';

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
  test('makes the gateway ask, and the answer of the provider ends the fax', async () => {
    const fax = await going();
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    emulator.complete(fax.sid, { errorType: 'LINE_ERROR', errorCode: 17 });
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({ status: 200, answer: { ok: true, applied: true } });
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'failed' });
    const asked = emulator.counts.requests;
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    expect(emulator.counts.requests).toBe(asked);
  });

  test.each(['application/json', 'multipart/form-data'] as const)(
    'as %s is believed in nothing',
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

  test('changes nothing while the provider cannot be asked', async () => {
    const fax = await going();
    emulator.complete(fax.sid);
    emulator.setFault({ kind: 'server-error' });
    expect(await hint(fax.id, fax.attempt?.id)).toEqual({
      status: 200,
      answer: { ok: true, applied: false },
    });
    expect(await gateway.fax(fax.id)).toMatchObject({ delivery_state: 'in_progress' });
  });

  test('about an unknown fax or attempt asks nobody', async () => {
    const fax = await going();
    const asked = emulator.counts.requests;
    expect((await hint(fax.id, 'unknown')).status).toBe(401);
    expect((await hint('unknown', fax.attempt?.id)).status).toBe(401);
    expect((await hint('', '')).status).toBe(401);
    expect(emulator.counts.requests).toBe(asked);
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
