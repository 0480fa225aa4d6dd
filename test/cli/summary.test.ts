import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendingSettings } from '../setup/gateway.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  cli = await openCommandLine();
  await cli.serve(sendingSettings(cli.emulator));
});
afterAll(async () => {
  await cli.close();
  await mail.close();
});

test('faxdesk summary shows the figures of a day and sends them', async () => {
  const server = ['--host', '127.0.0.1', '--port', String(mail.port), '--security', 'none'];
  const addresses = ['--from', 'fax@example.org', '--to', 'alice@example.com'];
  await cli.run(['connectors', 'create', 'Desk', ...server, ...addresses]);
  const none = await cli.run(['summary', 'send']);
  expect([none.code, none.out]).toEqual([1, expect.stringContaining('names no e-mail address')]);
  const set = ['SUMMARY_RECIPIENTS=bob@example.com', 'SUMMARY_CONNECTOR=Desk'];
  expect((await cli.run(['settings', 'change', ...set])).code).toBe(0);
  const sent = await cli.run(['summary', 'send']);
  expect([sent.code, sent.out]).toEqual([0, 'The e-mail server accepted the summary for the recipient.\n']);
  expect(mail.inboxes['bob@example.com']).toBeGreaterThan(0);
  const shown = await cli.run(['summary', 'show']);
  expect(shown.out).toMatch(/^Received: +0 \(0 not acknowledged in time\)$/mu);
  expect(shown.out).toMatch(/^Costs: +none \(0 of unknown cost\)$/mu);
});
