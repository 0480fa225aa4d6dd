import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { createKey, sendWith } from '../setup/test-keys.ts';
import { verify, WebhookReceiver } from '../setup/webhook-receiver.ts';
import { OWN_NUMBER, SENDER } from './inbound-setup.ts';
import { WebhookGateway } from './webhooks-setup.ts';

describe.each(STORES)(`webhooks in %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let office: WebhookGateway;
  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    office = await WebhookGateway.start({ databaseUrl });
  });
  afterEach(() => office.clear());
  afterAll(async () => {
    await office.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });
  const now = () => office.gateway.clock.now();

  test('rule (webhooks): an event is signed in the Standard Webhooks format and holds ids and states only', async () => {
    const { secret } = await office.connect();
    const id = await office.fax();
    expect(office.receiver.messages).toEqual([]);
    await office.gateway.processAll();
    const [message, second] = office.receiver.messages;
    if (!message || second) throw new Error('not exactly one message');
    expect(verify(secret, message, now())).toEqual({
      type: 'fax.delivered',
      timestamp: new Date(now()).toISOString(),
      data: { id, status: 'SUCCESS', delivery_state: 'success', delivery_version: expect.any(Number) },
    });
    // By hand as well: the package must not only agree with itself.
    const {
      'webhook-id': messageId,
      'webhook-timestamp': at,
      'webhook-signature': signature,
    } = message.headers;
    const signed = `${String(messageId)}.${String(at)}.${message.body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(signed).digest('base64');
    expect(signature).toBe(`v1,${digest}`);
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, message, now())).toThrow();
    expect(() => verify(secret, { ...message, body: `${message.body} ` }, now())).toThrow();
    expect(() => verify(secret, message, now() + 6 * MINUTE)).toThrow();
    expect(await office.only()).toMatchObject({ state: 'delivered', attempts: 1, sentence: null });
  });

  test('rule (crossings): webhooks about test faxes are marked, and go to webhooks for test faxes only', async () => {
    const tried = await WebhookReceiver.start();
    const { secret } = await office.connect({ url: tried.url, test: true });
    await office.connect();
    const key = await createKey(office.gateway, { test: true });
    const sent = await sendWith(office.gateway, key, { to: '+12025550103' });
    const form = { key, json: {} };
    const came = await office.gateway.request('POST', '/inbound/test-fax', form);
    const received = (await came.json()) as { id: string };
    await office.gateway.processAll();
    const data = tried.messages.map((message) => (verify(secret, message, now()) as { data: unknown }).data);
    expect(data).toHaveLength(2);
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: sent.id, delivery_state: 'failed', test: true }),
        { id: received.id, status: 'received', test: true },
      ]),
    );
    expect(office.receiver.messages).toEqual([]);
    tried.messages.length = 0;
    await office.fax();
    await office.gateway.processAll();
    expect([tried.types, office.receiver.types]).toEqual([[], ['fax.delivered']]);
    await tried.close();
  });

  test('rule (webhooks): each outcome is announced once, and faxes from blocked senders only when they leave Junk', async () => {
    await office.connect();
    const failed = await office.fax('failed');
    const asked = await office.fax('unknown');
    const { delivery_version } = await office.gateway.fax(asked);
    await office.request('POST', `/fax/${asked}/reconcile`, {
      delivery_version,
      outcome: 'success',
      note: 'They have it.',
    });
    await office.gateway.processAll();
    const about = async (id: string) =>
      (await office.deliveries(`?subject_id=${id}`)).map(({ type }) => type).toReversed();
    expect(await about(failed)).toEqual(['fax.failed']);
    expect(await about(asked)).toEqual(['fax.question', 'fax.delivered']);
    await office.inbound.notify(office.inbound.arrive());
    await office.gateway.processAll();
    expect(office.receiver.types.filter((type) => type === 'inbound.received')).toHaveLength(1);
    await office.request('POST', '/inbound/blocked-senders', { number: SENDER });
    await office.inbound.notify(office.inbound.arrive());
    await office.gateway.processAll();
    const received = () => office.receiver.types.filter((type) => type === 'inbound.received').length;
    expect(received()).toBe(1);
    const [, page] = await office.request('GET', '/inbound/page?junk=true');
    expect((await office.request('POST', `/inbound/${page.items[0].id}/not-junk`))[0]).toBe(200);
    await office.gateway.processAll();
    expect(received()).toBe(2);
    await office.gateway.request('DELETE', `/inbound/blocked-senders/${encodeURIComponent(SENDER)}`);
    for (const { body } of office.receiver.messages)
      for (const number of [SENDER, OWN_NUMBER, '+12025550123']) expect(body).not.toContain(number.slice(1));
  });

  test('rule (webhooks): a refused event is sent again for a day under the same id, each attempt is listed, and a person can send it once more', async () => {
    const { secret } = await office.connect();
    office.receiver.refuse(503);
    await office.fax();
    await office.gateway.processAll();
    expect(await office.only()).toMatchObject({
      state: 'waiting',
      attempts: 1,
      sentence: 'The server answered with status 503.',
      retry_at: new Date(now() + 10 * SECOND).toISOString(),
    });
    for (let hour = 0; hour < 30; hour += 1) await office.pass(HOUR);
    const failed = await office.only();
    expect(failed).toMatchObject({ state: 'failed', retry_at: null });
    expect(failed.attempt_list).toHaveLength(office.receiver.messages.length);
    expect(failed.attempt_list[0]).toMatchObject({
      number: failed.attempts,
      status: 503,
      sentence: 'The server answered with status 503.',
    });
    // The last one a day after the first.
    const times = failed.attempt_list.map(({ at }: { at: string }) => Date.parse(at));
    expect(times[0] - times.at(-1)).toBe(DAY);
    expect(new Set(office.receiver.ids)).toEqual(new Set([failed.webhook_id]));
    office.receiver.accept();
    const [status] = await office.request('POST', `/webhooks/deliveries/${failed.id}/send-again`);
    await office.gateway.processAll();
    expect([status, await office.only()]).toMatchObject([
      200,
      { state: 'delivered', attempts: failed.attempts + 1 },
    ]);
    const last = office.receiver.messages.at(-1);
    expect(last && verify(secret, last, now())).toMatchObject({ type: 'fax.delivered' });
    expect(office.receiver.ids.at(-1)).toBe(failed.webhook_id);
  });

  test('rule (webhooks): a server that asks for a pause is sent nothing until it is over, at most an hour', async () => {
    await office.connect();
    const answers = (retryAfter: string, headers = {}) => {
      office.receiver.answer = (response) =>
        void response.writeHead(429, { 'Retry-After': retryAfter, ...headers }).end();
    };
    answers('300');
    await office.fax();
    await office.gateway.processAll();
    const paused = {
      state: 'waiting',
      sentence: 'The server answered with status 429 and asked for a pause of 5 minutes.',
      retry_at: new Date(now() + 5 * MINUTE).toISOString(),
    };
    expect(await office.only()).toMatchObject({ ...paused, attempts: 1 });
    // Neither further events nor a person shorten the pause.
    const [first] = await office.deliveries();
    await office.request('POST', `/webhooks/deliveries/${first.id}/send-again`);
    await office.fax('failed');
    await office.pass(4 * MINUTE);
    expect(office.receiver.messages).toHaveLength(1);
    for (const { retry_at, state } of await office.deliveries())
      expect([state, retry_at]).toEqual(['waiting', paused.retry_at]);
    // As a date by the server's own clock, whatever that shows; a day becomes an hour for every event that waits.
    const at = Date.UTC(2001, 0, 1);
    answers(new Date(at + DAY).toUTCString(), { Date: new Date(at).toUTCString() });
    await office.pass(MINUTE);
    expect(office.receiver.messages).toHaveLength(2);
    for (const { retry_at } of await office.deliveries())
      expect(retry_at).toBe(new Date(now() + HOUR).toISOString());
    office.receiver.accept();
    await office.pass(HOUR - SECOND);
    expect(office.receiver.messages).toHaveLength(2);
    await office.pass(SECOND);
    expect((await office.deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    // The pause is over for good.
    await office.fax();
    await office.gateway.processAll();
    expect(office.receiver.messages).toHaveLength(5);
  });

  test('rule (webhooks): an integration is sent only what it may see, by its rights when the event is sent', async () => {
    const { administrator } = office;
    const integration = await administrator.integration('Lab system');
    const mailbox = await administrator.mailbox(`Lab ${name}`);
    await administrator.rule('+12025550177', mailbox);
    const role = await administrator.role(`Lab ${name}`, ['inbound:list']);
    const assignment = await administrator.assign(integration, role, `mailbox:${mailbox.id}`);
    await office.connect({ integration_id: integration.id });
    await office.inbound.notify(office.inbound.arrive({ to: OWN_NUMBER }));
    await office.gateway.processAll();
    expect(office.receiver.messages).toEqual([]);
    expect(await office.deliveries()).toEqual([]);
    office.receiver.refuse();
    await office.inbound.notify(office.inbound.arrive({ to: '+12025550177' }));
    await office.gateway.processAll();
    expect(office.receiver.types).toEqual(['inbound.received']);
    office.receiver.clear();
    await administrator.sendOk('POST', `/access/assignments/${assignment.id}/remove`, {
      version: assignment.version,
    });
    await office.pass(HOUR);
    expect(office.receiver.messages).toEqual([]);
    expect(await office.only()).toMatchObject({
      state: 'skipped',
      sentence: 'The integration may no longer see this.',
    });
  });

  test('rule (webhooks): a work item is announced once when nobody acknowledged it in time', async () => {
    await office.connect({ events: ['work.overdue'] });
    await office.gateway.set({ WORK_ACKNOWLEDGE_HOURS: 1 });
    await office.inbound.notify(office.inbound.arrive());
    await office.gateway.set({ WORK_ACKNOWLEDGE_HOURS: 0 });
    await office.pass(59 * MINUTE);
    expect(office.receiver.messages).toEqual([]);
    for (let minute = 0; minute < 3; minute += 1) await office.pass(MINUTE);
    const [fax] = await office.inbound.list();
    const [, { items }] = await office.request('GET', '/work?view=overdue');
    const item = items.find(({ inbound_fax_id }: { inbound_fax_id: string }) => inbound_fax_id === fax?.id);
    expect(office.receiver.messages.map(({ body }) => JSON.parse(body).data)).toEqual([
      { id: item.id, fax_id: fax?.id, state: 'overdue' },
    ]);
  });

  test('rule (webhooks): a webhook that does not answer delays no other', async () => {
    const others = await Promise.all(Array.from({ length: 11 }, () => WebhookReceiver.start()));
    await office.connect();
    for (const { url } of others) await office.connect({ url });
    const held: (() => void)[] = [];
    const hangs = new Promise<void>((resolve) => {
      office.receiver.answer = (response) => {
        held.push(() => void response.writeHead(204).end());
        resolve();
      };
    });
    await office.fax();
    const working = office.gateway.processAll();
    await hangs;
    await expect
      .poll(() => others.map(({ messages }) => messages.length), { timeout: 9_000 })
      .toEqual(others.map(() => 1));
    // A delivery is recorded just after its message arrived.
    await expect.poll(() => office.deliveries('?state=waiting'), { timeout: 9_000 }).toHaveLength(1);
    for (const release of held) release();
    await working;
    expect(await office.deliveries('?state=delivered')).toHaveLength(12);
    for (const other of others) await other.close();
  });

  test('rule (webhooks): a secret is shown once, and the former one signs as well until its time is over', async () => {
    const { id, secret, version } = await office.connect();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    expect(JSON.stringify(await office.endpoint(id))).not.toContain('whsec_');
    const [status, replaced] = await office.request('POST', `/webhooks/endpoints/${id}/secret`, {
      overlap_hours: 2,
      version,
    });
    expect(status).toBe(200);
    const test = async () => {
      await office.request('POST', `/webhooks/endpoints/${id}/test`);
      await office.gateway.processAll();
      const message = office.receiver.messages.at(-1);
      if (!message) throw new Error('no message came');
      return message;
    };
    const both = await test();
    for (const one of [secret, replaced.secret])
      expect(verify(one, both, now())).toMatchObject({ type: 'webhook.test', data: { endpoint_id: id } });
    await office.pass(2 * HOUR);
    const after = await test();
    expect(verify(replaced.secret, after, now())).toMatchObject({ type: 'webhook.test' });
    expect(() => verify(secret, after, now())).toThrow('No matching signature found');
  });
});
