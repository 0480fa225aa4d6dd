import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { settleRestoredWebhooks } from '../../server/features/webhooks/offline.ts';
import {
  overdueEvents,
  receivedFaxEvents,
  sentFaxEvents,
} from '../../server/features/webhooks/record-event.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { WebhookGateway } from './webhooks-setup.ts';

let office: WebhookGateway;
beforeAll(async () => {
  office = await WebhookGateway.start();
});
afterEach(() => office.clear());
afterAll(() => office.close());

const iso = (ms: number) => new Date(ms).toISOString();
const warnings = async () => {
  const answer = await office.gateway.request('GET', '/health/ready', { key: null });
  return ((await answer.json()) as { warnings: string[] }).warnings.filter((one) => one.includes('webhook'));
};

test('rule (crossings): webhook deliveries are counted in `/metrics`, and a failing webhook is a warning after a day', async () => {
  await office.connect();
  office.receiver.refuse();
  await office.fax();
  await office.gateway.processAll();
  const metrics = await (await office.gateway.request('GET', '/metrics')).text();
  expect(metrics).toContain('faxdesk_webhook_deliveries{state="waiting"} 1');
  expect(await warnings()).toEqual([]);
  await office.pass(DAY);
  expect(await warnings()).toEqual(['1 webhook has accepted nothing for more than a day.']);
});

test('rule (crossings): a webhook that accepts nothing for three days is paused, with a record in the security audit and a warning', async () => {
  const { id } = await office.connect();
  office.receiver.refuse();
  for (let day = 0; day < 3; day += 1) {
    await office.fax();
    await office.gateway.processAll();
    for (let hour = 0; hour < 24; hour += 6) await office.pass(6 * HOUR);
  }
  await office.fax();
  await office.gateway.processAll();
  const paused = await office.endpoint(id);
  expect(paused).toMatchObject({ state: 'paused', paused_reason: 'It accepted nothing for 3 days.' });
  expect(await warnings()).toEqual([
    '1 webhook is paused because of failures. Turn it on again once the server accepts events.',
  ]);
  const [, { items }] = await office.request('GET', `/access/audit?target_id=${id}&operation=webhook.pause`);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ actor: { id: null, name: 'Gateway' }, outcome: 'done' });
  // Nothing is recorded for it, and nothing is sent, until a person turns it on again.
  const before = office.receiver.messages.length;
  await office.fax();
  await office.pass(HOUR);
  expect(office.receiver.messages).toHaveLength(before);
  expect(await office.deliveries('?state=waiting')).toEqual([]);
  office.receiver.accept();
  const { url, events, version } = paused;
  const body = { url, events, enabled: true, version };
  expect((await office.request('PUT', `/webhooks/endpoints/${id}`, body))[1]).toMatchObject({ state: 'on' });
  await office.fax();
  await office.gateway.processAll();
  expect(office.receiver.messages).toHaveLength(before + 1);
  expect(await warnings()).toEqual([]);
});

test('a server that answers 410 is not asked again', async () => {
  const { id } = await office.connect();
  office.receiver.refuse(410);
  await office.fax();
  await office.pass(HOUR);
  expect(office.receiver.messages).toHaveLength(1);
  expect(await office.endpoint(id)).toMatchObject({ state: 'paused' });
});

test('rule (crossings): changes of webhooks are in the security audit, without their secrets', async () => {
  const { id, secret, version, url, events } = await office.connect();
  const [, replaced] = await office.request('POST', `/webhooks/endpoints/${id}/secret`, { version });
  const body = { url, events, enabled: false, version: version + 1 };
  await office.request('PUT', `/webhooks/endpoints/${id}`, body);
  await office.request('POST', `/webhooks/endpoints/${id}/remove`, { version: version + 2 });
  const [, { items }] = await office.request('GET', `/access/audit?target_id=${id}`);
  expect(items.map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
    'webhook.change',
    'webhook.create',
    'webhook.remove',
    'webhook.replace_secret',
  ]);
  for (const shown of [secret, replaced.secret]) expect(JSON.stringify(items)).not.toContain(shown);
});

test('rule (crossings): the secrets of webhooks are sealed in the store and never in the log', async () => {
  const { secret } = await office.connect();
  await office.fax();
  await office.gateway.processAll();
  const { dataFolder, logLines } = office.gateway;
  for (const name of (await readdir(dataFolder)).filter((each) => each.startsWith('faxdesk.sqlite')))
    expect((await readFile(join(dataFolder, name), 'latin1')).includes(secret)).toBe(false);
  expect(logLines.filter((line) => line.includes(secret))).toEqual([]);
});

