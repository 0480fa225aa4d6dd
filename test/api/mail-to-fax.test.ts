import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { referee } from '../fixtures/referees.ts';
import { AccessAdministrator } from '../setup/access-administrator.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { mail } from '../setup/signed-mail.ts';
import { needTools } from '../setup/tools.ts';
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

/** One for all tests of the file: none looks at what another one left. */
let shared: MailGateway | null = null;
let office: MailGateway;
let before: string[];
beforeEach(async (context) => {
  shared ??= await MailGateway.start(context);
  office = shared;
  before = (await office.faxes()).map(({ id }) => id);
});
afterAll(async () => {
  await shared?.close();
});

/** The faxes of the running test, oldest first. */
const newFaxes = async () => (await office.faxes()).filter(({ id }) => !before.includes(id));

/** Delivers messages together and returns their outcomes, in their order. */
async function outcomesOf(...messages: (string | Uint8Array)[]): Promise<Message[]> {
  await office.dovecot.deliver(...messages);
  return (await office.poll()).slice(-messages.length);
}

/** Delivers one message and returns its outcome. */
async function outcomeOf(message: string | Uint8Array): Promise<[string, string | null]> {
  const [last] = await outcomesOf(message);
  return [last?.state ?? 'nothing', last?.sentence ?? null];
}

const file = (filename: string, content: string | Buffer = 'A page.') => ({ filename, content });

test('a message of a listed sender becomes a fax with its attachments in their order, once', async () => {
  const [message] = await outcomesOf(await signed({ attachments: [file('letter.txt'), file('note.txt')] }));
  expect(message).toMatchObject({ state: 'accepted', sender: ANN, to_number: NUMBER, sentence: null });
  expect(message?.principal).toEqual(office.sender?.principal);
  const [fax, more] = await newFaxes();
  expect(more).toBeUndefined();
  expect(fax).toMatchObject({ id: message?.fax_id, to: NUMBER, document: { pages: 2 } });
  expect((await office.gateway.history(fax?.id ?? ''))[0]).toMatchObject({
    kind: 'accepted',
    actor: office.sender?.principal.name,
    text: expect.stringContaining('It arrived by e-mail.'),
  });
  expect(await office.dovecot.folders()).toMatchObject({ 'Faxdesk sent': expect.any(Number) });
  await office.poll();
  expect(await newFaxes()).toHaveLength(1);
});

test('the number may stand among words of the subject or in the address', async () => {
  const messages = await outcomesOf(
    await signed({ subject: 'Fwd: Referral to +1 (202) 555-0124' }),
    await signed({ subject: 'Fax: 202-555-0125' }),
    await signed({ subject: 'Referral', to: '+12025550126@office.example' }),
    await signed({ subject: '', to: 'fax+12025550127@office.example' }),
    await signed({ subject: '+12025550128', to: 'eve@elsewhere.example', cc: 'Fax <FAX@office.example>' }),
  );
  expect(messages.map(({ to_number, state }) => `${to_number} ${state}`)).toEqual(
    [124, 125, 126, 127, 128].map((end) => `+12025550${end} accepted`),
  );
});

/** Everything that stands on the pages of a fax, in one line. */
function wordsOf(id: string): string {
  const path = join(office.gateway.dataFolder, 'files', 'fax', `${id}.pdf`);
  return referee('pdftotext', [path, '-']).toString().replaceAll(/\s+/gu, ' ');
}

test('a cover page comes before the attachments, with the text if its setting includes it', async (context) => {
  needTools(context, 'pdftotext');
  const refused = ['refused', 'The message has no attachment that can be faxed.'];
  const empty = await signed({ attachments: [] });
  await office.gateway.set({ MAIL_TO_FAX_COVER: 'To {to_number} | From {sender}' });
  await outcomesOf(await signed({ attachments: [file('a.txt')] }));
  expect(await outcomeOf(empty)).toEqual(refused);
  await office.gateway.set({ MAIL_TO_FAX_COVER: 'To {to_number} | {subject} | {text}' });
  await outcomesOf(
    await signed({ attachments: [file('a.txt')], text: 'Please call back.' }),
    await signed({ attachments: [], text: 'Only a note.' }),
  );
  await office.gateway.set({ MAIL_TO_FAX_COVER: null });
  const faxes = await newFaxes();
  expect(faxes.map(({ document }) => document.pages)).toEqual([2, 2, 1]);
  const words = faxes.map(({ id }) => wordsOf(id));
  expect(words[0]).toContain(`To ${NUMBER} From ${ANN} A page.`);
  expect(words[0]).not.toContain('Please fax this.');
  expect(words[1]).toContain(`To ${NUMBER} ${NUMBER} Please call back. A page.`);
  expect(words[2]).toContain('Only a note.');
});

