import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import type { MailReplyTable } from '../../server/db/schema/mail-to-fax.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../setup/mail-server.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { ANN, elsewhere, MailGateway, type Message, NUMBER, signed } from './mail-to-fax-setup.ts';

const FROM = 'fax@office.example';

/** One for all tests of the file: each looks at the replies that it caused. */
let shared: { readonly office: MailGateway; readonly server: MailServer } | null = null;
let office: MailGateway;
let server: MailServer;
beforeEach(async (context) => {
  shared ??= await started(await MailGateway.start(context));
  ({ office, server } = shared);
  // None of the replies of before counts for this hour.
  await office.poll(HOUR);
  await office.gateway.set({ MAIL_TO_FAX_REPLY_CONNECTOR: 'Replies' });
  server.faults = {};
  server.mails.length = 0;
});
afterAll(async () => {
  await shared?.office.close();
  await shared?.server.close();
});

async function started(gateway: MailGateway) {
  const smtp = await startMailServer();
  await connect(gateway, smtp, { name: 'Replies', from_address: FROM });
  return { office: gateway, server: smtp };
}

async function connect(gateway: MailGateway, { port }: MailServer, given: object): Promise<void> {
  const [status] = await gateway.request('POST', '/intake/connectors', {
    enabled: false,
    host: '127.0.0.1',
    port,
    security: 'none',
    recipients: ['office@office.example'],
    ...given,
  });
  expect(status).toBe(201);
}

/** Delivers a message, runs everything that is due twice, and returns the recorded outcome. */
async function taken(message: string | Uint8Array): Promise<Message> {
  await office.dovecot.deliver(message);
  const id = (await office.poll()).at(-1)?.id ?? '';
  return now(id);
}

async function now(id: string, ms = MINUTE): Promise<Message> {
  const message = (await office.poll(ms)).find((each) => each.id === id);
  if (!message) throw new Error('the message is not there');
  return message;
}

const repliesOf = ({ replies }: Message) =>
  Object.fromEntries(replies.map(({ kind, state }) => [kind, state]));
const words = ({ raw }: ReceivedMail) => raw.replaceAll(/=\r\n/gu, '');
const header = (mail: ReceivedMail | undefined, name: string) =>
  new RegExp(`^${name}: (.*)\\r$`, 'mu').exec(mail?.raw.replaceAll(/\r\n[ \t]+/gu, ' ') ?? '')?.[1];

async function endFax(message: Message, status: string): Promise<void> {
  const { provider_sid } = await office.gateway.fax(message.fax_id ?? '');
  office.gateway.emulator.complete(String(provider_sid), { status });
  await office.poll(10 * MINUTE);
}

test('a sender gets a reply that the fax was accepted, and when it was delivered, once each', async () => {
  const message = await taken(
    await signed({ messageId: '<asks@clinic.example>', subject: `Fax to ${NUMBER}` }),
  );
  expect(repliesOf(message)).toEqual({ accepted: 'sent', ended: 'pending' });
  const [mail, more] = server.mails;
  expect([mail?.from, mail?.to, more]).toEqual([FROM, [ANN], undefined]);
  expect(
    ['In-Reply-To', 'References', 'Auto-Submitted', 'Subject', 'Message-ID'].map((name) =>
      header(mail, name),
    ),
  ).toEqual([
    '<asks@clinic.example>',
    '<asks@clinic.example>',
    'auto-replied',
    `Re: Fax to ${NUMBER}`,
    expect.stringMatching(new RegExp(`^<reply\\.${message.id}\\.accepted\\..*@office\\.example>$`, 'u')),
  ]);
  expect(words(mail as ReceivedMail)).toContain(`Your fax to ${NUMBER} was accepted: 1 page.`);
  await endFax(message, 'success');
  expect(repliesOf(await now(message.id, HOUR))).toEqual({ accepted: 'sent', ended: 'sent' });
  expect(server.mails.map(words)).toEqual([
    expect.anything(),
    expect.stringMatching(/Your fax to \+12025550123 was delivered on .*: 1 page\./u),
  ]);
  for (const { raw } of server.mails) expect(raw).not.toContain('letter');
});

test('a sender gets replies about a refusal, a failure, and a question to them', async () => {
  const refused = await taken(await signed({ subject: 'Referral' }));
  expect(repliesOf(refused)).toEqual({ refused: 'sent' });
  expect(server.mails.map(words)[0]).toMatch(/was not sent as a fax\.\r\nNo fax number was found/u);
  const failed = await taken(await signed());
  await endFax(failed, 'failure');
  expect(repliesOf(await now(failed.id, 3 * MINUTE))).toEqual({ accepted: 'sent', ended: 'sent' });
  expect(words(server.mails.at(-1) as ReceivedMail)).toMatch(/Your fax to \+12025550123 failed on /u);
  office.gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
  const doubted = await taken(await signed());
  expect(repliesOf(await now(doubted.id))).toEqual({ accepted: 'sent', asked: 'sent', ended: 'pending' });
  expect(words(server.mails.at(-1) as ReceivedMail)).toContain('Ask the recipient, then enter in Faxdesk');
  const { delivery_version } = await office.gateway.fax(doubted.fax_id ?? '');
  const decision = { delivery_version, outcome: 'success', note: 'The recipient has it.' };
  expect((await office.request('POST', `/fax/${doubted.fax_id}/reconcile`, decision))[0]).toBe(200);
  expect(repliesOf(await now(doubted.id))).toEqual({ accepted: 'sent', asked: 'sent', ended: 'sent' });
  expect(words(server.mails.at(-1) as ReceivedMail)).toContain('was delivered on');
});

