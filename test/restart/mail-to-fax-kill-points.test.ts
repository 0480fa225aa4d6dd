import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowSender, clinic, type Message, mailboxSettings, signed } from '../api/mail-to-fax-setup.ts';
import { type Dovecot, needDovecot } from '../setup/dovecot.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type MailServer, startMailServer } from '../setup/mail-server.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { dnsOf } from '../setup/signed-mail.ts';
import { allFaxes, eachKilled, endRun, RunTemplate, restart } from './killed-run.ts';

const page = { filename: 'page.txt', content: 'A page.' };

const messagesOf = async (gateway: Pick<TestGateway, 'request'>) =>
  ((await (await gateway.request('GET', '/mail-to-fax/messages')).json()) as { items: Message[] }).items;

let template: RunTemplate;
let replies: MailServer;
beforeAll(async () => {
  replies = await startMailServer();
  template = await RunTemplate.open({}, clinic.records);
  const { root, emulator, environment: settings } = template;
  const gateway = await startTestGateway({ dataFolder: join(root, 'data'), emulator, settings });
  await allowSender(gateway, 'ann@clinic.example');
  const connector = {
    name: 'Replies',
    enabled: false,
    host: '127.0.0.1',
    port: replies.port,
    security: 'none',
    from_address: 'fax@office.example',
    recipients: ['office@office.example'],
  };
  const { status } = await gateway.request('POST', '/intake/connectors', { json: connector });
  expect(status).toBe(201);
  await gateway.set({ MAIL_TO_FAX_REPLY_CONNECTOR: 'Replies' });
  await gateway.stop();
});
afterAll(async () => {
  await template.close();
  await replies.close();
});

/** Has the address send for another integration from now on. */
async function changeSender(gateway: TestGateway): Promise<void> {
  const answer = await gateway.request('GET', '/mail-to-fax/senders');
  const { items } = (await answer.json()) as { items: { id: string }[] };
  for (const { id } of items) await gateway.request('POST', `/mail-to-fax/senders/${id}/remove`);
  await allowSender(gateway, 'ann@clinic.example', 'Another system');
}

/** Processes the message in the INBOX after a restart, and returns the outcome. */
async function processAfterRestart(gateway: TestGateway, server: Dovecot): Promise<string> {
  replies.mails.length = 0;
  for (const ms of [0, MINUTE, 5 * MINUTE, MINUTE]) {
    gateway.clock.advance(ms);
    await gateway.processAll();
  }
  const [message, another] = await messagesOf(gateway);
  expect(another).toBeUndefined();
  const faxes = await allFaxes(gateway);
  expect(faxes.map(({ id }) => id)).toEqual([message?.fax_id]);
  expect(await server.folders()).toEqual({ 'Faxdesk sent': 1 });
  const told = message?.replies.find(({ kind }) => kind === 'accepted')?.state ?? 'no reply';
  const mails = replies.mails.filter(({ raw }) => /<reply\.[^>]*\.accepted\./u.test(raw));
  return `${message?.state ?? 'nothing'}, ${told} ${mails.length}`;
}

test('rule (mail-to-fax): a message becomes one fax and one reply, wherever the gateway is killed', async (context) => {
  const server = await needDovecot(context);
  const run = await template.startCopied();
  const found: string[] = [];
  try {
    await server.deliver(await signed({ attachments: [page] }));
    // With the UID that it has from now on.
    await server.folders();
    await server.keep();
    run.child.order({ arm: true });
    const changes = JSON.stringify({ changes: mailboxSettings(server) });
    await run.child.request('PUT', '/admin/settings', changes, { 'Content-Type': 'application/json' });
    await expect
      .poll(() => server.folders(), { interval: 50, timeout: 60_000 })
      .toEqual({ 'Faxdesk sent': 1 });
    run.child.order({ stop: true });
    await run.child.ended;
    for await (const { label } of eachKilled(run)) {
      await server.putBack();
      const gateway = await restart(run, { resolveDns: dnsOf([clinic]) });
      try {
        if (found.length % 2 === 1) await changeSender(gateway);
        // It may have been killed before the settings were stored.
        await gateway.set(mailboxSettings(server));
        found.push(`${label}: ${await processAfterRestart(gateway, server)}`);
      } finally {
        await gateway.stop();
      }
    }
  } finally {
    await endRun(run);
    await server.close();
  }
  expect(found.length).toBeGreaterThan(6);
  expect(found[0]).toMatch(/: accepted, sent 1$/u);
  // A whole minute that passes during the run has the reply sent, or begun, before the later steps.
  const possible = new Set(['accepted, sent 1', 'accepted, sent 0', 'accepted, uncertain 0']);
  expect(found.filter((line) => !possible.has(line.split(': ')[1] ?? ''))).toEqual([]);
}, 600_000);
