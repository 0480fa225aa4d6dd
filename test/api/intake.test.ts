import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { eventually } from '../setup/eventually.ts';
import { partOf, type ReceivedMail } from '../setup/mail-server.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { keyWith, listen } from './console-stream.ts';
import { ONE_PAGE, OWN_NUMBER, PUBLIC_URL, SENDER } from './inbound-setup.ts';
import { ALICE, BOB, CAROL, type Delivery, IntakeGateway, statesOf } from './intake-setup.ts';

let intake: IntakeGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
});
afterEach(() => intake.clear());
afterAll(() => intake.close());

const sent = () => intake.mail.mails.map(({ to }) => to);
const retry = (id: string) => intake.request('POST', `/intake/items/${id}/retry`);

/** Returns the text of a message, with lines joined and without its attachment. */
function textOf(mail: ReceivedMail | undefined): string {
  const text = mail?.raw.replaceAll(/\r\n (?=\S)|\r\n\t/gu, ' ').replaceAll(/=\r\n/gu, '') ?? '';
  return text.replaceAll(/^[\w+/=]{60,}$/gmu, '').slice(0, 8_000);
}

/** Receives a fax, tries its e-mail once, and returns the e-mail delivery. */
async function receiveAndTry(): Promise<Delivery> {
  const fax = await intake.receive();
  await intake.gateway.processAll();
  return intake.delivery(fax);
}

describe('a received fax', () => {
  test('with pages that may be missing is marked so in the e-mail', async () => {
    await intake.connect();
    await intake.receive({ pages: 3 });
    await intake.gateway.processAll();
    expect(textOf(intake.mail.mails[0])).toContain(
      'Pages may be missing: Phaxio counted 3 pages, but only 1 arrived.',
    );
  });

  test('is e-mailed to every recipient once, unchanged, and each delivery is recorded', async () => {
    const json = { name: 'Dr. <Good> & Sons', fax_number: SENDER };
    const [, contact] = await intake.request('POST', '/contacts', json);
    const subject_template = '{contact}: {pages} from {from_number} to {to_number}, {mailbox}';
    await intake.connect({ recipients: [ALICE, BOB], subject_template });
    const fax = await intake.receive();
    // The e-mail is queued in the transaction that files the fax, and sent by a job.
    expect(await intake.delivery(fax)).toMatchObject({ state: 'received', version: 1 });
    expect(sent()).toEqual([]);
    await intake.gateway.processAll();
    await intake.pass(3 * DAY);
    expect(sent()).toEqual([[ALICE, BOB]]);
    const [mail] = intake.mail.mails;
    const at = '2026-11-21T09:00:00.000Z';
    const item = await intake.delivery(fax);
    expect(item).toMatchObject({
      fax: {
        from_number: SENDER,
        to_number: OWN_NUMBER,
        pages: 1,
        filed_at: at,
        contact: { name: json.name },
      },
      connector: { name: 'Front desk' },
      state: 'delivered',
      sentence: null,
      recipients: [
        { address: ALICE, state: 'delivered', sentence: null, at },
        { address: BOB, state: 'delivered', sentence: null, at },
      ],
    });
    const text = textOf(mail);
    for (const part of [
      `Message-ID: ${item.message_id}`,
      'Auto-Submitted: auto-generated',
      'filename=fax-12025550199-2026-11-21.pdf',
      `Subject: Dr. <Good> & Sons: 1 from ${SENDER} to ${OWN_NUMBER}, no mailbox`,
      'Dr. &lt;Good&gt; &amp; Sons (+12025550199)',
    ])
      expect(text).toContain(part);
    const pdf = partOf(mail, 'application/pdf');
    const [, { sha256 }] = await intake.request('GET', `/inbound/${fax}`);
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(sha256);
    expect(pdf.equals(ONE_PAGE)).toBe(true);
    await intake.request('POST', `/contacts/${contact.id}/remove`, { version: 1 });
  });

  test('rule (crossings): received faxes, work items and e-mails with a received document are counted in `/metrics`', async () => {
    await intake.connect();
    const counted = async () => {
      const text = await (await intake.gateway.request('GET', '/metrics')).text();
      const named = [
        'received_faxes{state="received"}',
        'work_items{state="open"}',
        'email_deliveries{state="delivered"}',
      ];
      return named.map((name) => Number(text.split(`faxdesk_${name} `)[1]?.split('\n')[0] ?? 0));
    };
    const before = await counted();
    await intake.receive();
    await intake.gateway.processAll();
    expect(await counted()).toEqual(before.map((count) => count + 1));
  });

  test('is not sent while it waits for its document', async () => {
    await intake.connect();
    const fax = intake.inbound.arrive();
    await intake.inbound.notifyBare(fax);
    expect(await intake.deliveries('?state=received')).toEqual([]);
    await intake.gateway.processAll();
    expect(sent()).toEqual([[ALICE]]);
  });

  test('uses every connector of its number, and those for any number only without one', async () => {
    await intake.connect({ name: 'Any', recipients: [ALICE] });
    const exact = { match_number: OWN_NUMBER };
    await intake.connect({ name: 'First', recipients: [BOB], ...exact });
    await intake.connect({ name: 'Second', recipients: [CAROL], ...exact });
    await intake.connect({ name: 'Off', recipients: ['off@example.com'], ...exact, enabled: false });
    await intake.receive();
    await intake.receive({ to: '+12025550177' });
    await intake.gateway.processAll();
    expect(intake.mail.inboxes).toEqual({ [ALICE]: 1, [BOB]: 1, [CAROL]: 1 });
  });

  test('is reported to people who may see e-mail deliveries, its facts only to those who may see the fax', async () => {
    const key = await keyWith(intake.gateway, 'mailboxes:read');
    const reader = await listen(intake.gateway, { key });
    const other = await listen(intake.gateway, { key: await keyWith(intake.gateway, 'contacts:read') });
    await intake.connect();
    const { id } = await receiveAndTry();
    const versions = () =>
      reader.events.filter(({ kind }) => kind === 'intake.changed').map(({ data }) => data);
    await eventually(() => expect(versions()).toEqual([1, 2, 3].map((version) => ({ id, version }))));
    expect(other.events).toEqual([]);
    const [, { items }] = await intake.request('GET', `/intake/items?ids=${id}`, undefined, key);
    expect(items).toMatchObject([{ id, fax: null, state: 'delivered' }]);
    await Promise.all([reader.close(), other.close()]);
  });
});

