import { afterAll, beforeEach, expect, test } from 'vitest';
import { MESSAGE_MS } from '../../server/adapters/mail/mail-threads.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import { dnsOf, MailDomain, mail } from '../setup/signed-mail.ts';
import { sessionWith } from './console-stream.ts';
import {
  ANN,
  allowSender,
  clinic,
  elsewhere,
  MailGateway,
  type Message,
  mailboxSettings,
  NUMBER,
  signed,
} from './mail-to-fax-setup.ts';

const MB = 1024 * 1024;

/** A domain whose name servers do not answer. */
const asleep = new MailDomain('asleep.example');
let isSilent = true;
const timers = new ManualTimers();
const dns = dnsOf([clinic, elsewhere]);

/** One for all tests of the file: none looks at what another one left. */
let shared: MailGateway | null = null;
let office: MailGateway;
let known: number;
beforeEach(async (context) => {
  shared ??= await MailGateway.start(context, {
    mailTimers: timers,
    resolveDns: async (name, type) => {
      if (name.endsWith(asleep.name) && isSilent) return new Promise(() => undefined);
      // Of a name that anybody can write into a signature.
      if (name.startsWith('gone.')) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
      return dns(name, type);
    },
  });
  office = shared;
  known = (await office.faxes()).length;
});
afterAll(async () => {
  await shared?.close();
});

async function outcomesOf(...messages: (string | Uint8Array)[]): Promise<Message[]> {
  await office.dovecot.deliver(...messages);
  return (await office.poll()).slice(-messages.length);
}

const statesOf = (messages: readonly Message[]) => messages.map(({ state }) => state);
const newFaxes = async () => (await office.faxes()).length - known;

