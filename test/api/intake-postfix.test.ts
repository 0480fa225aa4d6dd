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

/** Receives a fax and attempts its e-mail delivery once. */
async function receiveAndDeliver(given: { document?: Buffer } = {}): Promise<Delivery> {
  const fax = await intake.receive(given);
  await intake.gateway.processAll();
  return intake.delivery(fax);
}

test('a complete fax reaches the inbox of every recipient once, over TLS', async () => {
  const before = getCACertificates('default');
  await connect({ host: 'localhost', security: 'starttls', recipients: [ALICE, BOB] });
  // No authority of ours has signed its certificate.
  const refused = await receiveAndDeliver();
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

test('the one unknown recipient of three is refused alone, and its replacement alone is tried again', async () => {
  const connector = await connect({ recipients: [ALICE, NOBODY, BOB] });
  const { fax_id, ...item } = await receiveAndDeliver();
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

test('temporary and permanent refusals show the words of the server, and the e-mail is sent once when accepted', async () => {
  const connector = await connect({ from_address: 'later@example.org' });
  const { fax_id, ...later } = await receiveAndDeliver();
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

test('a document that is too large for the server is refused before it is sent, and fails after a day', async () => {
  await connect();
  const document = Buffer.concat([textPdf(1), Buffer.from(`\n%${'x'.repeat(3_000_000)}\n`)]);
  const { fax_id, sentence } = await receiveAndDeliver({ document });
  expect(sentence).toMatch(/larger|size/u);
  for (let hour = 0; hour < 30; hour += 1) await intake.pass(HOUR);
  expect(await intake.delivery(fax_id)).toMatchObject({ state: 'failed' });
  expect(await postfix.counts()).toEqual({});
});

test('faxes wait while the server is down for an hour, and then each is sent once', async () => {
  await connect({ recipients: [ALICE, BOB] });
  await postfix.end();
  const one = await receiveAndDeliver();
  expect(one).toMatchObject({ state: 'received', sentence: expect.stringContaining('refuses connections') });
  await intake.pass(30 * MINUTE);
  const two = await receiveAndDeliver();
  await intake.pass(30 * MINUTE);
  await postfix.begin();
  await intake.pass(HOUR);
  for (const { fax_id } of [one, two])
    expect(await intake.delivery(fax_id)).toMatchObject({ state: 'delivered' });
  await intake.pass(DAY);
  expect(await postfix.counts()).toEqual({ [ALICE]: 2, [BOB]: 2 });
});

test('a connection cut before the answer to a complete message leaves one e-mail and an uncertain delivery', async () => {
  const proxy = await cutBeforeAnswer(postfix.port);
  try {
    await intake.connect({ port: proxy.port, recipients: [ALICE, BOB] });
    const { fax_id, ...item } = await receiveAndDeliver();
    expect(item).toMatchObject({
      state: 'uncertain',
      sentence: expect.stringContaining('before the server answered'),
    });
    await intake.pass(3 * DAY);
    expect(await intake.delivery(fax_id)).toMatchObject({ state: 'uncertain' });
    expect(await postfix.counts()).toEqual({ [ALICE]: 1, [BOB]: 1 });
    const { id, version } = item;
    await intake.request('POST', `/intake/items/${id}/confirm`, { outcome: 'arrived', version });
    await intake.pass(DAY);
    expect(await postfix.counts()).toEqual({ [ALICE]: 1, [BOB]: 1 });
  } finally {
    await proxy.close();
  }
});

/** Starts a proxy that cuts the connection before it forwards the answer to a complete message. */
async function cutBeforeAnswer(port: number): Promise<CutOffProxy> {
  let cut = async () => {};
  const proxy = await startCutOffProxy({ host: '127.0.0.1', port }, () => ({
    toTarget: () => undefined,
    // Before it is forwarded to the client.
    toClient: (bytes) => {
      if (/^250 2\.0\.0 Ok: queued/mu.test(bytes.toString())) void cut();
    },
  }));
  cut = () => proxy.cut();
  return proxy;
}
