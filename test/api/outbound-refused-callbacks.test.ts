import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import type { WebhookOptions } from '../setup/emulators/cloudone/index.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';

const PUBLIC = 'https://fax.example.com';
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_API_URL: PUBLIC, INBOUND_ENABLED: 'false' } });
});
afterEach(() => gateway.close());

interface Shown {
  readonly report_problems: readonly object[];
  readonly warnings: readonly string[];
}

/** Returns what *System* shows, and the warnings. */
async function shown(): Promise<Shown> {
  const status = (await (await gateway.request('GET', '/console/status')).json()) as Shown;
  const ready = await (await gateway.request('GET', '/health/ready', { key: null })).json();
  expect((ready as Shown).warnings).toEqual(status.warnings);
  return status;
}

async function going(): Promise<Fax> {
  const { id } = await gateway.send();
  await gateway.processAll();
  return gateway.fax(id);
}

/** The provider calls back, as through a proxy; the status of the answer. */
async function callBack({ id, attempt, provider_sid }: Fax, options: WebhookOptions = {}) {
  const path = `/cloudone-callback?job_id=${id}&attempt_id=${attempt?.id}`;
  const asked = { url: `${gateway.url}${path}`, signedUrl: `${PUBLIC}${path}`, ...options };
  const { attempts } = await gateway.emulator.sendCallback(String(provider_sid), asked);
  return attempts[0]?.status;
}

test('callbacks that are refused are counted by kind and shown, also over a restart', async () => {
  const fax = await going();
  gateway.emulator.complete(String(fax.provider_sid));
  for (const tamper of ['signature', 'field', 'uppercase'] as const)
    expect(await callBack(fax, { tamper })).toBe(401);
  expect(await callBack(fax, { signed: false })).toBe(401);
  expect(await callBack({ ...fax, id: 'another' })).toBe(401);
  const bare = await gateway.request('POST', '/cloudone-callback', { key: null, form: new FormData() });
  expect(bare.status).toBe(401);
  const hint = await gateway.request('POST', '/cloudtwo-callback?job_id=a&attempt_id=b', { key: null });
  expect(hint.status).toBe(401);
  const counted = (backend: string, problem: string, count: number) => ({
    backend,
    problem,
    count,
    last_at: '2026-11-21T09:00:00.000Z',
  });
  const refused = [
    counted('cloudone', 'callback_wrong_signature', 3),
    counted('cloudone', 'callback_no_signature', 1),
    counted('cloudone', 'callback_no_fax', 2),
    counted('cloudtwo', 'callback_no_fax', 1),
  ];
  expect((await shown()).report_problems).toEqual(refused);
  expect((await shown()).warnings).toContain(
    'Callbacks about sent faxes refused because their signature was wrong: 3 in all, the last just now.',
  );
  const metrics = await (await gateway.request('GET', '/metrics')).text();
  expect(metrics).toContain('faxdesk_report_problems{kind="callback_wrong_signature"} 3');

  gateway = await gateway.restart();
  gateway.clock.advance(MINUTE);
  expect(await callBack(fax, { tamper: 'signature' })).toBe(401);
  const after = await shown();
  expect(after.report_problems).toHaveLength(refused.length);
  expect(after.report_problems).toContainEqual({
    ...counted('cloudone', 'callback_wrong_signature', 4),
    last_at: '2026-11-21T09:01:00.000Z',
  });
  gateway.clock.advance(2 * DAY);
  expect((await shown()).warnings.filter((sentence) => sentence.startsWith('Callbacks'))).toEqual([]);
  expect(await callBack(fax)).toBe(200);
});

test('one that nothing could verify when the fax was sent is counted as that', async () => {
  await gateway.set({ CLOUDONE_VERIFY_SIGNATURE: false });
  const fax = await going();
  expect(await callBack(fax)).toBe(401);
  expect((await shown()).report_problems).toMatchObject([{ problem: 'callback_no_token', count: 1 }]);
});

test('what was counted is stored every quarter of an hour, whether faxes are received or not', async () => {
  const fax = await going();
  expect(await callBack(fax, { signed: false })).toBe(401);
  gateway.clock.advance(15 * MINUTE);
  await gateway.processAll();
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') });
  const stored = await db.read.selectFrom('routing_report').select(['problem', 'count']).execute();
  await db.close();
  expect(stored).toEqual([{ problem: 'callback_no_signature', count: 1 }]);
});
