import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JOB_STATE, STATUS } from '../../server/platform/ipp/codes.ts';
import { GROUP } from '../../server/platform/ipp/message.ts';
import { attribute, groupOf, valuesOf } from '../../server/platform/ipp/values.ts';
import { addPrinterCommand } from '../../shared/printer-command.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startCups } from '../setup/cups-server.ts';
import { freePort } from '../setup/free-port.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { callPrinter, printByIpp } from '../setup/ipp-client.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { MINUTE } from '../setup/manual-clock.ts';

const LETTER = textPdf(2);
const POLL = { timeout: 60_000, interval: 200 };

let gateway: TestGateway;
let people: MailboxPeople;
let uri: string;
/** Two people with a password of their own. */
let ann: Person;
let ben: Person;
beforeAll(async () => {
  const [local, network] = [await freePort(), await freePort()];
  uri = `ipps://127.0.0.1:${network}/ipp/print`;
  gateway = await startTestGateway({
    settings: {
      PRINT_TO_FAX: 'network',
      PRINT_PORT: String(local),
      PRINT_NETWORK_PORT: String(network),
      PRINT_NETWORK_HOST: '127.0.0.1',
      HTTPS_ENABLED: 'true',
      HTTPS_HOST: '127.0.0.1',
      HTTPS_PORT: '0',
    },
  });
  people = new MailboxPeople(gateway);
  ann = await people.addUser('Ann', { installation: ['fax:send'] });
  ben = await people.addUser('Ben', { installation: ['fax:send'] });
  await people.setUser(ann.id, { login: 'ann' });
  await people.setUser(ben.id, { login: 'ben' });
});
afterAll(() => gateway.close());

interface Password {
  readonly login: string;
  readonly password: string;
}

async function ask<T>(method: string, path: string, key: string): Promise<T & { status: number }> {
  const answer = await gateway.request(method, path, { key });
  return { ...((await answer.json()) as T), status: answer.status };
}
const newPassword = ({ key }: Person) => ask<Password>('POST', '/printer/password', key);
const signed = (login: string, password: string) => ({
  headers: { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
});
const waiting = async ({ key }: Person) =>
  (
    await ask<{ items: { id: string; name: string; printed_by: string; mine: boolean }[] }>(
      'GET',
      '/printed',
      key,
    )
  ).items;

test('rule (printing): from another computer a person prints with their print password alone, and the document is theirs', async () => {
  const { login, password } = await newPassword(ann);
  expect(login).toBe('ann');
  expect(password).toMatch(/^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}$/u);
  await expect(printByIpp(uri, LETTER)).rejects.toThrow('401');
  for (const [name, secret] of [
    ['ann', 'guessed'],
    ['ben', password],
    ['nobody', password],
    ['', password],
  ] as const)
    await expect(printByIpp(uri, LETTER, signed(name, secret))).rejects.toThrow('401');
  // The account that the computer names says nothing.
  const printed = await printByIpp(uri, LETTER, { ...signed('Ann', password), user: 'ben' });
  expect(printed).toMatchObject({ status: STATUS.ok, state: JOB_STATE.completed });
  expect(await waiting(ann)).toMatchObject([{ name: 'Letter to Ann', printed_by: 'ann', mine: true }]);
  expect(await waiting(ben)).toEqual([]);
});

test('rule (printing): nobody sees or cancels the jobs of another person', async () => {
  const [first, second] = [await newPassword(ann), await newPassword(ben)];
  const created = await callPrinter(uri, 'createJob', signed('ann', first.password));
  const number = valuesOf(groupOf(created, GROUP.job), 'job-id')[0]?.value as number;
  const job = { operation: [attribute('job-id', 'integer', number)] };
  const other = { ...job, ...signed('ben', second.password) };
  expect((await callPrinter(uri, 'getJobAttributes', other)).code).toBe(STATUS.notFound);
  expect((await callPrinter(uri, 'cancelJob', other)).code).toBe(STATUS.notFound);
  const list = await callPrinter(uri, 'getJobs', signed('ben', second.password));
  expect(groupOf(list, GROUP.job)).toEqual([]);
  const own = { ...job, ...signed('ann', first.password) };
  expect((await callPrinter(uri, 'cancelJob', own)).code).toBe(STATUS.ok);
});

test('a computer that adds the printer reads its attributes without a password', async () => {
  const answer = await callPrinter(uri, 'getPrinterAttributes');
  const printer = groupOf(answer, GROUP.printer);
  const texts = (name: string) => valuesOf(printer, name).map(({ value }) => value);
  expect([texts('printer-uri-supported'), texts('uri-authentication-supported')]).toEqual([[uri], ['basic']]);
  expect(texts('uri-security-supported')).toEqual(['tls']);
});