/** Creates a message from an address that is no sender of that domain, with forged signatures. */
function forged(
  from: string,
  given: { selector?: string; more?: string; body?: string | Buffer } = {},
): Buffer {
  const { selector = 'office', more = '', body = 'A page.' } = given;
  const domain = from.slice(from.indexOf('@') + 1);
  const covered = 'from:to:subject:date:message-id:content-type';
  const signature = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}; h=${covered}; bh=AAAA; b=AAAA\r\n`;
  const head = [
    `From: ${from}`,
    'To: fax@office.example',
    `Subject: ${NUMBER}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${crypto.randomUUID()}@${domain}>`,
  ].join('\r\n');
  const type = more.includes('Content-Type') ? '' : '\r\nContent-Type: text/plain';
  return Buffer.concat([
    Buffer.from(`${signature.repeat(6)}${head}${type}${more}\r\n\r\n`),
    Buffer.from(body),
  ]);
}

/** Parts within parts. */
function nested(depth: number): { more: string; body: string } {
  const bodies = Array.from(
    { length: depth },
    (_, at) => `--${at}\r\nContent-Type: multipart/mixed; boundary=${at + 1}\r\n\r\n`,
  );
  return { more: '\r\nContent-Type: multipart/mixed; boundary=0', body: bodies.join('') };
}

test('no message of a stranger, whatever it is made of, leaves the next one of somebody on the list waiting', async () => {
  let bytes = 0;
  const proxy = await startCutOffProxy({ host: '127.0.0.1', port: office.dovecot.port }, () => ({
    toTarget: () => undefined,
    toClient: (some) => {
      bytes += some.length;
    },
  }));
  await office.gateway.set({ ...mailboxSettings(office.dovecot), MAIL_TO_FAX_PORT: proxy.port });
  try {
    const outcomes = await outcomesOf(
      forged('eve@asleep.example'),
      forged('eve@elsewhere.example', { more: `\r\nX: ${'\r'.repeat(250_000)}a` }),
      forged('eve@elsewhere.example', { more: '\r\nX: a'.repeat(100_000) }),
      forged(ANN, { more: '\r\nX: a'.repeat(4000) }),
      forged(ANN, { selector: 'gone' }),
      forged(ANN, { selector: `${'x.'.repeat(200)}x` }),
      forged(ANN, nested(5000)),
      forged(ANN, { body: Buffer.alloc(20 * MB, '\ta\n') }),
      await signed(),
    );
    expect(statesOf(outcomes)).toEqual([
      // The server itself fails to hand out the second one.
      'refused',
      'waiting',
      'refused',
      'refused',
      'waiting',
      'refused',
      'refused',
      'refused',
      'accepted',
    ]);
    // A large message is fetched once its header has proved who sent it.
    expect(bytes).toBeLessThan(5 * MB);
  } finally {
    await office.gateway.set(mailboxSettings(office.dovecot));
    await proxy.close();
  }
});

test('messages of a listed sender whose name servers never answer hold up no other domain', async () => {
  await allowSender(office.gateway, 'sue@asleep.example');
  const slow = async () =>
    asleep.sign(
      await mail({
        from: 'sue@asleep.example',
        to: 'fax@office.example',
        subject: NUMBER,
        messageId: `<${crypto.randomUUID()}@asleep.example>`,
      }),
    );
  await office.dovecot.deliver(await slow(), await slow(), await signed());
  const before = (await office.messages()).length;
  const looking = office.poll();
  const found = async () => statesOf((await office.messages()).slice(before));
  await expect.poll(found, { interval: 20 }).toEqual(['waiting', 'waiting', 'accepted']);
  let isOver = false;
  const over = looking.then(() => {
    isOver = true;
  });
  await expect
    .poll(
      () => {
        timers.ring(MESSAGE_MS);
        return isOver;
      },
      { interval: 20 },
    )
    .toBe(true);
  await over;
  isSilent = false;
  expect(await found()).toEqual(['waiting', 'waiting', 'accepted']);
});

test('rule (mail-to-fax): sender and Message-ID identify a message, so a repeated one makes no other fax', async () => {
  const message = await signed({ messageId: '<again@clinic.example> (a b)' });
  const respaced = message.toString('latin1').replace('(a b)', '(a  b)');
  const renumbered = await signed({ messageId: '<again@clinic.example> (a b)', subject: '+12025550199' });
  const outcomes = await outcomesOf(message, respaced, renumbered, message);
  expect(statesOf(outcomes)).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate']);
  // In another folder every message has another number, and after a start nobody remembers any.
  await office.dovecot.withClient(async (client) => {
    await client.mailboxCreate('Moved');
    await client.append('Moved', message);
  });
  await office.restart();
  await office.gateway.set({ MAIL_TO_FAX_FOLDER: 'Moved' });
  expect(statesOf(await office.poll()).at(-1)).toBe('duplicate');
  await office.gateway.set({ MAIL_TO_FAX_FOLDER: null });
  expect(await newFaxes()).toBe(1);
});

test('an address that only looks like one on the list sends nothing', async () => {
  const addresses = [
    'ann+x@clinic.example',
    'ann@clinic.example.',
    'ann@x.clinic.example',
    'ann@clınic.example',
    '"ann@clinic.example"@elsewhere.example',
    'ann@clinic.example@elsewhere.example',
  ];
  const from = (address: string) => forged(ANN).toString().replace(`From: ${ANN}`, `From: ${address}`);
  const outcomes = await outcomesOf(...addresses.map(from));
  expect(outcomes.map(({ state, sentence }) => `${state} ${sentence}`)).toEqual(
    addresses.map(() => expect.stringMatching(/^refused .*(?:not on the list|several senders)/u)),
  );
  const [capitals] = await outcomesOf(await signed({ from: 'ANN@Clinic.Example' }));
  expect(capitals?.state).toBe('accepted');
});

test('who may not send as much takes away no address, nor gives one, also in a session that began with a key', async () => {
  const administrator = new AccessAdministrator(office.gateway);
  const role = await administrator.role('People', ['users:manage', 'users:read', 'fax:send']);
  const helper = await administrator.integration('Helper of people');
  await administrator.assign(helper, role);
  const narrow = await administrator.key(helper, ['users:manage', 'users:read']);
  const whole = await administrator.key(helper, ['users:manage', 'users:read', 'fax:send']);
  const dora = await allowSender(office.gateway, 'dora@clinic.example');
  const ask = async (path: string, json: object | undefined, headers: Record<string, string>) => {
    const answer = await office.gateway.request('POST', path, { key: null, json, headers });
    return [answer.status, answer.headers.get('x-error-code')];
  };
  const remove = (headers: Record<string, string>) =>
    ask(`/mail-to-fax/senders/${dora.id}/remove`, undefined, headers);
  const add = (headers: Record<string, string>) =>
    ask('/mail-to-fax/senders', { address: 'ed@clinic.example', principal_id: dora.principal.id }, headers);
  for (const headers of [await sessionWith(office.gateway, narrow.token), { 'X-API-Key': narrow.token }]) {
    expect(await add(headers)).toEqual([403, 'grant_exceeds_giver']);
    expect(await remove(headers)).toEqual([403, 'person_holds_more']);
  }
  const session = await sessionWith(office.gateway, whole.token);
  expect(await remove(session)).toEqual([200, null]);
  expect(await add(session)).toEqual([201, null]);
  expect(statesOf(await outcomesOf(await signed({ from: 'dora@clinic.example' })))).toEqual(['refused']);
});

test('an address is given only by who may send wherever its person may once all is enabled', async () => {
  const administrator = new AccessAdministrator(office.gateway);
  const [north, south] = [
    await administrator.mailbox('North side'),
    await administrator.mailbox('South side'),
  ];
  const sends = await administrator.role('Sends here', ['fax:send']);
  const person = await administrator.integration('Nia of the north');
  const helper = await administrator.integration('Helper in the south');
  const resting = await administrator.role('Sends there', ['fax:send']);
  await administrator.assign(person, sends, `mailbox:${south.id}`);
  await administrator.assign(person, resting, `mailbox:${north.id}`);
  const body = { enabled: false, version: resting.version };
  await administrator.sendOk('PATCH', `/access/roles/${resting.id}`, body);
  await administrator.assign(helper, sends, `mailbox:${south.id}`);
  await administrator.assign(helper, await administrator.role('Manages people', ['users:manage']));
  const { token } = await administrator.key(helper, ['users:manage', 'fax:send']);
  const address = { address: 'nia.north@clinic.example', principal_id: person.id };
  const add = async (key?: string) =>
    (await office.gateway.request('POST', '/mail-to-fax/senders', { json: address, ...(key && { key }) }))
      .status;
  expect(await add(token)).toBe(403);
  expect(await add()).toBe(201);
});
