import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBackup } from '../../server/backup/create-backup.ts';
import { backupSource } from '../../server/backup/installation.ts';
import { COMMAND_LINE, restoreInstallation } from '../../server/composition/backups.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { RELEASE } from '../../server/config/release.ts';
import { openDatabase } from '../../server/db/database.ts';
import { verifyReceiptFile } from '../../server/features/direct/wire/receipt-file.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { partnerRow } from '../setup/direct-partners.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { OWN_NUMBER } from './inbound-setup.ts';
import { PARTNER as ENCODED, EncodedPages } from './outbound-encoded-setup.ts';
import { WebhookGateway } from './webhooks-setup.ts';

const NUMBER = '+12025550144';
const PARTNER_ID = 'partner-1';
const DIRECT = {
  DIRECT_DELIVERY_ENABLED: 'true',
  DIRECT_ORGANIZATION: 'North Clinic',
  DIRECT_FAX_NUMBER: OWN_NUMBER,
  DIRECT_ALLOW_PRIVATE_PEERS: 'true',
  TIME_ZONE: 'UTC',
};

let office: WebhookGateway;
let encoded: EncodedPages;
let partner: FakePartner;
let own: { signing_key: string; exchange_key: string };
beforeAll(async () => {
  office = await WebhookGateway.start({ settings: DIRECT });
  encoded = new EncodedPages(office.inbound);
  partner = await startFakePartner('South Pharmacy', NUMBER);
  const { dataFolder, clock } = office.gateway;
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  const row = partnerRow(PARTNER_ID, partner.card(), clock);
  await db.transaction(async (tx) => void (await tx.insertInto('direct_partner').values(row).execute()));
  await db.close();
  own = (await json<{ card: typeof own }>('/direct/card')).card;
});
afterAll(async () => {
  await partner?.close();
  await office?.close();
});
beforeEach(() => office.clear());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function json<T>(path: string): Promise<T> {
  const [status, answer] = await office.request('GET', path);
  if (status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

interface Delivery {
  readonly inbound_id: string | null;
  readonly job_id: string | null;
  readonly state: string;
  readonly receipt: object;
}
const deliveries = async () => (await json<{ items: Delivery[] }>('/direct/deliveries')).items;

/** The partner delivers a document; its received fax. */
async function receive(pages: number) {
  const time = new Date(office.gateway.clock.now()).toISOString();
  const document = textPdf(pages);
  const { status } = await partner.deliver(office.gateway.url, own, document, { time });
  expect(status).toBe(200);
  await office.gateway.processAll();
  const [fax] = await office.inbound.list('?backend=direct');
  if (!fax) throw new Error('nothing came in');
  expect(fax).toMatchObject({ sha256: sha256(document), work_item_id: null });
  return { fax, document };
}

async function sendDirectly() {
  const documents = partner.acceptDocuments();
  const { id } = await office.gateway.send({ to: NUMBER });
  await office.gateway.processAll();
  const fax = await office.gateway.fax(id);
  expect(fax).toMatchObject({ delivery_state: 'success', delivered_by: 'direct' });
  expect(documents.map(sha256)).toEqual([fax.document.sha256]);
  return fax;
}

test('rule (crossings): a document that a partner delivered reaches webhooks, open windows, counts and the daily summary', async () => {
  await office.connect();
  const { next: before } = await json<{ next: string }>('/console/changes');
  const read = async () =>
    (await json<{ figures: { received: number; direct: number } }>('/summary')).figures;
  const metric = async () => {
    const text = await (await office.gateway.request('GET', '/metrics')).text();
    return Number(/^faxdesk_received_faxes\{state="received"\} (\d+)$/mu.exec(text)?.[1] ?? 0);
  };
  const counted = await metric();
  const { unread } = await office.inbound.counts();
  const { fax } = await receive(2);
  expect(office.receiver.types).toEqual(['inbound.received']);
  expect(JSON.parse(office.receiver.messages[0]?.body ?? '')).toMatchObject({ data: { id: fax.id } });
  const { events } = await json<{ events: { kind: string; data: { id: string } }[] }>(
    `/console/changes?after=${before}`,
  );
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'inbound.changed', data: expect.objectContaining({ id: fax.id }) }),
  );
  expect((await office.inbound.counts()).unread).toBe(unread + 1);
  expect(await metric()).toBe(counted + 1);
  office.gateway.clock.advance(DAY);
  expect(await read()).toMatchObject({ received: 0, direct: 1 });
  await office.gateway.set({ DIRECT_WORK_ITEMS: true });
  const worked = await partner.deliver(office.gateway.url, own, textPdf(1), {
    time: new Date(office.gateway.clock.now()).toISOString(),
  });
  expect(worked.status).toBe(200);
  await office.gateway.set({ DIRECT_WORK_ITEMS: false });
  office.gateway.clock.advance(DAY);
  // With a work item it is one of the documents of the statistics.
  expect(await read()).toMatchObject({ received: 1, direct: 0 });
});

test('rule (crossings): a fax that went directly is announced as delivered, costs nothing and proves nothing about providers', async () => {
  await office.connect();
  const costs = () => json('/routing/costs?group_by=day&from=2026-11-01&to=2026-12-31');
  const summed = await costs();
  const fax = await sendDirectly();
  expect(office.receiver.types).toEqual(['fax.delivered']);
  expect(fax).toMatchObject({ free: true, cost: null, attempt: { cost: null } });
  expect(await costs()).toEqual(summed);
  expect(await json('/console/status')).toMatchObject({ last_delivered_at: null, faxes: { success: 1 } });
  expect(await json('/console/installation')).toMatchObject({ setup: { test_fax: false } });
});