test('a cover page that names what there is not is refused when it is saved', async () => {
  const changes = { MAIL_TO_FAX_COVER: 'To {number}' };
  const [status, { detail }] = await office.request('PUT', '/admin/settings', { changes });
  expect([status, JSON.stringify(detail)]).toEqual([
    422,
    expect.stringContaining('"changes","MAIL_TO_FAX_COVER"'),
  ]);
});

test('a picture of the text itself is no page', async () => {
  const logo = { filename: 'logo.png', content: Buffer.from('x'), cid: 'logo@clinic' };
  const html = '<p>Hello <img src="cid:logo@clinic"></p>';
  expect(await outcomeOf(await signed({ html, attachments: [logo, file('a.txt')] }))).toEqual([
    'accepted',
    null,
  ]);
  expect((await newFaxes())[0]?.document.pages).toBe(1);
});

const UNSIGNED = { from: ANN, to: 'fax@office.example', subject: NUMBER, messageId: '<1@clinic.example>' };
const unsigned = () => mail({ ...UNSIGNED, attachments: [file('a.txt')] });
const above = (line: string, message: Buffer) => Buffer.concat([Buffer.from(`${line}\r\n`), message]);

test('rule (mail-to-fax): nothing in a message is used before its sender passes DMARC', async () => {
  const cases: [string | Uint8Array, RegExp][] = [
    [await signed({ from: 'eve@elsewhere.example' }, elsewhere), /not on the list/u],
    [await unsigned(), /No signature shows/u],
    [await signed({}, elsewhere), /No signature shows that the message comes from clinic/u],
    [(await signed()).toString('latin1').replace(NUMBER, '+12025550199'), /No signature shows/u],
    [
      await clinic.sign(await unsigned(), { headers: 'from:to:date:message-id:content-type' }),
      /Subject field/u,
    ],
    [
      await clinic.sign(await unsigned(), { headers: 'from:to:date:subject:content-type' }),
      /Message-ID field/u,
    ],
    // A reply to another person, who submits it again.
    [await signed({ to: 'eve@elsewhere.example', subject: `Re: Call me at ${NUMBER}` }), /not addressed to/u],
    [await signed({ to: `eve+12025550199@elsewhere.example`, subject: '' }), /not addressed to/u],
    [await signed({ to: 'sales@office.example' }), /not addressed to/u],
    [await signed({ date: new Date(Date.now() - 2 * DAY) }), /more than a day old/u],
    [above('Subject: +12025550199', await signed()), /more than one Subject/u],
    [above('From: eve@elsewhere.example', await signed()), /names several senders/u],
    [await signed({ subject: 'Referral' }), /No fax number was found/u],
    [await signed({ subject: `${NUMBER} and +12025550199` }), /More than one fax number/u],
    [await signed({ attachments: [file('a.txt'), file('b.pptx')] }), /“b.pptx” cannot be faxed/u],
    [await signed({ attachments: [file('a.pdf', '%PDF-1.7 nothing')] }), /./u],
    ['\r\n\r\n\0\0', /./u],
  ];
  const outcomes = await outcomesOf(...cases.map(([message]) => message));
  expect(outcomes.map(({ state, sentence }) => [state, sentence])).toEqual(
    cases.map(([, sentence]) => ['refused', expect.stringMatching(sentence)]),
  );
  expect(await newFaxes()).toEqual([]);
});

test('a message that is larger than a setting allows is refused', async () => {
  await office.gateway.set({ MAIL_TO_FAX_MB: 1 });
  const large = await signed({ attachments: [file('a.pdf', Buffer.alloc(MB))] });
  expect(await outcomeOf(large)).toEqual(['refused', 'The message is larger than 1 MB.']);
  await office.gateway.set({ MAIL_TO_FAX_MB: 50 });
});

test('rule (crossings): e-mail to fax refuses messages for a person who lost the permission to send', async () => {
  const { principal } = await allowSender(office.gateway, 'carl@clinic.example');
  const body = { enabled: false, version: 1 };
  await new AccessAdministrator(office.gateway).sendOk('PATCH', `/access/integrations/${principal.id}`, body);
  const message = await signed({ from: 'carl@clinic.example' });
  expect(await outcomeOf(message)).toEqual(['refused', expect.stringMatching(/cannot send faxes/u)]);
});