test('rule (crossings): webhook deliveries are removed after seven days, with their attempts and events', async () => {
  await office.connect();
  await office.fax();
  await office.gateway.processAll();
  await office.pass(6 * DAY);
  expect(await office.deliveries()).toHaveLength(1);
  await office.pass(DAY + HOUR);
  expect(await office.deliveries()).toEqual([]);
  await office.pass(8 * DAY);
  const db = openDatabase({
    postgresUrl: null,
    sqliteFile: join(office.gateway.dataFolder, 'faxdesk.sqlite'),
  });
  try {
    for (const table of ['webhook_attempt', 'webhook_delivery', 'webhook_event'] as const)
      expect([table, await db.read.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
  } finally {
    await db.close();
  }
});

test('rule (crossings): after a restore no webhook event of the backup is sent by itself, and each can be sent again', async () => {
  await office.connect();
  office.receiver.refuse();
  await office.fax();
  await office.gateway.processAll();
  const { clock, dataFolder } = office.gateway;
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  await db.transaction((tx) => settleRestoredWebhooks(tx, iso(clock.now()), 'backup'));
  await db.close();
  office.receiver.clear();
  await office.pass(HOUR);
  expect(office.receiver.messages).toEqual([]);
  const skipped = await office.only();
  expect(skipped).toMatchObject({
    state: 'skipped',
    sentence: 'Restored from a backup: it may have been sent after the backup was made.',
  });
  await office.request('POST', `/webhooks/deliveries/${skipped.id}/send-again`);
  await office.gateway.processAll();
  expect(office.receiver.ids).toEqual([skipped.webhook_id]);
});

test('rule (webhooks): while webhooks are off, nothing is queried, recorded or sent', async () => {
  const never = new Proxy({}, { get: (_target, name) => expect.unreachable(`${String(name)} was used`) });
  const settings = { enabled: () => false, allowsPrivate: () => false };
  const parts = { db: never, queue: never, clock: never, settings } as never;
  const fax = {
    id: '1',
    state: 'success',
    version: 2,
    isTest: false,
    broadcastId: null,
    error: null,
  } as const;
  await sentFaxEvents(parts).changed(never as never, fax);
  await receivedFaxEvents(parts).onFiled(
    never as never,
    { id: '1', isJunk: false, backend: 'cloudone' } as never,
  );
  await overdueEvents(parts).passed(never as never, { id: '1', faxId: '2' });
  const { id } = await office.connect();
  await office.gateway.set({ WEBHOOKS_ENABLED: false });
  await office.fax();
  await office.gateway.processAll();
  expect((await office.request('POST', `/webhooks/endpoints/${id}/test`))[0]).toBe(409);
  await office.gateway.set({ WEBHOOKS_ENABLED: true });
  await office.pass(HOUR);
  expect([office.receiver.messages, await office.deliveries()]).toEqual([[], []]);
});

test('rule (webhooks): whoever creates or redirects a webhook holds the permissions by which its integration sees faxes', async () => {
  const { administrator } = office;
  const assistant = await administrator.integration('Assistant');
  const role = await administrator.role('Webhooks alone', ['webhooks:manage']);
  await administrator.assign(assistant, role);
  const { token } = await administrator.key(assistant, ['webhooks:manage']);
  const fields = {
    integration_id: office.integration.id,
    url: office.receiver.url,
    events: ['fax.delivered'],
  };
  const made = await office.gateway.request('POST', '/webhooks/endpoints', { key: token, json: fields });
  expect([made.status, made.headers.get('X-Error-Code')]).toEqual([403, 'grant_exceeds_giver']);
  const { id, url, events, version } = await office.connect();
  const change = (given: object) =>
    office.request(
      'PUT',
      `/webhooks/endpoints/${id}`,
      { url, events, enabled: true, version, ...given },
      token,
    );
  expect((await change({ url: `${url}/elsewhere` }))[0]).toBe(403);
  expect((await office.request('POST', `/webhooks/endpoints/${id}/secret`, { version }, token))[0]).toBe(403);
  // Turning it off shows nobody anything.
  expect((await change({ enabled: false }))[0]).toBe(200);
});

test('an endpoint belongs to an integration, has an address that may be used, and there are twenty at most', async () => {
  const { administrator, integration } = office;
  const person = await administrator.person('ines', 'Ines');
  const create = (given: object) =>
    office.request('POST', '/webhooks/endpoints', {
      integration_id: integration.id,
      url: office.receiver.url,
      events: ['fax.failed'],
      ...given,
    });
  expect(await create({ integration_id: person.id })).toEqual([
    400,
    { detail: 'Webhooks belong to integrations, not to people.' },
  ]);
  expect((await create({ integration_id: 'nobody' }))[0]).toBe(404);
  expect((await create({ events: [] }))[0]).toBe(400);
  await office.gateway.set({ WEBHOOKS_ALLOW_PRIVATE: false });
  expect((await create({}))[0]).toBe(400);
  expect((await create({ url: 'https://10.0.0.5/' }))[0]).toBe(400);
  await office.gateway.set({ WEBHOOKS_ALLOW_PRIVATE: true });
  for (let count = 0; count < 20; count += 1) expect((await create({}))[0]).toBe(201);
  expect(await create({})).toEqual([400, { detail: 'There can be 20 webhooks. Remove one first.' }]);
});