test('rule (printing): a print password ends with a new one, with its removal, and with the right to send', async () => {
  const first = await newPassword(ben);
  const print = (password: string) => printByIpp(uri, LETTER, signed('ben', password));
  expect((await print(first.password)).status).toBe(STATUS.ok);
  const second = await newPassword(ben);
  await expect(print(first.password)).rejects.toThrow('401');
  expect((await print(second.password)).status).toBe(STATUS.ok);
  await people.grant(ben.id, { installation: ['fax:read'] });
  await expect(print(second.password)).rejects.toThrow('401');
  await people.grant(ben.id, { installation: ['fax:send'] });
  expect((await print(second.password)).status).toBe(STATUS.ok);
  await people.setUser(ben.id, { enabled: 0 });
  await expect(print(second.password)).rejects.toThrow('401');
  await people.setUser(ben.id, { enabled: 1 });
  expect((await ask('DELETE', '/printer/password', ben.key)).status).toBe(200);
  expect((await ask('DELETE', '/printer/password', ben.key)).status).toBe(404);
  await expect(print(second.password)).rejects.toThrow('401');
});

test('print passwords are of people, and are in no log and no audit record', async () => {
  const { password } = await newPassword(ann);
  const integration = await people.addPerson({ installation: ['fax:send'] });
  expect((await newPassword(integration)).status).toBe(403);
  expect(gateway.logLines.join()).not.toContain(password);
  const path = '/access/audit?operation=print_password.create';
  const { items } = await ask<{ items: object[] }>('GET', path, INSTALLATION_KEY);
  expect(items.length).toBeGreaterThan(0);
  expect(JSON.stringify(items)).not.toContain(password);
});

describe('from CUPS', () => {
  let folder: string;
  let letter: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'faxdesk-cups-letter-'));
    letter = join(folder, 'letter.pdf');
    await writeFile(letter, LETTER);
  });
  beforeEach(async () => {
    for (const { id } of await waiting(ann))
      expect((await ask('DELETE', `/printed/${id}`, ann.key)).status).toBe(200);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('rule (printing): CUPS prints from another computer as the command adds it, once the print password is right', async (context) => {
    const { login, password } = await newPassword(ann);
    const cups = await startCups(context);
    try {
      const { words } = addPrinterCommand('linux', { name: 'Faxdesk', uri });
      await cups.run('lpadmin', ...words);
      for (const title of ['Wrong password', 'Right password', 'No password'])
        await cups.run('lp', '-d', 'Faxdesk', '-t', title, letter);
      const alerts = async () =>
        (await cups.run('lpstat', '-W', 'not-completed', '-l', '-o')).match(
          /^Faxdesk-\d|cups-held-for-\w+/gmu,
        );
      const held = (job: number) => [`Faxdesk-${job}`, 'cups-held-for-authentication'];
      await expect.poll(alerts, POLL).toEqual([...held(1), ...held(2), ...held(3)]);
      await cups.signJob(1, login, 'guessed');
      await cups.signJob(2, login, password);
      await expect.poll(alerts, POLL).toEqual([...held(1), ...held(3)]);
      expect(await waiting(ann)).toMatchObject([{ name: 'Right password', printed_by: 'ann' }]);
    } finally {
      await cups.close();
    }
  });

  test('rule (printing): CUPS prints with the password in the address, and goes on when the certificate is renewed', async (context) => {
    const { login, password } = await newPassword(ann);
    const fingerprint = async () => {
      const socket = connect({ port: Number(new URL(uri).port), rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const before = await fingerprint();
    const cups = await startCups(context);
    try {
      const address = uri.replace('ipps://', `ipps://${login}:${password}@`);
      await cups.run('lpadmin', '-p', 'Faxdesk', '-E', '-v', address, '-m', 'everywhere');
      // Everyone at that computer reads the address of a printer.
      expect(await cups.run('lpstat', '-v')).toContain(`: ${uri}\n`);
      const completed = () => cups.run('lpstat', '-W', 'completed', '-o');
      await cups.run('lp', '-d', 'Faxdesk', '-t', 'Before', letter);
      await expect.poll(completed, POLL).toContain('Faxdesk-1');
      gateway.clock.advance(MINUTE);
      await gateway.set({ HTTPS_NAMES: ['fax.office.example'] });
      await gateway.processAll();
      await expect.poll(fingerprint, POLL).not.toBe(before);
      await cups.run('lp', '-d', 'Faxdesk', '-t', 'After', letter);
      await expect.poll(completed, POLL).toContain('Faxdesk-2');
      expect(await waiting(ann)).toMatchObject([{ name: 'After' }, { name: 'Before' }]);
    } finally {
      await cups.close();
    }
  });
});

test('the network is closed with a reason while HTTPS is off, and this computer prints on', async () => {
  const printer = () =>
    ask<{ uri: string; network_uri: string; problem: string }>('GET', '/printer', ann.key);
  expect(await printer()).toMatchObject({
    network_uri: expect.stringMatching(/^ipps:\/\/.+\/ipp\/print$/u),
    problem: null,
  });
  await gateway.set({ HTTPS_ENABLED: false });
  await gateway.processAll();
  const { uri: local, network_uri, problem } = await printer();
  expect(network_uri).toBeNull();
  expect(problem).toContain('Turn on HTTPS_ENABLED');
  await expect(printByIpp(uri, LETTER)).rejects.toThrow('ECONNREFUSED');
  expect((await printByIpp(local, LETTER)).status).toBe(STATUS.ok);
});
