import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailboxSettings } from '../api/mail-to-fax-setup.ts';
import { needDovecot } from '../setup/dovecot.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await openCommandLine();
  await cli.serve(sendingSettings(cli.emulator));
});
afterAll(() => cli.close());

test('faxdesk mail-to-fax lets addresses send, and says what became of messages', async (context) => {
  expect((await cli.run(['mail-to-fax', 'senders'])).out).toBe('No address can send faxes yet.\n');
  await cli.run(['integrations', 'create', '--name', 'Scanner']);
  const unable = await cli.run(['mail-to-fax', 'allow', 'ann@clinic.example', '--for', 'Scanner']);
  expect([unable.code, unable.err]).toEqual([6, expect.stringContaining('cannot send faxes. Give them')]);
  await cli.run(['roles', 'create', '--name', 'Mail sender', '--permission', 'fax:send']);
  expect((await cli.run(['grants', 'create', 'Mail sender', '--to', 'Scanner'])).code).toBe(0);
  const allowed = await cli.run(['mail-to-fax', 'allow', 'Ann@clinic.example', '--for', 'Scanner']);
  expect([allowed.code, allowed.out]).toEqual([0, 'ann@clinic.example can now send faxes for Scanner.\n']);
  const again = await cli.run(['mail-to-fax', 'allow', 'ann@clinic.example', '--for', 'Scanner']);
  expect([again.code, again.err]).toEqual([6, expect.stringContaining('already sends faxes')]);
  expect((await cli.run(['mail-to-fax', 'senders'])).out).toMatch(/^ann@clinic\.example +Scanner +- /mu);
  expect((await cli.run(['mail-to-fax', 'list'])).out).toBe('No messages.\n');
  const forbidden = await cli.run(['mail-to-fax', 'forbid', 'ANN@clinic.example']);
  expect([forbidden.code, forbidden.out]).toEqual([0, 'ann@clinic.example can no longer send faxes.\n']);
  expect((await cli.run(['mail-to-fax', 'forbid', 'ann@clinic.example'])).code).toBe(5);

  const server = await needDovecot(context);
  try {
    const settings = Object.entries(mailboxSettings(server)).map(([name, value]) => `${name}=${value}`);
    // Refused by its size alone, so that no DNS query is made.
    await server.deliver(Buffer.alloc(1.1 * 1024 * 1024, 'x\r\n'));
    expect((await cli.run(['settings', 'change', 'MAIL_TO_FAX_MB=1', ...settings])).code).toBe(0);
    await expect
      .poll(async () => (await cli.run(['mail-to-fax', 'list', '--state', 'refused'])).out, {
        interval: 200,
        timeout: 60_000,
      })
      .toMatch(/^\S+ +- +Refused +- +- +The message is larger than 1 MB\.$/mu);
  } finally {
    await server.close();
  }
});
