import { createHash } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { referee } from '../fixtures/referees.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { reportFacts } from '../setup/report-facts.ts';
import { newPostgresDatabase, postgresUrl, STORES, withoutPostgres } from '../setup/stores.ts';
import { needTools } from '../setup/tools.ts';
import { InboundGateway, OWN_NUMBER } from './inbound-setup.ts';
import { changeAccess, check, documentOf, RECEIVING, sendHere } from './outbound-own-number-setup.ts';

type Preview = z.infer<typeof FaxPreview>;

describe.each(STORES)('a fax to our own number on %s', (store) => {
  let inbound: InboundGateway;
  let gateway: TestGateway;
  let databaseUrl: string | null = null;
  beforeAll(async () => {
    if (store === 'postgres') databaseUrl = await newPostgresDatabase();
    gateway = await startTestGateway({
      databaseUrl,
      settings: { ...RECEIVING, PUBLIC_API_URL: 'https://fax.example.com', ENCRYPT_DOCUMENTS: 'true' },
    });
    inbound = new InboundGateway(gateway);
  });
  beforeEach(() => void (gateway.emulator.calls.length = 0));
  const change = async (path: string, body: object) => changeAccess(gateway, path, body);
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  test('rule (outbound): a fax to our own number and its received fax are recorded together, without a call', async () => {
    const sent = await sendHere(gateway);
    expect(sent).toMatchObject({
      to: OWN_NUMBER,
      status: 'SUCCESS',
      delivery_state: 'success',
      delivered_by: 'internal',
      backend: 'cloudone',
      internal: true,
      pages: 1,
      cost: null,
      attempt: { number: 1, phase: 'success', provider_account: 'internal', pages_sent: 1 },
    });
    expect(gateway.emulator.calls).toEqual([]);

    const received = await inbound.only();
    expect(received).toMatchObject({
      id: sent.provider_sid,
      status: 'received',
      backend: 'internal',
      fr: OWN_NUMBER,
      to: OWN_NUMBER,
      pages: 1,
      sha256: sent.document.sha256,
      size_bytes: sent.document.size_bytes,
      provider_fax_id: sent.id,
      is_test: false,
      work_item_id: expect.any(String),
    });
    const document = await documentOf(gateway, `/inbound/${received.id}/pdf`);
    expect(createHash('sha256').update(document).digest('hex')).toBe(sent.document.sha256);
    // Sealed on the disk.
    const [name = ''] = await inbound.stored();
    expect(await readFile(join(gateway.dataFolder, 'files', 'inbound', name), 'latin1')).not.toContain(
      '%PDF',
    );
    expect(await inbound.list('?backend=internal')).toHaveLength(1);
  });

  test('says in both histories where it went and where it came from', async () => {
    const sent = await sendHere(gateway);
    expect((await gateway.history(sent.id)).map(({ kind, text, actor }) => [kind, text, actor])).toEqual([
      ['accepted', 'Accepted and ready to be sent.', 'Installation key'],
      ['submitting', 'Delivering to our own number, without a call.', 'Faxdesk'],
      ['success', 'Delivered inside this installation, without a call: 1 page.', 'Faxdesk'],
    ]);
    const evidence = await inbound.evidence(String(sent.provider_sid));
    expect(evidence.map(({ kind, checked_by, actor }) => [kind, checked_by, actor])).toEqual([
      ['internal', 'internal', 'Faxdesk'],
      ['document', 'internal', 'Faxdesk'],
    ]);
    expect(evidence[0]?.text).toContain(sent.id);
    expect(evidence[1]).toMatchObject({ sha256: sent.document.sha256 });
  });

  test('is filed by the number rule', async () => {
    const label = `Front desk ${store}`;
    const { mailbox } = await change('/access/mailboxes', { label });
    await change('/access/inbound-rules', { to_number: OWN_NUMBER, mailbox_id: mailbox.id });
    const sent = await sendHere(gateway);
    const received = await gateway.request('GET', `/inbound/${sent.provider_sid}`);
    expect(await received.json()).toMatchObject({ mailbox: label });

    // Every number with a rule is our own.
    const to_number = '+12025550177';
    expect((await check(gateway, to_number)).internal).toBe(false);
    const { rule } = await change('/access/inbound-rules', { to_number, mailbox_id: mailbox.id });
    expect((await check(gateway, to_number)).internal).toBe(true);
    const other = await sendHere(gateway, { to: to_number });
    expect(other).toMatchObject({ delivered_by: 'internal', backend: 'cloudone' });
    const filed = await gateway.request('GET', `/inbound/${other.provider_sid}`);
    expect(await filed.json()).toMatchObject({ to: to_number, mailbox: label });
    await change(`/access/inbound-rules/${rule.id}/remove`, { version: rule.version });
    expect((await check(gateway, to_number)).internal).toBe(false);
  });

  test('may go to the own number of a route, while that route is on', async () => {
    const own_number = '+12025550178';
    const made = await gateway.request('POST', '/routing/routes', {
      json: { backend: 'cloudone', name: `Own ${store}`, prefixes: ['+4721'], own_number },
    });
    const { id, version } = (await made.json()) as { id: string; version: number };
    expect((await check(gateway, own_number)).internal).toBe(true);
    expect(await sendHere(gateway, { to: own_number })).toMatchObject({
      delivered_by: 'internal',
      backend: 'cloudone',
      cost: null,
    });
    const quote = await gateway.request('GET', `/routing/quote?to=${encodeURIComponent(own_number)}&pages=1`);
    expect(((await quote.json()) as { ways: object[] }).ways[0]).toMatchObject({
      backend: 'cloudone',
      free: true,
    });
    await gateway.request('PATCH', `/routing/routes/${id}`, { json: { version, enabled: false } });
    expect((await check(gateway, own_number)).internal).toBe(false);
  });

  test('comes in from an unknown number while the settings name none', async () => {
    const label = `Back office ${store}`;
    await gateway.set({ FAX_NUMBER: null });
    try {
      const { mailbox } = await change('/access/mailboxes', { label });
      const to_number = '+12025550179';
      await change('/access/inbound-rules', { to_number, mailbox_id: mailbox.id });
      const sent = await sendHere(gateway, { to: to_number });
      const received = await gateway.request('GET', `/inbound/${sent.provider_sid}`);
      expect(await received.json()).toMatchObject({ fr: 'Unknown', to: to_number, mailbox: label });
    } finally {
      await gateway.set({ FAX_NUMBER: OWN_NUMBER });
    }
  });

  test('leaves by a call where that is wanted', async () => {
    const before = (await inbound.list()).length;
    const { id } = await gateway.send({ to: OWN_NUMBER, send_by_call: 'true' });
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'in_progress', backend: 'cloudone' });
    expect(gateway.emulator.calls.some(({ method }) => method === 'POST')).toBe(true);
    expect(await inbound.list()).toHaveLength(before);
  });

  test('waits for others to the number only where it is called', async () => {
    const json = { name: 'Office', fax_number: OWN_NUMBER, send_together_minutes: 5 };
    const made = await gateway.request('POST', '/contacts', { json });
    const { id, version } = (await made.json()) as { id: string; version: number };
    const checked = await gateway.request('GET', `/fax/numbers/check?to=${encodeURIComponent(OWN_NUMBER)}`);
    expect(await checked.json()).toMatchObject({ internal: true, together_minutes: 5 });
    const leavesAt = async (fields: Record<string, string>) =>
      (await gateway.send({ to: OWN_NUMBER, ...fields })).together.leaves_at;
    const leaves = new Date(gateway.clock.now() + 5 * MINUTE).toISOString();
    expect(await leavesAt({ send_by_call: 'true' })).toBe(leaves);
    expect(await leavesAt({})).toBeNull();
    await gateway.request('POST', `/contacts/${id}/remove`, { json: { version } });
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
  });

  test('waits for its time, and can be canceled until then', async () => {
    const before = (await inbound.list()).length;
    const sendAt = new Date(gateway.clock.now() + 30 * MINUTE).toISOString();
    const fields = { to: OWN_NUMBER, send_at: sendAt };
    const [first, second] = [await gateway.send(fields), await gateway.send(fields)];
    await gateway.processAll();
    expect(await inbound.list()).toHaveLength(before);
    const cancel = { json: { delivery_version: first.delivery_version } };
    expect((await gateway.request('POST', `/fax/${first.id}/cancel`, cancel)).status).toBe(200);
    gateway.clock.advance(31 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(second.id)).delivery_state).toBe('success');
    expect(await inbound.list()).toHaveLength(before + 1);
  });

  test('has a report that says so and names no provider', async (context) => {
    needTools(context, 'pdftotext');
    const sent = await sendHere(gateway);
    const path = join(gateway.dataFolder, 'report.pdf');
    await writeFile(path, await documentOf(gateway, `/fax/${sent.id}/report`));
    const printed = referee('pdftotext', ['-layout', path, '-']).toString();
    expect(printed).toContain('Delivered inside this installation');
    expect(printed).toMatch(/Delivery\s+inside this installation, without a call/u);
    expect(printed).toMatch(new RegExp(`Received fax ID\\s+${sent.provider_sid}`, 'u'));
    expect(printed).not.toContain('Phaxio');
    expect(await reportFacts(gateway, sent.id)).toMatchObject({
      attempts: [{ number: 1, phase: 'success' }],
      confirmations: [
        {
          kind: 'installation',
          text: expect.stringMatching(/^Filed as a received fax.*, without a call\.$/u) as string,
        },
      ],
    });
  });

  test('is one received fax, however often it is requested', async () => {
    const before = (await inbound.list()).length;
    const headers = { 'Idempotency-Key': 'one-of-our-own' };
    const [first, again] = [
      await gateway.send({ to: OWN_NUMBER }, headers),
      await gateway.send({ to: OWN_NUMBER }, headers),
    ];
    expect(again.id).toBe(first.id);
    await gateway.processAll();
    expect(await inbound.list()).toHaveLength(before + 1);
  });

  test('waits while the inbox cannot be written to, and comes in once it can', async () => {
    const folder = join(gateway.dataFolder, 'files', 'inbound');
    const before = (await inbound.list()).length;
    await rename(folder, `${folder}-aside`);
    await writeFile(folder, '');
    const { id } = await gateway.send({ to: OWN_NUMBER });
    try {
      await gateway.processAll();
      const waiting = await gateway.fax(id);
      expect(waiting).toMatchObject({ delivery_state: 'ready', attempt: { phase: 'preparing' } });
      expect((await gateway.history(id)).at(-1)?.text).toBe(
        'Waiting for the document. It could not be stored in the inbox, because the disk of Faxdesk reported an error. Nothing was sent. Faxdesk tries again automatically.',
      );
    } finally {
      await rm(folder);
      await rename(`${folder}-aside`, folder);
    }
    gateway.clock.advance(6 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(id)).delivery_state).toBe('success');
    expect(await inbound.list()).toHaveLength(before + 1);
  });
});