test('rule (crossings): documents of direct deliveries end with their retention time, and the signed proof of them stays', async () => {
  const { fax } = await receive(3);
  const sent = await sendDirectly();
  await office.gateway.set({ INBOUND_RETENTION_DAYS: 1, ARTIFACT_TTL_DAYS: 1 });
  for (let day = 0; day < 3; day += 1) await office.pass(DAY + HOUR);
  await office.gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 30 });
  for (const path of [`/inbound/${fax.id}/pdf`, `/fax/${sent.id}/document`])
    expect([path, (await office.gateway.request('GET', path)).status]).toEqual([path, 404]);
  expect(await office.inbound.stored()).toEqual([]);
  const kept = await deliveries();
  for (const [key, { id }, digest] of [
    ['inbound_id', fax, fax.sha256],
    ['job_id', sent, sent.document.sha256],
  ] as const) {
    const found = kept.find((each) => each[key] === id);
    expect(found?.state).toBe('accepted');
    const [verified] = verifyReceiptFile(Buffer.from(JSON.stringify(found?.receipt)));
    expect(verified?.manifest.sha256).toBe(digest);
  }
});

test('rule (crossings): the recovery of an original is announced to webhooks and open windows', async () => {
  await office.connect({ events: ['inbound.original'] });
  await encoded.contact({ encoded_pages: 'plain' });
  const { pages } = await encoded.sendPages();
  const { next } = await json<{ next: string }>('/console/changes');
  const fax = await encoded.receive(pages);
  expect(fax.decode).toMatchObject({ state: 'decoded' });
  await office.gateway.processAll();
  const [message, second] = office.receiver.messages;
  expect(second).toBeUndefined();
  expect(JSON.parse(message?.body ?? '')).toMatchObject({
    type: 'inbound.original',
    data: { id: fax.id, sha256: fax.decode?.sha256 },
  });
  const { events } = await json<{ events: { kind: string; data: { id: string; version: number } }[] }>(
    `/console/changes?after=${next}`,
  );
  const versions = events
    .filter(({ kind, data }) => kind === 'inbound.changed' && data.id === fax.id)
    .map(({ data }) => data.version);
  expect(Math.max(...versions)).toBe(fax.version);
});

test('rule (crossings): direct documents with their receipts, originals and the identity are in a backup, and restored with it', async () => {
  const { fax, document } = await receive(4);
  const [received] = await encoded.inbound.list(`?from_number=${encodeURIComponent(ENCODED)}`);
  const original = Buffer.from(await (await encoded.original(String(received?.id))).arrayBuffer());
  expect(original.subarray(0, 5).toString()).toBe('%PDF-');
  const before = { card: await json('/direct/card'), deliveries: await deliveries() };
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-direct-backup-'));
  try {
    const boot = (dataFolder: string): BootOptions => bootOptions(dataFolder, null);
    const { gateway } = office;
    const backup = join(folder, 'b.zip');
    const made = { release: RELEASE, clock: gateway.clock, recipients: [] };
    await createBackup(await backupSource(boot(gateway.dataFolder)), backup, made);
    const target = join(folder, 'restored');
    await restoreInstallation(backup, boot(target), { replace: true, by: COMMAND_LINE });
    const restored = await startTestGateway({ clock: gateway.clock, dataFolder: target });
    try {
      const get = async (path: string) =>
        Buffer.from(await (await restored.request('GET', path)).arrayBuffer());
      expect((await get(`/inbound/${fax.id}/pdf`)).equals(document)).toBe(true);
      expect((await get(`/inbound/${received?.id}/original`)).equals(original)).toBe(true);
      expect(JSON.parse(String(await get('/direct/card')))).toEqual(before.card);
      expect(JSON.parse(String(await get('/direct/deliveries')))).toMatchObject({ items: before.deliveries });
      expect(await readdir(target)).toContain('.direct-identity.key');
    } finally {
      await restored.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('rule (crossings): a check of a number that ends within 30 days is in the notices, for people who may see partners', async () => {
  const read = async (key?: string) =>
    (await office.request('GET', '/console/notices', undefined, key))[1].number_checks as object[];
  const { administrator, gateway } = office;
  const { items } = await json<{ items: { number_expires_at: string }[] }>('/direct/peers');
  const ends = String(items[0]?.number_expires_at);
  expect(await read()).toEqual([]);
  const start = gateway.clock.now();
  gateway.clock.advance(Date.parse(ends) - start - 29 * DAY);
  const check = { partner_id: PARTNER_ID, organization: 'South Pharmacy', fax_number: NUMBER };
  expect(await read()).toEqual([{ ...check, expires_at: ends }]);
  const helper = await administrator.integration('Helper');
  await administrator.assign(helper, await administrator.role('Diagnosis', ['diagnostics:read']));
  const { token } = await administrator.key(helper, ['diagnostics:read']);
  expect(await read(token)).toEqual([]);
  gateway.clock.advance(30 * DAY);
  expect(await read()).toEqual([]);
});