describe('an e-mail that is refused', () => {
  test('by one of three recipients reaches the other two, and is retried for that one alone', async () => {
    intake.mail.faults = { recipients: { [BOB]: { code: 550, text: 'No such user' } } };
    const connector = await intake.connect({ recipients: [ALICE, BOB, CAROL] });
    const first = await receiveAndTry();
    expect(first).toMatchObject({
      state: 'received',
      failures: 1,
      sentence: `The e-mail server refused 1 of 3 recipients: ${BOB}.`,
      retry_at: '2026-11-24T09:01:00.000Z',
    });
    expect(statesOf(first)).toEqual({ [ALICE]: 'delivered', [BOB]: 'refused', [CAROL]: 'delivered' });
    await intake.pass(MINUTE);
    expect(sent()).toEqual([[ALICE, CAROL]]);
    // The address was wrong; the right one gets it, and nobody twice.
    const corrected = intake.fields({
      recipients: [ALICE, 'bob2@example.com', CAROL],
      version: connector.version,
    });
    await intake.request('PUT', `/intake/connectors/${connector.id}`, corrected);
    await intake.pass(5 * MINUTE);
    expect(sent()).toEqual([[ALICE, CAROL], ['bob2@example.com']]);
    expect(statesOf(await intake.delivery(first.fax_id))).toEqual({
      [ALICE]: 'delivered',
      'bob2@example.com': 'delivered',
      [CAROL]: 'delivered',
    });
  });

  test('is tried after 1, 5, 15 and 60 minutes, then every hour for a day, and then waits for a person', async () => {
    await intake.connect();
    intake.mail.faults = { message: { code: 554, text: 'No' } };
    let tries = 0;
    intake.mail.onBegin = () => {
      tries += 1;
    };
    const { id, fax_id } = await receiveAndTry();
    for (const [index, minutes] of [1, 5, 15, 60, 60].entries()) {
      await intake.pass(minutes * MINUTE - 1);
      expect(tries).toBe(index + 1);
      await intake.pass(1);
      expect(tries).toBe(index + 2);
      // Temporary and permanent refusals are retried alike, since people repair servers.
      intake.mail.faults = { message: { code: 451, text: 'Try later' } };
    }
    for (let hour = 2; hour <= 25; hour += 1) await intake.pass(HOUR);
    expect(tries).toBe(29);
    expect(await intake.delivery(fax_id)).toMatchObject({
      state: 'failed',
      sentence: 'The e-mail server refused the message: 451 Try later.',
      retry_at: null,
      failures: 29,
    });
    expect((await intake.request('GET', '/intake/items'))[1].counts.failed).toBe(1);
    intake.mail.faults = {};
    expect(await retry(id)).toMatchObject([200, { state: 'received', failures: 0 }]);
    await intake.gateway.processAll();
    expect([sent(), (await retry(id))[0]]).toEqual([[[ALICE]], 409]);
    intake.mail.onBegin = () => undefined;
  });

  test('is not sent after the retention removed its document, and its record stays with the fax', async () => {
    await intake.connect();
    intake.mail.faults = { sender: { code: 451, text: 'Later' } };
    const { id } = await receiveAndTry();
    await intake.gateway.set({ INBOUND_RETENTION_DAYS: 1 });
    for (let day = 0; day < 3; day += 1) {
      intake.gateway.clock.advance(DAY);
      await intake.gateway.processAll();
    }
    intake.mail.faults = {};
    await retry(id);
    await intake.gateway.processAll();
    expect(sent()).toEqual([]);
    expect(await intake.deliveries('?state=failed')).toMatchObject([
      { id, sentence: 'The document of the fax was deleted.' },
    ]);
    await intake.gateway.set({ INBOUND_RETENTION_DAYS: null });
  });

  test('because the server is away for an hour is sent once when it is back', async () => {
    await intake.connect();
    await intake.mail.close();
    const { fax_id, sentence } = await receiveAndTry();
    expect(sentence).toBe(`127.0.0.1 refuses connections on port ${intake.mail.port}.`);
    for (const minutes of [1, 5, 15, 39]) await intake.pass(minutes * MINUTE);
    intake.mail = await intake.mail.returned();
    await intake.pass(HOUR);
    await intake.pass(DAY);
    expect([sent(), (await intake.delivery(fax_id)).state]).toEqual([[[ALICE]], 'delivered']);
  });

  test('with a connection that was cut before the message is tried again', async () => {
    await intake.connect();
    intake.mail.faults = { cut: 'before data' };
    expect(await receiveAndTry()).toMatchObject({
      state: 'received',
      sentence: 'The connection to 127.0.0.1 was lost before the message was sent.',
    });
    intake.mail.faults = {};
    await intake.pass(MINUTE);
    expect(sent()).toEqual([[ALICE]]);
  });

  test('because its connector is off or removed has a sentence that says so', async () => {
    const connector = await intake.connect();
    const fax = await intake.receive();
    const { version } = connector;
    await intake.request(
      'PUT',
      `/intake/connectors/${connector.id}`,
      intake.fields({ enabled: false, version }),
    );
    await intake.gateway.processAll();
    expect(await intake.delivery(fax)).toMatchObject({
      state: 'received',
      sentence: 'The e-mail connector is off.',
    });
    await intake.request('POST', `/intake/connectors/${connector.id}/remove`, { version: version + 1 });
    await intake.pass(MINUTE);
    expect(await intake.delivery(fax)).toMatchObject({
      state: 'failed',
      sentence: 'The e-mail connector was removed.',
    });
    expect(sent()).toEqual([]);
  });
});

