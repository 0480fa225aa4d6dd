import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueRoot, issueServer } from '../../server/adapters/certificates/issue.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { sessionWith } from './console-stream.ts';
import { OWN_NUMBER } from './inbound-setup.ts';
import { ALICE, BOB, CAROL, IntakeGateway } from './intake-setup.ts';

const PASSWORD = 'not-to-be-found-anywhere';

let intake: IntakeGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
});
afterEach(() => intake.clear());
afterAll(() => intake.close());

const change = async (id: string, fields: object) =>
  intake.request('PUT', `/intake/connectors/${id}`, intake.fields(fields));

describe('an e-mail connector', () => {
  test('needs a name, a server, a sender and recipients; the rest has the values of the contract', async () => {
    const least = {
      name: 'Desk',
      host: 'mail.example.com',
      from_address: 'f@example.org',
      recipients: ALICE,
    };
    const [status, made] = await intake.request('POST', '/intake/connectors', least);
    expect([status, made]).toMatchObject([
      201,
      {
        ...least,
        recipients: [ALICE],
        enabled: true,
        match_number: null,
        username: '',
        has_password: false,
        port: 587,
        security: 'starttls',
        subject_template: 'Fax from {from_number}',
        last_test: null,
        version: 1,
      },
    ]);
    for (const name of Object.keys(least))
      expect((await intake.request('POST', '/intake/connectors', { ...least, [name]: undefined }))[0]).toBe(
        400,
      );
  });

  test('takes the recipients as text with commas, and leaves names out', async () => {
    const text = `"Doe, Alice" <${ALICE}>, ${BOB},Carol "\\"C, C\\"" <${CAROL}>`;
    expect(await intake.connect({ recipients: text })).toMatchObject({ recipients: [ALICE, BOB, CAROL] });
    const many = Array.from({ length: 20 }, (_, i) => `r${i}@example.com`);
    const all = await intake.connect({ name: 'All', recipients: many.join(','), match_number: OWN_NUMBER });
    expect(all).toMatchObject({ recipients: many });
  });

  test.each([
    [
      '21 recipients in one text',
      { recipients: Array.from({ length: 21 }, (_, i) => `r${i}@example.com`).join() },
    ],
    ['an empty recipient in a text', { recipients: `${ALICE},,${BOB}` }],
    ['a quote that is left open', { recipients: `"Doe, ${ALICE}, ${BOB}` }],
    ['a bracket that is left open', { recipients: `Doe <${ALICE}, ${BOB}` }],
    ['a text that is too long', { recipients: `"${'x,'.repeat(5_000)}" <${ALICE}>` }],
    ['a property that there is not', { colour: 'blue' }],
    ['21 recipients', { recipients: Array.from({ length: 21 }, (_, i) => `r${i}@example.com`) }],
    ['no recipient', { recipients: [] }],
    ['a recipient that is no address', { recipients: ['alice'] }],
    ['a line break in a recipient', { recipients: ['alice@example.com\r\nBcc: x@example.com'] }],
    ['a sender with a name', { from_address: 'Fax <fax@example.org>' }],
    ['a name of 101 characters', { name: 'n'.repeat(101) }],
    ['another kind of security', { security: 'ssl' }],
    ['a port that there is not', { port: 70_000 }],
    ['a number that is none', { match_number: 'abc' }],
    ['a subject that names nothing', { subject_template: 'Fax {sender}' }],
    ['a server far away without encryption', { host: 'mail.example.com', security: 'none' }],
  ])('is refused with %s, in one sentence', async (_what, given) => {
    const [status, { detail }] = await intake.request('POST', '/intake/connectors', intake.fields(given));
    expect([status, detail]).toEqual([400, expect.stringMatching(/^[^.]+\.( [^.]+\.)?$/u)]);
  });

  test('may go unencrypted to another computer once a setting says so', async () => {
    await intake.gateway.set({ MAIL_UNENCRYPTED: true });
    expect(await intake.connect({ host: 'mail.example.com' })).toMatchObject({ security: 'none' });
    await intake.gateway.set({ MAIL_UNENCRYPTED: false });
  });

  test('has each recipient once, and its number as numbers are written', async () => {
    const recipients = [ALICE, 'ALICE@example.com', BOB];
    const made = await intake.connect({ recipients, match_number: '(202) 555-0100' });
    expect(made).toMatchObject({ recipients: ['ALICE@example.com', BOB], match_number: '+12025550100' });
  });

  test('never shows its password, keeps it sealed, and gives it to no other server', async () => {
    const { id } = await intake.connect({ username: 'fax', password: PASSWORD });
    const kept = await change(id, { username: 'fax', version: 1, name: 'Renamed' });
    expect(kept).toMatchObject([200, { name: 'Renamed', has_password: true, version: 2 }]);
    const moved = await change(id, { username: 'fax', host: 'localhost', version: 2 });
    expect(moved).toMatchObject([400, { detail: expect.stringContaining('Enter the password again') }]);
    const [, all] = await intake.request('GET', '/intake/connectors');
    expect(JSON.stringify([kept, moved, all])).not.toContain(PASSWORD);
    for (const name of ['faxdesk.sqlite', 'faxdesk.sqlite-wal'])
      expect((await readFile(join(intake.gateway.dataFolder, name))).includes(PASSWORD)).toBe(false);
    expect(intake.gateway.logLines.join('\n')).not.toContain(PASSWORD);
    const emptied = await change(id, { username: 'fax', host: 'localhost', password: '', version: 2 });
    expect(emptied).toMatchObject([200, { has_password: false }]);
  });

  test('is changed and removed only as it was read', async () => {
    const { id } = await intake.connect();
    expect((await change(id, {}))[0]).toBe(400);
    expect((await change(id, { version: 1, enabled: false }))[0]).toBe(200);
    expect((await change(id, { version: 1 }))[0]).toBe(409);
    expect((await intake.request('POST', `/intake/connectors/${id}/remove`, { version: 1 }))[0]).toBe(409);
    expect((await intake.request('POST', `/intake/connectors/${id}/remove`, { version: 2 }))[0]).toBe(200);
    expect((await change(id, { version: 2 }))[0]).toBe(404);
    const [, { items }] = await intake.request('GET', `/access/audit?operation=connector.remove`);
    expect(items[0]).toMatchObject({ target: { kind: 'connector', id }, details: { name: 'Front desk' } });
  });
});