test('what a program or a list sent is ignored, although its sender is on the list', async () => {
  const headers = [
    { 'Auto-Submitted': 'auto-replied' },
    { 'List-Id': '<staff.clinic.example>' },
    { Precedence: 'bulk' },
    { 'X-Loop': 'fax@office.example' },
    { 'Return-Path': '<>' },
  ];
  const outcomes = await outcomesOf(...(await Promise.all(headers.map((some) => signed({ headers: some })))));
  expect(outcomes.map(({ state }) => state)).toEqual(headers.map(() => 'ignored'));
  expect(await newFaxes()).toEqual([]);
});

test('a message whose signature cannot be checked now waits a day, and others do not', async () => {
  const states = async (ms: number) => (await office.poll(ms)).slice(-2).map(({ state }) => state);
  office.dnsFaults.add('office._domainkey.clinic.example');
  const stranger = await signed({ from: 'eve@elsewhere.example' }, elsewhere);
  await office.dovecot.deliver(await signed(), stranger);
  expect(await states(MINUTE)).toEqual(['waiting', 'refused']);
  office.dnsFaults.clear();
  expect(await states(5 * MINUTE)).toEqual(['accepted', 'refused']);
  office.dnsFaults.add('office._domainkey.clinic.example');
  expect(await outcomeOf(await signed())).toEqual([
    'waiting',
    expect.stringMatching(/could not be checked/u),
  ]);
  const [late] = (await office.poll(DAY)).slice(-1);
  office.dnsFaults.clear();
  expect(late).toMatchObject({ state: 'refused', sentence: expect.stringMatching(/could not be checked/u) });
});

test('a server that the office trusts vouches for a message without a signature', async () => {
  await office.gateway.set({ MAIL_TO_FAX_TRUSTED_SERVER: 'mx.office.example' });
  const message = await unsigned();
  const by = (line: string) => above(`Authentication-Results: ${line}`, message);
  const passed = 'spf=pass smtp.mailfrom=clinic.example; dmarc=pass (p=reject) header.from=clinic.example';
  const failed = 'Authentication-Results: mx.office.example; dmarc=fail header.from=clinic.example';
  const outcomes = await outcomesOf(
    above(failed, by(`mx.office.example; ${passed}`)),
    by(`mx.elsewhere.example; ${passed}`),
    by('mx.office.example; dmarc=pass header.from=elsewhere.example'),
    by('mx.office.example; spf=pass smtp.mailfrom="x; dmarc=pass header.from=clinic.example"@evil.example'),
    by(`mx.office.example; ${passed}`),
  );
  await office.gateway.set({ MAIL_TO_FAX_TRUSTED_SERVER: null });
  expect(outcomes.map(({ state }) => state)).toEqual([...Array(4).fill('refused'), 'accepted']);
});

test('the system status warns of a server that is away, and reading continues when it is back', async () => {
  await office.dovecot.stop();
  await office.poll();
  const sentence = `Faxdesk is not reading the mailbox for e-mail to fax. 127.0.0.1 refuses connections on port ${office.dovecot.port}.`;
  expect(await office.warnings()).toContain(sentence);
  await office.dovecot.start();
  await office.dovecot.deliver(await signed());
  // The mailbox is polled less often by then.
  expect((await office.poll(2 * MINUTE)).at(-1)?.state).toBe('accepted');
  expect(await office.warnings()).not.toContain(sentence);
});

test('the server is verified by its certificate, and its refusal of the sign-in is reported', async () => {
  await office.gateway.set({
    MAIL_TO_FAX_HOST: 'localhost',
    MAIL_TO_FAX_PORT: office.dovecot.tlsPort,
    MAIL_TO_FAX_SECURITY: 'tls',
    MAIL_TO_FAX_PASSWORD: 'mailbox-password',
  });
  const told = async () => {
    await office.poll(DAY);
    return (await office.warnings()).filter((warning) => warning.includes('e-mail to fax'));
  };
  const problem = (why: string) => [`Faxdesk is not reading the mailbox for e-mail to fax. ${why}`];
  expect(await told()).toEqual(
    problem('The certificate of localhost is not from an authority that this computer trusts.'),
  );
  const known = getCACertificates('default');
  try {
    setDefaultCACertificates([...known, office.dovecot.authority]);
    expect(await told()).toEqual([]);
    await office.gateway.set({ MAIL_TO_FAX_PASSWORD: 'wrong' });
    expect(await told()).toEqual(problem('The e-mail server refused the sign-in.'));
  } finally {
    setDefaultCACertificates(known);
  }
  await office.gateway.set({
    MAIL_TO_FAX_HOST: 'imap.example.com',
    MAIL_TO_FAX_SECURITY: 'none',
    MAIL_TO_FAX_PASSWORD: 'x',
  });
  expect(await told()).toEqual(
    problem('Faxdesk reads a mailbox without encryption only from a server on this computer.'),
  );
  await office.gateway.set(mailboxSettings(office.dovecot));
});