describe('what can be reached', () => {
  const started = async (settings: Record<string, string>) => startTestGateway({ settings });

  test('without a provider it is nothing, whatever the number; with one that lacks its credentials our own number', async () => {
    const gateway = await started({ ...RECEIVING, FAX_BACKEND: '' });
    try {
      for (const to of [OWN_NUMBER, '+12025550123']) {
        const none = await gateway.sendForm({ to }, [textFile()]);
        expect([none.status, await none.json()]).toEqual([409, { detail: 'No fax provider set up yet.' }]);
        expect((await check(gateway, to)).internal).toBe(false);
      }
      await gateway.set({ FAX_BACKEND: 'cloudtwo' });
      expect(await sendHere(gateway)).toMatchObject({
        delivery_state: 'success',
        delivered_by: 'internal',
        backend: 'cloudtwo',
      });
      // An internal delivery does not prove that a provider works.
      expect(await (await gateway.request('GET', '/console/installation')).json()).toMatchObject({
        sending: { state: 'not_set_up' },
        setup: { test_fax: false },
      });
      expect(await (await gateway.request('GET', '/console/status')).json()).toMatchObject({
        last_delivered_at: null,
      });
      const called: Record<string, string>[] = [
        { to: '+12025550123' },
        { to: OWN_NUMBER, send_by_call: 'true' },
      ];
      for (const fields of called) {
        const refused = await gateway.sendForm(fields, [textFile()]);
        expect(refused.status).toBe(409);
        expect(await refused.json()).toMatchObject({
          detail: expect.stringMatching(
            /^Sinch has no credentials yet: .* Until then, faxes can be sent only to our own number, without a call\.$/u,
          ),
        });
      }
      expect((await check(gateway, OWN_NUMBER)).internal).toBe(true);
      expect((await check(gateway, '+12025550123')).internal).toBe(false);
      await gateway.set({ INBOUND_ENABLED: false });
      const off = await gateway.sendForm({ to: OWN_NUMBER }, [textFile()]);
      expect(await off.json()).toMatchObject({
        detail: expect.stringMatching(/^Sinch has no credentials yet: [^.]*\.$/u),
      });
    } finally {
      await gateway.close();
    }
  });

  test('while receiving is off our own number is called like any other', async () => {
    const gateway = await started({ INBOUND_ENABLED: 'false' });
    try {
      expect((await check(gateway, OWN_NUMBER)).internal).toBe(false);
      const sent = await sendHere(gateway);
      expect(sent).toMatchObject({ delivery_state: 'in_progress', backend: 'cloudone' });
    } finally {
      await gateway.close();
    }
  });

  test('when receiving is switched off before the fax leaves, it is called after all, or fails with the reason', async () => {
    const gateway = await started({ ...RECEIVING, FAX_DISABLED: 'true' });
    try {
      const release = async ({ id }: Fax) => {
        const { delivery_version } = await gateway.fax(id);
        await gateway.request('POST', `/fax/${id}/release`, { json: { delivery_version } });
        await gateway.processAll();
        return gateway.fax(id);
      };
      const called = await gateway.send({ to: OWN_NUMBER });
      await gateway.set({ FAX_BACKEND: 'cloudtwo' });
      const stranded = await gateway.send({ to: OWN_NUMBER });
      await gateway.set({ FAX_DISABLED: false, INBOUND_ENABLED: false });
      expect(await release(called)).toMatchObject({
        delivery_state: 'in_progress',
        backend: 'cloudone',
        attempt: { number: 2 },
      });
      expect((await gateway.history(called.id)).find(({ kind }) => kind === 'next_step')?.text).toBe(
        'Receiving is off, so a fax to our own number cannot be delivered here. Nothing was sent this way. Faxdesk tries the next way.',
      );
      expect(await release(stranded)).toMatchObject({
        delivery_state: 'failed',
        error: 'Receiving is off, so a fax to our own number cannot be delivered here.',
      });
    } finally {
      await gateway.close();
    }
  });

  test('no header line is drawn where none is printed', async () => {
    const gateway = await started(RECEIVING);
    try {
      const preview = async (fields: Record<string, string>) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append('file', textFile());
        return (await (await gateway.request('POST', '/fax/preview', { form })).json()) as Preview;
      };
      const here = await preview({ to: OWN_NUMBER });
      expect(here.header).toBeNull();
      expect((await preview({ to: OWN_NUMBER, send_by_call: 'true' })).header).toMatchObject({
        backend: 'cloudone',
      });
      const redraw = { clean_greys: false, send_by_call: true };
      const again = await gateway.request('POST', `/fax/preview/${here.preview_id}/redraw`, { json: redraw });
      expect(((await again.json()) as Preview).header).toMatchObject({ backend: 'cloudone' });
    } finally {
      await gateway.close();
    }
  });

  test.skipIf(postgresUrl === null)(
    `two gateways on one database make one received fax of each${withoutPostgres}`,
    async () => {
      const databaseUrl = await newPostgresDatabase();
      const one = await startTestGateway({ databaseUrl, settings: RECEIVING });
      const { clock, emulator } = one;
      const two = await startTestGateway({ databaseUrl, clock, emulator, settings: RECEIVING });
      try {
        const sent = await Promise.all([one, two, one, two].map((each) => each.send({ to: OWN_NUMBER })));
        await Promise.all([one.processAll(), two.processAll(), one.processAll(), two.processAll()]);
        const received = await new InboundGateway(two).list();
        expect(received.map(({ provider_fax_id }) => provider_fax_id).sort()).toEqual(
          sent.map(({ id }) => id).sort(),
        );
        for (const { id } of sent) expect((await two.fax(id)).delivery_state).toBe('success');

        const to_number = '+12025550177';
        const isOwn = async () => (await check(two, to_number)).internal;
        const { mailbox } = await changeAccess(one, '/access/mailboxes', { label: 'Front desk' });
        const ofMailbox = { to_number, mailbox_id: mailbox.id };
        const { rule } = await changeAccess(one, '/access/inbound-rules', ofMailbox);
        expect(await isOwn()).toBe(true);
        await changeAccess(one, `/access/inbound-rules/${rule.id}/remove`, { version: rule.version });
        expect(await isOwn()).toBe(false);
      } finally {
        await two.stop();
        await one.close();
        await dropPostgresDatabase(databaseUrl);
      }
    },
  );
});