describe('a test of a connector', () => {
  const test_ = async (given: object = {}) => {
    const { id } = await intake.connect(given);
    return (await intake.request('POST', `/intake/connectors/${id}/test`))[1];
  };

  test('sends a message that says what it is, and its result stays with the connector', async () => {
    const recipients = [ALICE, BOB];
    expect(await test_({ recipients })).toEqual({
      ok: true,
      detail: 'The e-mail server accepted a test message for both recipients.',
    });
    expect(intake.mail.mails).toMatchObject([{ from: 'fax@example.org', to: recipients }]);
    expect(intake.mail.mails[0]?.raw).toContain('Subject: Test message from Faxdesk');
    const [, { items }] = await intake.request('GET', '/intake/connectors');
    expect(items[0]).toMatchObject({ version: 1, last_test: { ok: true, detail: expect.any(String) } });
  });

  test('names a server that refuses connections', async () => {
    const gone = await startMailServer();
    await gone.close();
    const detail = `127.0.0.1 refuses connections on port ${gone.port}.`;
    expect(await test_({ port: gone.port })).toEqual({ ok: false, detail });
  });

  test('reveals nothing of another service at the port, and is allowed 20 times a minute only', async () => {
    const other = createServer((socket) =>
      socket.on('error', () => undefined).end('OTHER-2.0 secret 9.1\r\n'),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { id } = await intake.connect({ port: (other.address() as AddressInfo).port });
    const answers = [];
    for (let i = 0; i < 21; i += 1)
      answers.push(await intake.request('POST', `/intake/connectors/${id}/test`));
    other.close();
    expect(answers[0]).toMatchObject([200, { ok: false }]);
    expect(JSON.stringify(answers)).not.toContain('secret');
    expect(answers.at(-1)?.[0]).toBe(429);
    // Another key or session of the same person gets no further.
    const headers = await sessionWith(intake.gateway, INSTALLATION_KEY);
    const again = { key: null, headers };
    expect((await intake.gateway.request('POST', `/intake/connectors/${id}/test`, again)).status).toBe(429);
    intake.gateway.clock.advance(60_000);
  });

  test('names a sender, a recipient and a message that are refused, with the words of the server', async () => {
    intake.mail.faults = { sender: { code: 550, text: 'Who are you?' } };
    expect((await test_()).detail).toMatch(
      /^The e-mail server refused the sender address: 550 Who are you\?/u,
    );
    intake.mail.faults = { recipients: { [BOB]: { code: 550, text: 'No such user' } } };
    const { ok, detail } = await test_({ recipients: [ALICE, BOB, CAROL] });
    expect([ok, detail]).toEqual([
      false,
      `${BOB}: The e-mail server refused the recipient: 550 No such user.`,
    ]);
    intake.mail.faults = { message: { code: 554, text: 'Spam' } };
    expect((await test_()).detail).toBe('The e-mail server refused the message: 554 Spam.');
    intake.mail.faults = { cut: 'after data' };
    expect((await test_()).detail).toContain('the connection was lost before the server answered');
  });

  test('names a sign-in that is refused, and signs in where it is not', async () => {
    const signing = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(username === 'fax' && password === PASSWORD ? null : new Error('Bad words'), { user: 1 }),
    });
    const there = { port: signing.port, username: 'fax' };
    const refused = await test_({ ...there, password: 'wrong' });
    expect([refused.ok, refused.detail]).toEqual([
      false,
      expect.stringMatching(/^The e-mail server refused the sign-in: 535 /u),
    ]);
    expect((await test_({ ...there, password: PASSWORD })).ok).toBe(true);
    await signing.close();
  });

  test('names a certificate that nobody vouches for, and takes one of an authority that this computer trusts', async () => {
    const root = await issueRoot('Example root', Date.now());
    const { certificate: cert, key } = await issueServer(root, ['localhost'], Date.now());
    const secure = await startMailServer({ hideSTARTTLS: false, cert, key });
    const at = { host: 'localhost', port: secure.port, security: 'starttls' };
    const untrusted = 'The certificate of localhost is not from an authority that this computer trusts.';
    expect(await test_(at)).toEqual({ ok: false, detail: untrusted });
    const before = getCACertificates('default');
    try {
      setDefaultCACertificates([...before, root.certificate]);
      expect((await test_(at)).ok).toBe(true);
      const other = 'The certificate of the server is not for 127.0.0.1.';
      expect(await test_({ ...at, host: '127.0.0.1' })).toEqual({ ok: false, detail: other });
    } finally {
      setDefaultCACertificates(before);
    }
    expect(secure.mails).toHaveLength(1);
    await secure.close();
  });

  test('names a server without encryption, and sends nothing then', async () => {
    expect((await test_({ security: 'starttls' })).detail).toMatch(
      /^The e-mail server offers no encryption/u,
    );
    expect(await test_({ security: 'tls' })).toEqual({
      ok: false,
      detail: `127.0.0.1 does not use TLS on port ${intake.mail.port}. Try STARTTLS.`,
    });
    expect(intake.mail.mails).toEqual([]);
  });
});