describe('a document that is too large for e-mail', () => {
  test('waits for a person, or is sent as a link where a setting allows that', async () => {
    await intake.gateway.set({ MAIL_ATTACHMENT_MB: 1 });
    const large = Buffer.concat([textPdf(1), Buffer.from(`\n%${'x'.repeat(1_500_000)}\n`)]);
    await intake.connect();
    const fax = await intake.receive({ document: large });
    await intake.gateway.processAll();
    const item = await intake.delivery(fax);
    expect(item).toMatchObject({
      state: 'failed',
      sentence: 'The document has 2 MB; attachments can have at most 1 MB.',
    });
    await intake.gateway.set({ MAIL_LINK_WHEN_LARGE: true });
    await retry(item.id);
    await intake.gateway.processAll();
    const text = textOf(intake.mail.mails[0]);
    expect(text).not.toContain('application/pdf');
    expect(text).toContain(`${PUBLIC_URL}/admin/ui/inbox/${fax}`);
    await intake.gateway.set({ MAIL_ATTACHMENT_MB: 20, MAIL_LINK_WHEN_LARGE: false });
  });

  test('because of the limit of the server is refused before it is sent', async () => {
    let begun = 0;
    const connector = await intake.connect();
    const small = await intake.mail.sized(100_000);
    small.onBegin = () => {
      begun += 1;
    };
    const fields = intake.fields({ port: small.port, version: connector.version });
    await intake.request('PUT', `/intake/connectors/${connector.id}`, fields);
    expect(await receiveAndTry()).toMatchObject({
      state: 'received',
      failures: 1,
      sentence: expect.stringMatching(/larger|size/u),
    });
    expect(begun).toBe(0);
    await small.close();
  });
});
