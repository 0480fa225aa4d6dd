import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { referee } from '../fixtures/referees.ts';
import type { Fax } from '../setup/gateway.ts';
import { DAY, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { createKey, read, sendWith } from '../setup/test-keys.ts';
import { needTools } from '../setup/tools.ts';
import type { Inbound } from './inbound-setup.ts';
import { NUMBERS, READER, WorkGateway } from './work-setup.ts';

let office: WorkGateway;
let key: string;
const gateway = () => office.inbound.gateway;

/** Sends a test fax and lets its outcome come. */
async function sendTest(to: string): Promise<Fax> {
  const { id } = await sendWith(gateway(), key, { to });
  await gateway().processAll();
  gateway().clock.advance(10 * SECOND);
  await gateway().processAll();
  return read<Fax>(gateway(), `/fax/${id}`, key);
}

async function receiveTest(): Promise<Inbound> {
  const json = { to_number: NUMBERS.ward };
  const response = await gateway().request('POST', '/inbound/test-fax', { key, json });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Inbound;
}

beforeAll(async () => {
  office = await WorkGateway.start({ settings: { FAX_AUTOMATIC_TRIES: '0' } });
  key = await createKey(gateway(), { test: true });
});
afterAll(() => gateway().close());

test('rule (crossings): test faxes are in no figure of the daily summary and of the statistics of work', async () => {
  const figures = async () => {
    const { figures: those } = await read<{ figures: object }>(gateway(), '/summary');
    const span = `since=${new Date(now() - 2 * DAY).toISOString()}&until=${new Date(now() + DAY).toISOString()}`;
    return [those, await read<object>(gateway(), `/work/statistics?${span}`)];
  };
  const now = () => gateway().clock.now();
  await gateway().set({ TIME_ZONE: 'UTC' });
  gateway().clock.advance(DAY - (now() % DAY) + 8 * 60 * MINUTE);
  const before = now();
  expect((await sendTest('+12025550101')).delivery_state).toBe('failed');
  expect((await sendTest('+12025550106')).delivery_state).toBe('reconciliation_required');
  expect((await sendTest('+12025550100')).delivery_state).toBe('success');
  await receiveTest();
  gateway().clock.advance(DAY);
  await gateway().processAll();
  const [summary, statistics] = await figures();
  expect(before).toBeLessThan(now());
  expect(summary).toMatchObject({
    received: 0,
    incomplete: 0,
    late: 0,
    junk: 0,
    failed: 0,
    to_confirm_now: 0,
  });
  expect(summary).toMatchObject({ costs: { known: 0, unknown: 0 } });
  expect(statistics).toMatchObject({ all: { received: 0, open_now: 0, overdue_now: 0 } });
});

test('rule (crossings): presence at a test fax is for the people who have it open, and never for a test key', async () => {
  const [ada, ben] = [
    await office.people.addUser('Ada', { 'mailbox:ward': READER }),
    await office.people.addUser('Ben', { 'mailbox:ward': READER }),
  ];
  const { id } = await receiveTest();
  const json = { window: 'window-one', fax_id: id };
  expect((await office.request('PUT', '/presence', ada, json)).status).toBe(200);
  const toBen = (await (await office.request('GET', '/presence', ben)).json()) as { faxes: { id: string }[] };
  expect(toBen.faxes.map((fax) => fax.id)).toEqual([id]);
  // A test key, also one of a person: nobody is shown to it, and it is shown to nobody.
  const principal = await read<{ principal: { id: string; version: number } }>(
    gateway(),
    '/auth/me',
    ben.key,
  );
  const { policy_version } = await read<{ policy_version: number }>(gateway(), '/auth/me');
  const made = await gateway().request('POST', '/access/keys', {
    json: {
      principal: { id: principal.principal.id, version: principal.principal.version },
      name: 'Trial',
      test: true,
      ceiling: READER.slice(1).map((permission) => ({ permission, resource_id: 'mailbox:ward' })),
      expected_policy_version: policy_version,
    },
  });
  expect(made.status).toBe(200);
  const { token } = (await made.json()) as { token: string };
  for (const by of [key, token]) {
    expect((await gateway().request('PUT', '/presence', { key: by, json })).status).toBe(403);
    expect(await read(gateway(), '/presence', by)).toEqual({ faxes: [] });
  }
});

test('rule (crossings): the transmission report of a test fax says that nothing was sent, and names no provider', async (context) => {
  needTools(context, 'pdftotext');
  for (const [to, result] of [
    ['+12025550100', 'Recorded as delivered; nothing was sent'],
    ['+12025550101', 'Recorded as not delivered'],
    ['+12025550106', 'Unknown: needs confirmation by a person'],
  ] as const) {
    const { id } = await sendTest(to);
    const report = await gateway().request('GET', `/fax/${id}/report`, { key });
    const path = join(gateway().dataFolder, 'report.pdf');
    await writeFile(path, Buffer.from(await report.arrayBuffer()));
    const printed = referee('pdftotext', [path, '-']).toString().replaceAll(/\s+/gu, ' ');
    expect(printed).toContain('Test fax: nothing was sent');
    expect(printed).toContain('yes: a test key sent it, and it was handed to nobody');
    expect([to, printed]).toEqual([to, expect.stringContaining(result)]);
    expect(printed).not.toMatch(/Phaxio|Sent to|Fax transmission report/u);
  }
});
