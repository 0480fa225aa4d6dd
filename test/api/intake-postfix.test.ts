import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { partOf } from '../setup/mail-server.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { Postfix, postfixUnavailable } from '../setup/postfix.ts';
import { ONE_PAGE, SENDER } from './inbound-setup.ts';
import { ALICE, BOB, CAROL, type Delivery, IntakeGateway, statesOf } from './intake-setup.ts';

const NOBODY = 'nobody@example.com';
const SENDERS = {
  'later@example.org': '451 4.7.1 Come back later',
  'never@example.org': '554 5.7.1 Not from you',
};

let intake: IntakeGateway;
let postfix: Postfix;
let root: Awaited<ReturnType<typeof issueRoot>>;
beforeAll(async () => {
  if (postfixUnavailable() !== null) return;
  root = await issueRoot('Example root', Date.now());
  const { certificate, key } = await issueServer(root, ['localhost'], Date.now());
  intake = await IntakeGateway.start();
  postfix = await Postfix.start({ certificate, key, senders: SENDERS, maxBytes: 2_000_000 });
});
beforeEach((context) => {
  const reason = postfixUnavailable();
  if (reason !== null) context.skip(reason);
});
afterEach(async () => {
  if (postfixUnavailable() !== null) return;
  await intake.clear();
  await postfix.clear();
});
afterAll(async () => {
  await intake?.close();
  await postfix?.close();
});

const connect = (given: object = {}) => intake.connect({ port: postfix.port, ...given });

async function change({ id, version }: { id: string; version: number }, given: object): Promise<void> {
  const fields = intake.fields({ port: postfix.port, version, ...given });
  const [status, answer] = await intake.request('PUT', `/intake/connectors/${id}`, fields);
  expect([status, answer.detail]).toEqual([200, undefined]);
}

/** Has a fax come in and its e-mail be tried once. */
async function tried(given: { document?: Buffer } = {}): Promise<Delivery> {
  const fax = await intake.receive(given);
  await intake.gateway.processAll();
  return intake.delivery(fax);
}

test('a fax comes to the inbox of every recipient once, over TLS, whole', async () => {
  const before = getCACertificates('default');
  await connect({ host: 'localhost', security: 'starttls', recipients: [ALICE, BOB] });
  // No authority of ours has signed its certificate.
  const refused = await tried();
  expect(refused).toMatchObject({
    state: 'received',
    sentence: expect.stringMatching(/^The certificate of localhost is not from an authority/u),
  });
  expect(await postfix.counts()).toEqual({});
  try {
    setDefaultCACertificates([...before, root.certificate]);
    await intake.pass(MINUTE);
  } finally {
    setDefaultCACertificates(before);
  }
  expect(await intake.delivery(refused.fax_id)).toMatchObject({ state: 'delivered' });
  await intake.pass(3 * DAY);
  const { [ALICE]: [mail = '', second] = [], [BOB]: others = [] } = await postfix.inboxes();
  expect([second, others.length]).toEqual([undefined, 1]);
  const [head] = mail.split('\n\n');
  expect(head).toContain(refused.message_id);
  expect(head).toContain(`Subject: Fax from ${SENDER}`);
  expect(head).toMatch(/with ESMTPS/u);
  expect(partOf({ from: '', to: [], raw: mail }, 'application/pdf').equals(ONE_PAGE)).toBe(true);
});

test('one recipient of three that it does not know is refused alone, and asked again alone', async () => {
  const connector = await connect({ recipients: [ALICE, NOBODY, BOB] });
  const { fax_id, ...item } = await tried();
  expect(statesOf({ fax_id, ...item })).toEqual({
    [ALICE]: 'delivered',
    [BOB]: 'delivered',
    [NOBODY]: 'refused',
  });
  expect(item.sentence).toMatch(/1 of 3 recipients: nobody@example.com/u);
  await intake.pass(HOUR);
  await change(connector, { recipients: [ALICE, CAROL, BOB] });
  await intake.pass(2 * HOUR);
  expect(await intake.delivery(fax_id)).toMatchObject({ state: 'delivered' });
  expect(await postfix.counts()).toEqual({ [ALICE]: 1, [BOB]: 1, [CAROL]: 1 });
});

