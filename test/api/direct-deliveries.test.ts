import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyReceiptFile } from '../../server/features/direct/wire/receipt-file.ts';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import {
  cardOf,
  changePartners,
  closeSide,
  type DirectSide,
  listDirect,
  makePartners,
  startDirectSide,
} from '../setup/direct-partners.ts';
import type { Fault } from '../setup/fault-proxy.ts';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { reportFacts } from '../setup/report-facts.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

interface Received {
  readonly id: string;
  readonly sha256: string;
  readonly backend: string;
}

const inbox = async (gateway: TestGateway) =>
  (await (await gateway.request('GET', '/inbound')).json()) as Received[];

describe.each(STORES)('documents between two partners, the recipient on %s', (store) => {
  let databaseUrl: string | null = null;
  let north: DirectSide;
  let south: DirectSide;
  const clock = new ManualClock();
  beforeAll(async () => {
    if (store === 'postgres') databaseUrl = await newPostgresDatabase();
    north = await startDirectSide({ organization: 'North Clinic', faxNumber: '+12025550110' }, { clock });
    south = await startDirectSide(
      { organization: 'South Pharmacy', faxNumber: '+12025550120' },
      { clock, databaseUrl, settings: { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' } },
    );
    await makePartners(north, south);
  });
  afterEach(() => {
    for (const { proxy } of [north, south]) proxy.faultOf = () => ({ kind: 'pass' });
  });
  afterAll(async () => {
    await closeSide(north);
    await closeSide(south);
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  /** Sends a document from north to south, with faults of uploads and of questions. */
  async function send(upload: Fault = { kind: 'pass' }, question: Fault = { kind: 'pass' }): Promise<Fax> {
    south.proxy.faultOf = (method) => (method === 'POST' ? upload : question);
    const { id } = await north.gateway.send({ to: south.faxNumber });
    await north.gateway.processAll();
    return north.gateway.fax(id);
  }
  async function later(ms: number, { id }: Fax): Promise<Fax> {
    clock.advance(ms);
    await north.gateway.processAll();
    return north.gateway.fax(id);
  }
  const calls = () => north.gateway.emulator.counts.accepted;

  test('a document is the last exchange with a partner, at both sides', async () => {
    clock.advance(HOUR);
    await send();
    const at = new Date(clock.now()).toISOString();
    for (const { gateway } of [north, south]) {
      const answer = await gateway.request('GET', '/direct/peers');
      expect(await answer.json()).toMatchObject({ items: [{ last_exchange_at: at }] });
    }
  });

  test('rule (direct): a fax to a partner goes directly, arrives unchanged, and is delivered by the signed receipt', async () => {
    const before = calls();
    const fax = await send();
    expect(fax).toMatchObject({
      delivery_state: 'success',
      delivered_by: 'direct',
      direct: true,
      internal: false,
      backend: 'cloudone',
      free: true,
      cost: null,
      pages: 1,
      attempt: { phase: 'success', pages_sent: 1 },
    });
    expect(calls()).toBe(before);
    const [received] = await inbox(south.gateway);
    expect(received).toMatchObject({
      backend: 'direct',
      fr: north.faxNumber,
      to: south.faxNumber,
      source_system: 'North Clinic',
      provider_fax_id: fax.provider_sid,
      sha256: fax.document.sha256,
      work_item_id: null,
    });
    const document = await south.gateway.request('GET', `/inbound/${received?.id}/pdf`);
    const digest = createHash('sha256').update(Buffer.from(await document.arrayBuffer()));
    expect(digest.digest('hex')).toBe(fax.document.sha256);
    expect((await north.gateway.history(fax.id)).map(({ kind, text }) => [kind, text])).toEqual([
      ['accepted', 'Accepted and ready to be sent.'],
      ['submitting', 'Sending the original directly to the partner, without a call.'],
      [
        'success',
        'Delivered directly, as the original: 1 page. The partner’s installation signed the receipt.',
      ],
    ]);
    const evidence = await south.gateway.request('GET', `/inbound/${received?.id}/evidence`);
    expect(await evidence.json()).toMatchObject({
      items: [
        { kind: 'direct', checked_by: 'direct', actor: 'North Clinic' },
        { kind: 'document', checked_by: 'direct', sha256: fax.document.sha256 },
      ],
    });
    const [sent] = await listDirect(north);
    expect(sent).toMatchObject({
      message_id: fax.provider_sid,
      direction: 'sent',
      partner: 'South Pharmacy',
      job_id: fax.id,
      inbound_id: null,
      state: 'accepted',
    });
    expect((await listDirect(south))[0]).toMatchObject({
      message_id: fax.provider_sid,
      direction: 'received',
      inbound_id: received?.id,
      state: 'accepted',
      receipt: sent?.receipt,
    });
  });

  test('rule (direct): a document that certainly did not arrive goes as an ordinary fax in the same job', async () => {
    const before = calls();
    const documents = (await inbox(south.gateway)).length;
    for (const fault of [{ kind: 'cut_before' }, { kind: 'tampered', at: 0.95 }] as const) {
      const fax = await later(MINUTE, await send(fault));
      expect([fault.kind, fax]).toMatchObject([
        fault.kind,
        { delivery_state: 'in_progress', direct: false, backend: 'cloudone' },
      ]);
    }
    expect(calls()).toBe(before + 2);
    expect(await inbox(south.gateway)).toHaveLength(documents);
  });

  test('rule (direct): a lost answer is asked for, and settled by the partner’s receipt', async () => {
    const before = calls();
    const fax = await send({ kind: 'lost_answer' });
    expect(fax).toMatchObject({ delivery_state: 'in_progress', direct: true });
    expect(await later(MINUTE, fax)).toMatchObject({ delivery_state: 'success', delivered_by: 'direct' });
    expect(calls()).toBe(before);
  });

  test('rule (direct): after the answer “not received” a late upload is refused, and one ordinary fax goes out', async () => {
    const before = calls();
    const documents = (await inbox(south.gateway)).length;
    const fax = await send({ kind: 'held' });
    expect(fax).toMatchObject({ delivery_state: 'in_progress', direct: true });
    expect(await later(MINUTE, fax)).toMatchObject({ delivery_state: 'in_progress', direct: false });
    expect(await south.proxy.deliverHeld()).toEqual([409]);
    expect(calls()).toBe(before + 1);
    expect(await inbox(south.gateway)).toHaveLength(documents);
  });

  test('rule (direct): a partner that never answers leaves a question for a person, and no second copy', async () => {
    const before = calls();
    let fax = await send({ kind: 'lost_answer' }, { kind: 'unsigned', status: 404 });
    for (let asked = 0; asked < 5; asked += 1) fax = await later(MINUTE, fax);
    expect(fax).toMatchObject({ delivery_state: 'in_progress', direct: true });
    for (let hours = 0; hours < 26; hours += 1) fax = await later(HOUR, fax);
    expect(fax).toMatchObject({ delivery_state: 'reconciliation_required' });
    expect(calls()).toBe(before);
    // The receipt settles it whenever it comes.
    south.proxy.faultOf = () => ({ kind: 'pass' });
    expect(await later(DAY, fax)).toMatchObject({ delivery_state: 'success', delivered_by: 'direct' });
  });

  test('rule (direct): a repeated document is stored once and gets the same receipt', async () => {
    const documents = (await inbox(south.gateway)).length;
    const fax = await send({ kind: 'repeated' });
    expect(fax).toMatchObject({ delivery_state: 'success', delivered_by: 'direct' });
    const upload = south.proxy.requests.findLast(({ method }) => method === 'POST');
    const again = upload && (await south.proxy.forward(upload));
    expect(again?.status).toBe(200);
    const receipt = (await listDirect(north))[0]?.receipt as { receipt: object };
    expect(JSON.parse(String(again?.body))).toEqual(receipt.receipt);
    expect(await inbox(south.gateway)).toHaveLength(documents + 1);
  });

  test('rule (direct): a receipt that was altered proves nothing', async () => {
    const fax = await send({ kind: 'tampered_answer', at: 0.5 });
    expect(fax).toMatchObject({ delivery_state: 'in_progress', direct: true });
    expect(await later(MINUTE, fax)).toMatchObject({ delivery_state: 'success' });
  });

  test('rule (direct): a partner who is removed in the middle gets nothing filed, and the fax goes by call', async () => {
    const documents = (await inbox(south.gateway)).length;
    const before = calls();
    const revoke = async () => changePartners(south, { revoked_at: new Date(clock.now()).toISOString() });
    const fax = await later(MINUTE, await send({ kind: 'after', work: revoke }));
    await changePartners(south, { revoked_at: null });
    expect(fax).toMatchObject({ delivery_state: 'in_progress', direct: false });
    expect(calls()).toBe(before + 1);
    expect(await inbox(south.gateway)).toHaveLength(documents);
  });

  test('goes by call where that is wanted, and for a number that is no partner', async () => {
    const before = south.proxy.requests.length;
    const { id } = await north.gateway.send({ to: south.faxNumber, send_by_call: 'true' });
    await north.gateway.processAll();
    expect(await north.gateway.fax(id)).toMatchObject({ direct: false });
    await changePartners(north, { number_confirmed_at: null });
    const other = await send();
    await changePartners(north, { number_confirmed_at: new Date(clock.now()).toISOString() });
    expect(other.direct).toBe(false);
    expect(south.proxy.requests).toHaveLength(before);
  });

  test('rule (crossings): an evidence export has how a direct document was acquired: partner, message, manifest and receipt', async () => {
    await south.gateway.set({ DIRECT_WORK_ITEMS: true });
    const fax = await send();
    await south.gateway.set({ DIRECT_WORK_ITEMS: false });
    expect(fax.delivery_state).toBe('success');
    const [received] = (await inbox(south.gateway)) as (Received & { work_item_id: string | null })[];
    const archive = await south.gateway.request('GET', `/work/${received?.work_item_id}/export`);
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-direct-export-'));
    const path = join(folder, 'evidence.zip');
    await writeFile(path, Buffer.from(await archive.arrayBuffer()));
    const { manifest, intact } = await verifyEvidence(path, {});
    await rm(folder, { recursive: true });
    expect(intact).toBe(true);
    expect(manifest?.acquisition).toMatchObject([
      { source: 'direct', source_system: 'North Clinic', operation_id: fax.provider_sid },
    ]);
    const [event] = manifest?.acquisition[0]?.events ?? [];
    expect(event).toMatchObject({ kind: 'direct', checked_by: 'direct' });
    const [verified] = verifyReceiptFile(Buffer.from(JSON.stringify(event?.report)));
    expect(verified?.manifest.sha256).toBe(fax.document.sha256);
  });

  test('rule (crossings): a direct fax has its transmission report, and the quote names it first and without cost', async () => {
    const fax = await send();
    expect(await reportFacts(north.gateway, fax.id)).toMatchObject({
      attempts: [{ number: 1, phase: 'success' }],
      confirmations: [
        {
          kind: 'receipt',
          by: expect.stringContaining('South Pharmacy') as string,
          text: 'Signed a receipt for this document, byte for byte.',
        },
      ],
    });
    const query = `/routing/quote?to=${encodeURIComponent(south.faxNumber)}&pages=1`;
    const quote = (await (await north.gateway.request('GET', query)).json()) as { ways: object[] };
    expect(quote.ways[0]).toMatchObject({
      name: 'Direct delivery',
      free: true,
      amount: null,
      chosen_by: 'South Pharmacy gets the original directly, without a call.',
    });
    expect(quote.ways).toHaveLength(2);
    const checked = await north.gateway.request(
      'GET',
      `/fax/numbers/check?to=${encodeURIComponent(south.faxNumber)}`,
    );
    expect(await checked.json()).toMatchObject({ direct: true, internal: false });
  });

  test('refuses what is no direct delivery before it reads a document', async () => {
    const card = await cardOf(south);
    expect(card.fax_number).toBe(south.faxNumber);
    const form = new FormData();
    form.append('manifest', '{}');
    form.append('signature', 'x');
    form.append('document', textFile());
    const answer = await south.gateway.request('POST', '/direct/deliveries', { key: null, form });
    expect(answer.status).toBe(400);
    const asked = await south.gateway.request('GET', `/direct/deliveries/${'0'.repeat(32)}`, { key: null });
    expect(asked.status).toBe(403);
  });
});
