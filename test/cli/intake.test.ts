import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../setup/eventually.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

const ALICE = 'alice@example.com';

let cli: CommandLine;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  cli = await openCommandLine();
  await cli.serve({ ...sendingSettings(cli.emulator), INBOUND_ENABLED: 'true' });
});
afterAll(async () => {
  await cli.close();
  await mail.close();
});

test('faxdesk connectors and deliveries set an e-mail connector up, and end a doubt', async () => {
  const server = ['--host', '127.0.0.1', '--port', String(mail.port), '--security', 'none'];
  const create = ['connectors', 'create', 'Desk', ...server, '--from', 'fax@example.org'];
  expect((await cli.run(create)).code).toBe(9);
  const made = await cli.run(
    [...create, '--to', `${ALICE}, bob@example.com`, '--password', '-'],
    {},
    'secret\n',
  );
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^Password: +set$/mu);
  const changed = await cli.run(['connectors', 'change', 'desk', '--to', ALICE, '--number', '']);
  expect(changed.out).toMatch(/^Recipients: +alice@example.com$/mu);
  expect(changed.out).toMatch(/^Password: +set$/mu);
  const oauth = ['connectors', 'oauth', 'Desk'];
  expect((await cli.run(oauth)).code).toBe(2);
  const grant = [
    ...oauth,
    '--provider',
    'google',
    '--client-id',
    'app',
    '--client-secret',
    '-',
    '--refresh-token',
    '-',
  ];
  // There is no sign-in name yet.
  expect((await cli.run(grant, {}, 'secret\ntoken\n')).code).toBe(9);
  await cli.run(['connectors', 'change', 'Desk', '--sign-in-name', 'fax@example.org', '--password', '']);
  expect((await cli.run(grant, {}, 'secret\n')).code).toBe(2);
  const signed = await cli.run(grant, {}, 'secret\ntoken\n');
  expect([signed.code, signed.out]).toEqual([0, expect.stringMatching(/^OAuth: +google$/mu)]);
  expect((await cli.run([...oauth, '--remove'])).out).toMatch(/^OAuth: +none$/mu);
  await cli.run(['connectors', 'change', 'Desk', '--sign-in-name', '']);
  mail.faults = { recipients: { [ALICE]: { code: 550, text: 'No such user' } } };
  const refused = await cli.run(['connectors', 'test', 'Desk']);
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('550 No such user')]);
  expect((await cli.run(['connectors', 'list'])).out).toMatch(
    /^Desk +any +alice@example.com .*test failed/mu,
  );

  mail.faults = { cut: 'after keeping' };
  expect((await cli.run(['inbound', 'test'])).code).toBe(0);
  const id = await eventually(async () => {
    const { items } = await cli.json<{ items: { id: string }[] }>(
      'deliveries',
      'list',
      '--state',
      'uncertain',
    );
    expect(items).toHaveLength(1);
    return items[0]?.id ?? '';
  });
  expect((await cli.run(['deliveries', 'retry', id])).code).toBe(6);
  expect((await cli.run(['deliveries', 'confirm', id])).code).toBe(2);
  const stale = ['deliveries', 'confirm', id, '--outcome', 'arrived', '--if-version', '1'];
  expect((await cli.run(stale)).code).toBe(6);
  expect((await cli.run(['deliveries', 'confirm', id, '--outcome', 'arrived'])).out).toMatch(
    /^State: +Delivered$/mu,
  );
  expect((await cli.run(['deliveries', 'list'])).out).toMatch(
    /Desk +alice@example.com +delivered +Delivered/u,
  );
  expect(mail.inboxes).toEqual({ [ALICE]: 1 });
  expect((await cli.run(['connectors', 'remove', 'Desk'])).out).toBe('Removed Desk.\n');
  expect((await cli.run(['connectors', 'test', 'Desk'])).code).toBe(5);
});