test('rule (mail-to-fax): only a listed sender who passed DMARC gets a reply, never a program and never Faxdesk itself', async () => {
  const messages = [
    await signed({ from: 'eve@elsewhere.example' }, elsewhere),
    await signed({}, elsewhere),
    (await signed()).toString('latin1').replace(NUMBER, '+12025550199'),
    await signed({ headers: { 'Auto-Submitted': 'auto-replied' } }),
    await signed({ headers: { Precedence: 'bulk' } }),
    await signed({ headers: { Precedence: 'list' } }),
    await signed({ headers: { 'List-Id': '<staff.clinic.example>' } }),
    await signed({ headers: { 'Return-Path': '<>' } }),
    '\r\n\r\n\0\0',
  ];
  const known = (await office.messages()).length;
  await office.dovecot.deliver(...messages);
  await office.poll();
  const found = (await office.poll()).slice(known);
  expect(found.map(({ replies }) => replies)).toEqual(messages.map(() => []));
  await connect(office, server, { name: 'Own', from_address: ANN });
  expect((await taken(await signed({ subject: 'Referral' }))).replies).toMatchObject([
    { state: 'skipped', sentence: 'The address is one of Faxdesk itself.' },
  ]);
  const [, { items }] = await office.request('GET', '/intake/connectors');
  const { id, version } = items.find(({ name }: { name: string }) => name === 'Own');
  await office.request('POST', `/intake/connectors/${id}/remove`, { version });
  expect(server.mails).toEqual([]);
});

test('without a connector nobody is answered, and one that is missing is tried again', async () => {
  await office.gateway.set({ MAIL_TO_FAX_REPLY_CONNECTOR: null });
  expect((await taken(await signed())).replies).toEqual([]);
  await office.gateway.set({ MAIL_TO_FAX_REPLY_CONNECTOR: 'nobody' });
  const message = await taken(await signed({ subject: 'Referral' }));
  expect(message.replies).toMatchObject([
    { state: 'waiting', sentence: 'There is no e-mail connector named “nobody”.' },
  ]);
  await office.gateway.set({ MAIL_TO_FAX_REPLY_CONNECTOR: 'Replies' });
  expect(repliesOf(await now(message.id, 5 * MINUTE))).toEqual({ refused: 'sent' });
});

test('a reply that may have arrived is not sent again, and one that was refused is', async () => {
  server.faults = { cut: 'after keeping' };
  const doubted = await taken(await signed({ subject: 'Referral' }));
  expect(repliesOf(doubted)).toEqual({ refused: 'uncertain' });
  server.faults = { message: { code: 451, text: 'Later' } };
  const later = await taken(await signed({ subject: 'Referral' }));
  expect(later.replies).toMatchObject([{ state: 'waiting', sentence: expect.stringContaining('451 Later') }]);
  server.faults = {};
  expect(repliesOf(await now(later.id, 5 * MINUTE))).toEqual({ refused: 'sent' });
  expect(repliesOf(await now(doubted.id, DAY))).toEqual({ refused: 'uncertain' });
  expect(server.mails).toHaveLength(2);
});

test('rule (mail-to-fax): a reply is recorded with the decision about its message and is sent at most once', async () => {
  server.faults = { message: { code: 451, text: 'Later' } };
  const [begun, recorded] = [
    await taken(await signed({ subject: 'A' })),
    await taken(await signed({ subject: 'B' })),
  ];
  server.faults = {};
  await office.gateway.stop();
  // States left behind by a gateway killed after the first byte, and by one killed before it.
  await leave(begun.id, { state: 'sending', retry_at: null });
  await leave(recorded.id, { state: 'waiting', retry_at: null, failures: 0 });
  await office.restart();
  expect(repliesOf(await now(begun.id))).toEqual({ refused: 'uncertain' });
  expect(repliesOf(await now(recorded.id))).toEqual({ refused: 'sent' });
  await office.poll(DAY);
  expect(server.mails.map((mail) => header(mail, 'Subject'))).toEqual(['Re: B']);
});

test('one address gets 30 replies an hour at most', async () => {
  await office.dovecot.deliver(
    ...(await Promise.all(Array.from({ length: 33 }, () => signed({ subject: 'Referral' })))),
  );
  await office.poll();
  const states = (await office.poll()).slice(-33).map((message) => repliesOf(message)['refused']);
  expect(states.filter((state) => state === 'sent')).toHaveLength(30);
  expect(states.filter((state) => state === 'skipped')).toHaveLength(3);
  const fax = await taken(await signed());
  expect(repliesOf(fax)).toEqual({ accepted: 'waiting', ended: 'pending' });
  expect(server.mails).toHaveLength(30);
  expect(repliesOf(await now(fax.id, 2 * HOUR))).toMatchObject({ accepted: 'sent' });
});

async function leave(mailId: string, changes: Partial<MailReplyTable>): Promise<void> {
  const db = openDatabase({
    sqliteFile: join(office.gateway.dataFolder, 'faxdesk.sqlite'),
    postgresUrl: null,
  });
  try {
    await db.transaction((tx) =>
      tx.updateTable('mail_reply').set(changes).where('mail_id', '=', mailId).execute(),
    );
  } finally {
    await db.close();
  }
}
