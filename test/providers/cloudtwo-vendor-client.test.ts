import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaxCallbackWebhooks, FaxService } from '@sinch/fax';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CloudtwoEmulator, startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { testPdf } from './cloudone-setup.ts';
import { projectKeys } from './cloudtwo-setup.ts';

let emulator: CloudtwoEmulator;
let folder: string;
let file: string;

beforeEach(async () => {
  emulator = await startCloudtwoEmulator(projectKeys);
  folder = await mkdtemp(join(tmpdir(), 'cloudtwo-client-'));
  file = join(folder, 'fax.pdf');
  await writeFile(file, testPdf);
});

afterEach(async () => {
  await emulator.close();
  await rm(folder, { recursive: true, force: true });
});

function clientOf(changes: Partial<typeof projectKeys> = {}): FaxService {
  const { projectId, apiKey, apiSecret } = { ...projectKeys, ...changes };
  const hosts = { faxHostname: emulator.url, authHostname: emulator.url };
  return new FaxService({ projectId, keyId: apiKey, keySecret: apiSecret, logger: null, ...hosts });
}

const tokenRequests = () => emulator.calls.filter((call) => call.path === '/oauth2/token').length;

async function sent(client: FaxService, to = '+12025550123'): Promise<string> {
  const [fax] = await client.faxes.send({ sendFaxRequestBody: { to, filePaths: file } });
  return fax?.id ?? '';
}

test("the vendor's own client sends as a form, reads and downloads with one token", async () => {
  const client = clientOf();
  const id = await sent(client);
  expect(emulator.faxes.get(id)).toMatchObject({ document: testPdf, headerText: '-', maxRetries: 3 });
  emulator.complete(id, { pages: 2 });
  const fax = await client.faxes.get({ id });
  expect(fax).toMatchObject({
    id,
    direction: 'OUTBOUND',
    to: '+12025550123',
    status: 'COMPLETED',
    numberOfPages: 2,
    price: { currencyCode: 'USD', amount: '0.14' },
    hasFile: true,
    projectId: projectKeys.projectId,
  });
  expect(fax.completedTime).toBeInstanceOf(Date);
  const { buffer, fileName } = await client.faxes.downloadContent({ id });
  expect(buffer).toEqual(testPdf);
  expect(fileName).toBe(`fax-${id}.pdf`);
  await client.faxes.deleteContent({ id });
  await expect(client.faxes.downloadContent({ id })).rejects.toThrow();
  expect(tokenRequests()).toBe(1);
});

test('it sends as JSON, with labels and to several numbers', async () => {
  const files = [{ file: testPdf.toString('base64'), fileType: 'PDF' as const }];
  const to = ['+12025550121', '+12025550122'];
  const faxes = await clientOf().faxes.send({ sendFaxRequestBody: { to, files, labels: { job: 'j1' } } });
  expect(faxes.map((fax) => fax.to)).toEqual(to);
  expect([...emulator.faxes.values()]).toMatchObject([
    { document: testPdf, labels: { job: 'j1' } },
    { document: testPdf, labels: { job: 'j1' } },
  ]);
  const one = await clientOf().faxes.send({ sendFaxRequestBody: { to: ['+12025550123'], files } });
  expect(one).toHaveLength(1);
});

test('it lists newest first, by pages and filters', async () => {
  const client = clientOf();
  const ids: string[] = [];
  for (const to of ['+12025550121', '+12025550122', '+13125550123']) ids.unshift(await sent(client, to));
  emulator.complete(ids[0] ?? '');
  const listed = async (options: Parameters<FaxService['faxes']['list']>[0]) => {
    const found: Array<string | undefined> = [];
    for await (const fax of client.faxes.list(options)) found.push(fax.id);
    return found;
  };
  expect(await listed({})).toEqual(ids);
  expect(await listed({ pageSize: 2 })).toEqual(ids);
  expect((await client.faxes.list({ pageSize: 2, page: '2' })).data.map((fax) => fax.id)).toEqual([ids[2]]);
  expect(await listed({ status: 'COMPLETED' })).toEqual([ids[0]]);
  expect(await listed({ direction: 'INBOUND' })).toEqual([]);
  expect(await listed({ to: '+1202' })).toEqual([ids[1], ids[2]]);
  expect(await listed({ createTime: '2020-01-01' })).toEqual([]);
  const now = Date.now();
  const range = { from: new Date(now - 60_000), to: new Date(now + 60_000) };
  expect(await listed({ createTimeRange: range })).toEqual(ids);
  expect(await listed({ createTimeRange: { from: range.to } })).toEqual([]);
});

test('an expired token is renewed once', async () => {
  const client = clientOf();
  const id = await sent(client);
  emulator.tokens.expireAll();
  expect((await client.faxes.get({ id })).id).toBe(id);
  expect(tokenRequests()).toBe(2);
});

test('wrong credentials and unknown faxes are refused', async () => {
  await expect(sent(clientOf({ apiSecret: 'wrong' }))).rejects.toThrow();
  expect(emulator.counts.accepted).toBe(0);
  await expect(clientOf().faxes.get({ id: 'none' })).rejects.toMatchObject({ statusCode: 404 });
  await expect(sent(clientOf(), '2025550123')).rejects.toMatchObject({ statusCode: 422 });
  await expect(sent(clientOf({ projectId: 'another' }))).rejects.toMatchObject({ statusCode: 404 });
});

test('it manages services', async () => {
  const { services } = clientOf();
  const created = await services.create({
    createServiceRequestBody: {
      name: 'Second',
      incomingWebhookUrl: 'https://gw.example.com/cloudtwo-inbound',
    },
  });
  const serviceId = created.id ?? '';
  expect(await services.get({ serviceId })).toMatchObject({ name: 'Second', numberOfRetries: 3 });
  await services.update({ serviceId, updateServiceRequestBody: { saveInboundFaxDocuments: false } });
  expect(await services.get({ serviceId })).toMatchObject({ saveInboundFaxDocuments: false });
  const listed = (await services.list({})).data;
  expect(listed.map(({ name }) => name)).toEqual(['Default service', 'Second']);
  const numbers = await services.listNumbers({ serviceId: listed[0]?.id ?? '' });
  expect(numbers.data.map(({ phoneNumber }) => phoneNumber)).toContain('+12025550100');
  await services.delete({ serviceId });
  await expect(services.get({ serviceId })).rejects.toMatchObject({ statusCode: 404 });
});

test.each(['application/json', 'multipart/form-data'] as const)(
  'it reads the webhooks as %s',
  async (contentType) => {
    const fax = emulator.receive({ from: '+12025550199', to: '+12025550100', document: testPdf });
    const { webhook } = await emulator.sendCallback(fax.id, { url: 'http://127.0.0.1:9/', contentType });
    const body =
      contentType === 'application/json' ? webhook.body.toString() : Object.fromEntries(webhook.fields);
    const event = new FaxCallbackWebhooks().parseEvent(body);
    expect(event).toMatchObject({ event: 'INCOMING_FAX', fax: { id: fax.id, direction: 'INBOUND' } });
    expect(event.eventTime).toBeInstanceOf(Date);
  },
);
