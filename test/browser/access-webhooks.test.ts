import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEBHOOKS_ON } from '../api/webhooks-setup.ts';
import { verify, WebhookReceiver } from '../setup/webhook-receiver.ts';
import { expectAccessible, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';
import { deliveredFax, nextNumber } from './sent-page.ts';

const webConsole = testConsole({ settings: WEBHOOKS_ON });
const administrator = new OtherAdministrator(webConsole);
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.close());

const dialog = (page: Page) => page.getByRole('dialog');
const details = (page: Page) => page.getByRole('complementary', { name: 'Webhook', exact: true });

async function secretIn(page: Page): Promise<string> {
  const shown = dialog(page)
    .getByRole('group', { name: 'Secret' })
    .getByText(/^whsec_/u);
  return (await shown.textContent()) ?? '';
}

test('a webhook is created by keyboard, tested, refuses, is sent again and gets a new secret', async (context) => {
  const { gateway } = webConsole;
  const integration = await administrator.createIntegration('Records system');
  await administrator.assignRole(integration, 'role_fax_viewer', 'installation');
  const { page, complaints } = await webConsole.open(context, { path: '/access/webhooks' });
  complaints.allow('400 POST /webhooks/endpoints');
  await page.getByText('No webhooks yet').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Shift+N');
  await dialog(page).getByRole('button', { name: 'Integration' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Records system' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).getByLabel('Address').focus();
  await page.keyboard.type('ftp://records.example');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await dialog(page).getByText('The address must be a web address that begins with https://.').waitFor();
  await dialog(page).getByLabel('Address').fill(receiver.url);
  await page.keyboard.press('Enter');
  const secret = await secretIn(page);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'I have stored it' }).press('Enter');

  receiver.refuse(500);
  await details(page).getByRole('button', { name: 'Send test event' }).press('Enter');
  await details(page).getByText('Waiting').first().waitFor();
  await gateway.processAll();
  const sentence = 'The server answered with status 500.';
  await details(page).getByText(sentence).first().waitFor();
  await details(page).getByRole('button', { name: '1 attempt' }).press('Enter');
  await details(page).getByText('Status 500', { exact: true }).waitFor();
  await details(page).getByText('It has accepted nothing since').waitFor();
  await expectAccessible(page);
  receiver.accept();
  const resent = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await details(page).getByRole('button', { name: 'Send now: Test event' }).press('Enter');
  await resent;
  await gateway.processAll();
  await details(page).getByText('Delivered', { exact: true }).waitFor();
  await details(page).getByRole('button', { name: '2 attempts' }).waitFor();
  const [, accepted] = receiver.messages;
  expect(accepted && verify(secret, accepted, gateway.clock.now())).toMatchObject({ type: 'webhook.test' });

  await details(page).getByRole('button', { name: 'Replace secret…' }).press('Enter');
  await dialog(page).getByRole('button', { name: 'Replace secret' }).press('Enter');
  await expect.poll(() => secretIn(page)).not.toBe(secret);
  await dialog(page).getByRole('button', { name: 'I have stored it' }).press('Enter');
  await details(page).getByText('Former secret until').waitFor();

  const fax = await deliveredFax(webConsole, nextNumber().e164);
  await gateway.processAll();
  await details(page).getByRole('listitem', { name: 'A fax was delivered' }).waitFor();
  await details(page).getByRole('link', { name: 'Open the fax' }).press('Enter');
  await page.waitForURL(`**/sent/${fax.id}`);
});

test('a webhook is turned off and on, and removed after a question', async (context) => {
  const { page } = await webConsole.open(context, { path: '/access/webhooks' });
  await page.getByRole('row', { name: /Records system/u }).click();
  await details(page).getByRole('button', { name: 'Turn off' }).press('Enter');
  await details(page).getByRole('button', { name: 'Turn on' }).waitFor();
  expect(await details(page).getByRole('button', { name: 'Send test event' }).count()).toBe(0);
  await details(page).getByRole('button', { name: 'Turn on' }).press('Enter');
  await details(page).getByRole('button', { name: 'Turn off' }).waitFor();
  await details(page).getByRole('button', { name: 'Remove…' }).press('Enter');
  const keep = details(page).getByRole('button', { name: 'Keep it' });
  await expect
    .poll(() => keep.evaluate((button) => button === button.ownerDocument.activeElement))
    .toBe(true);
  await expectAccessible(page);
  await details(page).getByRole('button', { name: 'Remove webhook' }).press('Enter');
  await page.getByText('No webhooks yet').waitFor();
});

test('while webhooks are off, the list says so and leads to the setting', async (context) => {
  await webConsole.gateway.set({ WEBHOOKS_ENABLED: false });
  const { page } = await webConsole.open(context, { path: '/access/webhooks' });
  await page.getByText('Webhooks are off', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open the settings' }).click();
  await page.getByText('Webhooks to private addresses', { exact: true }).waitFor();
  await webConsole.gateway.set({ WEBHOOKS_ENABLED: true });
});