test('the saved password goes to no other server', async () => {
  const json = { changes: { MAIL_TO_FAX_HOST: 'imap.elsewhere.example' } };
  const answer = await office.gateway.request('PUT', '/admin/settings', { json });
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'secrets_elsewhere']);
});

test('a new message is read as soon as the server announces it', async () => {
  await office.poll();
  const known = (await office.messages()).length;
  await office.dovecot.deliver(await signed());
  // The clock stands still: no regular look comes.
  await expect
    .poll(
      async () => {
        await office.gateway.processAll();
        return (await office.messages()).slice(known).map(({ state }) => state);
      },
      { interval: 100, timeout: 30_000 },
    )
    .toEqual(['accepted']);
});

test('who manages people lets addresses send, but not for who may do more, and every address for one only', async () => {
  const administrator = new AccessAdministrator(office.gateway);
  const helper = await administrator.integration('Helper');
  await administrator.assign(helper, await administrator.role('Managers', ['users:manage', 'users:read']));
  const { token } = await administrator.key(helper, ['users:manage', 'users:read']);
  const add = async (key: string | undefined, json: object) => {
    const answer = await office.gateway.request('POST', '/mail-to-fax/senders', {
      json,
      ...(key && { key }),
    });
    return [answer.status, answer.headers.get('x-error-code')];
  };
  const { id } = office.sender?.principal ?? { id: '' };
  expect(await add(token, { address: 'bob@clinic.example', principal_id: id })).toEqual([
    403,
    'grant_exceeds_giver',
  ]);
  expect(await add(undefined, { address: 'ANN@Clinic.example', principal_id: id })).toEqual([
    409,
    'mail_sender_refused',
  ]);
  expect(await add(undefined, { address: 'bob@clinic.example', principal_id: 'nobody' })).toEqual([
    404,
    'no_such_person',
  ]);
  const dora = await allowSender(office.gateway, 'dora@clinic.example');
  expect((await office.request('GET', '/mail-to-fax/senders'))[1].items).toContainEqual(dora);
  expect((await office.request('POST', `/mail-to-fax/senders/${dora.id}/remove`))[0]).toBe(200);
  expect((await outcomeOf(await signed({ from: dora.address })))[0]).toBe('refused');
  const [, audit] = await office.request('GET', '/access/audit?operation=mail_sender.remove');
  expect(audit.items).toMatchObject([
    { target: { kind: 'mail_sender', id: dora.id }, details: { address: dora.address } },
  ]);
});

test('an address is added only for who may send there, and sends again once the right is back', async () => {
  const administrator = new AccessAdministrator(office.gateway);
  const person = await administrator.integration('Nia');
  const address = 'nia@clinic.example';
  const add = (mailbox?: string) =>
    office.request('POST', '/mail-to-fax/senders', { address, principal_id: person.id, mailbox });
  const fax = async () => outcomeOf(await signed({ from: address }));
  const unable = [409, { detail: expect.stringContaining('Give them the permission first') }];
  expect(await add()).toMatchObject(unable);

  const [north, south] = [await administrator.mailbox('North'), await administrator.mailbox('South')];
  const role = await administrator.role('Nia sends', ['fax:send']);
  const given = await administrator.assign(person, role, `mailbox:${north.id}`);
  // An address that was refused while the person could not send is still no sender now that they can.
  expect(await fax()).toEqual(['refused', expect.stringContaining('not on the list')]);
  expect(await add(south.id)).toMatchObject(unable);
  expect((await add(north.id))[0]).toBe(201);
  expect((await fax())[0]).toBe('accepted');

  const read = { version: given.version };
  await administrator.sendOk('POST', `/access/assignments/${given.id}/remove`, read);
  expect(await fax()).toEqual(['refused', expect.stringContaining('cannot send faxes')]);
  await administrator.assign(person, role, `mailbox:${south.id}`);
  expect(await fax()).toEqual(['refused', expect.any(String)]);
  await administrator.assign(person, role, `mailbox:${north.id}`);
  expect((await fax())[0]).toBe('accepted');
});

test('what became no fax is forgotten after 90 days, also while no mailbox is read', async () => {
  const [refused] = await outcomesOf(await signed({ from: 'eve@elsewhere.example' }, elsewhere));
  expect(refused?.state).not.toBe('accepted');
  const accepted = await office.messages('&state=accepted');
  await office.gateway.set({ MAIL_TO_FAX_HOST: null });
  await office.poll(89 * DAY);
  expect((await office.messages()).map(({ id }) => id)).toContain(refused?.id);
  expect(await office.poll(2 * DAY)).toEqual(accepted);
  await office.gateway.set(mailboxSettings(office.dovecot));
});
