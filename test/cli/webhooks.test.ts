import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEBHOOKS_ON } from '../api/webhooks-setup.ts';
import { sendingSettings } from '../setup/gateway.ts';
import { WebhookReceiver } from '../setup/webhook-receiver.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let cli: CommandLine;
let receiver: WebhookReceiver;
beforeAll(async () => {
  cli = await openCommandLine();
  receiver = await WebhookReceiver.start();
  await cli.serve({ ...sendingSettings(cli.emulator), ...WEBHOOKS_ON });
});
afterAll(async () => {
  await cli.close();
  await receiver.close();
});

test('faxdesk webhooks creates, tests, changes and removes a webhook, and lists its deliveries', async () => {
  const { url } = receiver;
  expect((await cli.run(['webhooks', 'list'])).out).toBe('No webhooks.\n');
  await cli.run(['integrations', 'create', '--name', 'Records']);
  const create = ['webhooks', 'create', url, '--for', 'Records', '--event', 'fax.delivered'];
  const made = await cli.run(create);
  expect([made.code, made.out, made.err]).toEqual([
    0,
    expect.stringMatching(/^Secret: +whsec_\S+$/mu),
    expect.stringContaining('The secret is shown only now.'),
  ]);
  const refused = await cli.run(['webhooks', 'create', 'nowhere', '--for', 'Records']);
  expect([refused.code, refused.err]).toEqual([9, expect.stringContaining('begins with https://')]);
  expect((await cli.run(['webhooks', 'list'])).out).toMatch(/^Records +http\S+ +fax\.delivered +on /mu);

  const { id } = await cli.json<{ id: string }>('webhooks', 'test', url);
  await expect
    .poll(async () => (await cli.run(['webhooks', 'deliveries'])).out, { interval: 100, timeout: 30_000 })
    .toMatch(/^\S+ +webhook\.test +- +Delivered +1 /mu);
  const shown = await cli.run(['webhooks', 'delivery', id]);
  expect(shown.out).toMatch(/^webhook-id: +msg_[0-9a-f]{32}$/mu);
  expect(shown.out).toMatch(/^\S+ +204 +\d+ ms +accepted$/mu);
  expect((await cli.run(['webhooks', 'retry', id])).code).toBe(0);
  await expect.poll(() => receiver.messages.length, { timeout: 30_000 }).toBe(2);
  expect(new Set(receiver.ids).size).toBe(1);

  const replaced = await cli.run(['webhooks', 'rotate', url, '--overlap-hours', '2']);
  expect(replaced.out).toMatch(/^Former secret until: +\S+Z$/mu);
  expect((await cli.run(['webhooks', 'change', url, '--enabled', 'no'])).out).toMatch(/^State: +off$/mu);
  expect((await cli.run(['webhooks', 'test', url])).code).toBe(6);
  const removed = await cli.run(['webhooks', 'remove', url]);
  expect([removed.code, removed.out]).toEqual([0, `The webhook ${url} was removed.\n`]);
  expect((await cli.run(['webhooks', 'remove', url])).code).toBe(5);
}, 120_000);
