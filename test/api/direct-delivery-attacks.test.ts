import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { signRequest } from '../../server/features/direct/wire/request-signature.ts';
import { signedText } from '../../server/features/direct/wire/statement.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { partnerRow } from '../setup/direct-partners.ts';
import { type FakePartner, startFakePartner } from '../setup/fake-partner.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { type Office, startOffice } from './direct-setup.ts';

const DOCUMENT = textPdf(1);
const MB = 1024 * 1024;

let office: Office;
let partner: FakePartner;
let other: FakePartner;
let stranger: FakePartner;
let own: { signing_key: string; exchange_key: string };
let db: Database;
beforeAll(async () => {
  office = await startOffice('North Clinic', '+12025550101', {
    settings: { TRUSTED_PROXIES: '127.0.0.1', INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' },
  });
  partner = await startFakePartner('Riverside Pharmacy', '+12025550143');
  other = await startFakePartner('Hill Clinic', '+12025550145');
  stranger = await startFakePartner('Nobody', '+12025550144');
  const answer = await office.gateway.request('GET', '/direct/card');
  own = ((await answer.json()) as { card: typeof own }).card;
  const { dataFolder, clock } = office.gateway;
  db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  const rows = [partnerRow('partner', partner.card(), clock), partnerRow('other', other.card(), clock)];
  await db.transaction(async (tx) => void (await tx.insertInto('direct_partner').values(rows).execute()));
});
afterAll(async () => {
  await db?.close();
  await Promise.all([office?.close(), partner?.close(), other?.close(), stranger?.close()]);
});
// Limits of requests in a minute end.
beforeEach(() => office.gateway.clock.advance(2 * MINUTE));

const now = () => office.gateway.clock.now();
const time = (ahead = 0) => new Date(now() + ahead).toISOString();
const newMessage = () => randomBytes(16).toString('hex');
const refusal = ({ status, headers }: Response) => [status, headers.get('X-Error-Code')];

/** Requests to an address for partners. */
const REQUESTS = {
  verification: (by: FakePartner, at: number, to: string) =>
    post(
      '/direct/verifications',
      signedText(by.sign({ ...by.head('verification', to, at), code: '12345678' })),
    ),
  statement: (by: FakePartner, at: number, to: string) =>
    post('/direct/statements', signedText(by.sign(by.head('revoked', to, at)))),
  document: async (by: FakePartner, at: number, to: string) =>
    upload(
      await by.deliveryForm({ ...own, signing_key: to }, DOCUMENT, { time: new Date(at).toISOString() }),
    ),
  question: (by: FakePartner, at: number) => ask(by, newMessage(), at),
} as const;

const post = (path: string, body: string) =>
  fetch(`${office.gateway.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
const upload = (form: FormData, from = '203.0.113.7') =>
  fetch(`${office.gateway.url}/direct/deliveries`, {
    method: 'POST',
    body: form,
    headers: { 'X-Forwarded-For': from },
  });
function ask(by: FakePartner, messageId: string, at = now()): Promise<Response> {
  const path = `/direct/deliveries/${messageId}`;
  return fetch(`${office.gateway.url}${path}`, {
    headers: signRequest({ method: 'GET', path }, by.signing, at),
  });
}

const rows = () => db.read.selectFrom('direct_delivery').selectAll().execute();
const inbox = async () => {
  const answer = await office.gateway.request('GET', '/inbound?backend=direct');
  return (await answer.json()) as { provider_fax_id: string; source_system: string }[];
};

test('rule (direct): The same refusal has the same code at every address for partners', async () => {
  const { signing } = partner;
  for (const [name, request] of Object.entries(REQUESTS)) {
    expect([name, ...refusal(await request(stranger, now(), own.signing_key))]).toEqual([
      name,
      403,
      'direct_unknown_sender',
    ]);
    const old = await request(partner, now() - 25 * HOUR, own.signing_key);
    expect([name, ...refusal(old)]).toEqual([name, 403, 'direct_not_taken']);
    if (name === 'question') continue;
    const elsewhere = await request(partner, now(), stranger.signingKey);
    expect([name, ...refusal(elsewhere)]).toEqual([name, 403, 'direct_not_taken']);
  }
  // Signed with another key than the one that is named.
  const forged = stranger.sign(partner.head('revoked', own.signing_key, now()));
  expect(refusal(await post('/direct/statements', signedText(forged)))).toEqual([
    403,
    'direct_bad_signature',
  ]);
  const form = await partner.deliveryForm(own, DOCUMENT, { time: time() });
  form.set('signature', forged.signature);
  expect(refusal(await upload(form))).toEqual([403, 'direct_bad_signature']);
  const path = `/direct/deliveries/${newMessage()}`;
  const headers = signRequest({ method: 'GET', path: '/direct/deliveries/other' }, signing, now());
  const question = await fetch(`${office.gateway.url}${path}`, { headers });
  expect(refusal(question)).toEqual([403, 'direct_bad_signature']);
  expect(refusal(await post('/direct/statements', '{}'))).toEqual([400, 'direct_unreadable']);
  form.delete('manifest');
  expect(refusal(await upload(form))).toEqual([400, 'direct_unreadable']);
});

/** Begins an upload of 20 MB and writes until the gateway ends it. Returns its status and the bytes that it took. */
async function pour(manifest: string, signature: string): Promise<{ status: number; taken: number }> {
  const { hostname, port } = new URL(office.gateway.url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  const part = (name: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const head = [
    'POST /direct/deliveries HTTP/1.1',
    `Host: ${hostname}:${port}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${20 * MB}`,
    '',
    `${part('manifest')}${manifest}\r\n${part('signature')}${signature}\r\n${part('document', '; filename="d"')}`,
  ].join('\r\n');
  const answers: Buffer[] = [];
  socket.on('data', (bytes) => answers.push(bytes));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').catch(() => undefined);
  socket.write(head);
  const piece = Buffer.alloc(64 * 1024);
  while (!socket.closed && answers.length === 0 && socket.bytesWritten < 20 * MB) {
    if (!socket.write(piece))
      await Promise.race([once(socket, 'drain'), ended, setTimeout(20)]).catch(() => 0);
    await setTimeout(1);
  }
  const taken = socket.bytesWritten - socket.writableLength;
  socket.destroy();
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/u.exec(Buffer.concat(answers).toString('latin1'))?.[1] ?? 0),
    taken,
  };
}

test('rule (direct): A flood of strangers costs little, is stored nowhere, and keeps no partner out', async () => {
  const before = { rows: await rows(), work: await readdir(join(office.gateway.dataFolder, 'work')) };
  const form = await stranger.deliveryForm(own, DOCUMENT, { time: time() });
  const signed = [form.get('manifest') as string, form.get('signature') as string] as const;
  const poured = await Promise.all(Array.from({ length: 8 }, () => pour(...signed)));
  for (const { status, taken } of poured) {
    expect(status).toBe(403);
    // At most the buffers of the systems between, and far from the document.
    expect(taken).toBeLessThan(8 * MB);
  }
  const flood = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const answer = await upload(form, '198.51.100.9');
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  expect(flood.filter((status) => ![403, 429, 503].includes(status))).toEqual([]);
  // A sender that floods is looked up no longer.
  expect(flood).toContain(429);
  const documents = await inbox();
  const answer = await partner.deliver(office.gateway.url, own, DOCUMENT, { time: time() });
  expect(answer.status).toBe(200);
  expect(await inbox()).toHaveLength(documents.length + 1);
  expect(await readdir(join(office.gateway.dataFolder, 'work'))).toEqual(before.work);
  expect(await rows()).toHaveLength(before.rows.length + 1);
});

test('rule (direct): A fenced id takes no document until the document is too old to be taken', async () => {
  const message_id = newMessage();
  const documents = await inbox();
  // Dated as far ahead as is taken.
  const form = await partner.deliveryForm(own, DOCUMENT, { message_id, time: time(23 * HOUR) });
  const asked = (await (await ask(partner, message_id)).json()) as { statement: { state: string } };
  expect(asked.statement).toMatchObject({ type: 'status', state: 'not_received' });
  for (let day = 0; day < 9; day += 1) {
    const answer = await upload(form);
    const { statement } = (await answer.json()) as { statement: { reason: string } };
    expect([day, answer.status, statement.reason]).toEqual(
      day < 8 ? [day, 409, 'withdrawn'] : [day, 403, 'stale'],
    );
    office.gateway.clock.advance(DAY);
    await office.gateway.processAll();
  }
  expect(await inbox()).toEqual(documents);
  // The refusal has fenced it once more.
  expect(await rows()).toContainEqual(expect.objectContaining({ message_id, state: 'withdrawn' }));
});

test('rule (direct): The id and the manifest of a partner are of no use to another one', async () => {
  const message_id = newMessage();
  const form = await partner.deliveryForm(own, DOCUMENT, { message_id, time: time() });
  const taken = await upload(form);
  const receipt = (await taken.json()) as object;
  expect(taken.status).toBe(200);
  const documents = await inbox();
  // Another partner asks about it, sends its own document under the id, and repeats what the first one sent.
  const asked = (await (await ask(other, message_id)).json()) as { statement: object };
  expect(asked.statement).toMatchObject({ state: 'not_received', to: other.signingKey });
  const second = await other.deliver(office.gateway.url, own, DOCUMENT, { message_id, time: time() });
  expect(second).toMatchObject({
    status: 409,
    statement: { reason: 'other_document', to: other.signingKey },
  });
  const replayed = await upload(form);
  expect([replayed.status, await replayed.json()]).toEqual([200, receipt]);
  expect(await inbox()).toEqual(documents);
  const [first] = documents;
  expect(first).toMatchObject({ provider_fax_id: message_id, source_system: 'Riverside Pharmacy' });
  // Neither does the question change what is known of it.
  const again = (await (await ask(partner, message_id)).json()) as { statement: object };
  expect(again.statement).toMatchObject({ state: 'accepted', receipt });
});