test('what it refuses for now or for good is told in its words, and sent once when it is taken', async () => {
  const connector = await connect({ from_address: 'later@example.org' });
  const { fax_id, ...later } = await tried();
  expect(later).toMatchObject({ state: 'received', sentence: expect.stringContaining('451 4.7.1') });
  await change(connector, { from_address: 'never@example.org' });
  await intake.pass(HOUR);
  expect(await intake.delivery(fax_id)).toMatchObject({
    state: 'received',
    sentence: expect.stringContaining('554 5.7.1'),
  });
  expect(await postfix.counts()).toEqual({});
  await change({ ...connector, version: connector.version + 1 }, {});
  await intake.pass(2 * HOUR);
  expect(await intake.delivery(fax_id)).toMatchObject({ state: 'delivered' });
  expect(await postfix.counts()).toEqual({ [ALICE]: 1 });
});

test('a document that is too large for it is refused before it is sent, and fails after a day', async () => {
  await connect();
  const document = Buffer.concat([textPdf(1), Buffer.from(`\n%${'x'.repeat(3_000_000)}\n`)]);
  const { fax_id, sentence } = await tried({ document });
  expect(sentence).toMatch(/larger|size/u);
  for (let hour = 0; hour < 30; hour += 1) await intake.pass(HOUR);
  expect(await intake.delivery(fax_id)).toMatchObject({ state: 'failed' });
  expect(await postfix.counts()).toEqual({});
});

test('while it is gone for an hour faxes wait, and then each is sent once', async () => {
  await connect({ recipients: [ALICE, BOB] });
  await postfix.end();
  const one = await tried();
  expect(one).toMatchObject({ state: 'received', sentence: expect.stringContaining('refuses connections') });
  await intake.pass(30 * MINUTE);
  const two = await tried();
  await intake.pass(30 * MINUTE);
  await postfix.begin();
  await intake.pass(HOUR);
  for (const { fax_id } of [one, two])
    expect(await intake.delivery(fax_id)).toMatchObject({ state: 'delivered' });
  await intake.pass(DAY);
  expect(await postfix.counts()).toEqual({ [ALICE]: 2, [BOB]: 2 });
});

test('cut before its answer to a whole message, it has the fax once and Faxdesk a doubt', async () => {
  const line = await lineCutAfterDot(postfix.port);
  try {
    await intake.connect({ port: line.port, recipients: [ALICE, BOB] });
    const { fax_id, ...item } = await tried();
    expect(item).toMatchObject({
      state: 'uncertain',
      sentence: expect.stringContaining('before the answer'),
    });
    await intake.pass(3 * DAY);
    expect(await intake.delivery(fax_id)).toMatchObject({ state: 'uncertain' });
    expect(await postfix.counts()).toEqual({ [ALICE]: 1, [BOB]: 1 });
    const { id, version } = item;
    await intake.request('POST', `/intake/items/${id}/confirm`, { outcome: 'arrived', version });
    await intake.pass(DAY);
    expect(await postfix.counts()).toEqual({ [ALICE]: 1, [BOB]: 1 });
  } finally {
    await line.close();
  }
});

/** A line to the server on which its answer to the whole message comes no more, although the server has it. */
async function lineCutAfterDot(port: number): Promise<CutOffProxy> {
  let cut = async () => {};
  const line = await startCutOffProxy({ host: '127.0.0.1', port }, () => ({
    toTarget: () => undefined,
    // Before it is brought to the client.
    toClient: (bytes) => {
      if (/^250 2\.0\.0 Ok: queued/mu.test(bytes.toString())) void cut();
    },
  }));
  cut = () => line.cut();
  return line;
}
