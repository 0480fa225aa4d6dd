import { expect, test } from 'vitest';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const OF_FAXES = ['fax:send', 'fax:read', 'fax:document'];

let clerk: Person;
const webConsole = testConsole({}, async ({ gateway }) => {
  const people = new MailboxPeople(gateway);
  await people.addMailbox('clinic', 'Clinic');
  await people.addMailbox('archive', 'Archive');
  clerk = await people.addPerson({ 'mailbox:clinic': OF_FAXES, 'mailbox:archive': OF_FAXES });
  for (const to of ['+12025550123', '+12025550177']) await markReached(gateway, to);
});

test('who may send everywhere sends for no mailbox, or for one they choose', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await page.getByRole('button', { name: /No mailbox Sent for/ }).click();
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['No mailbox', 'Archive', 'Clinic']);
  await page.getByRole('option', { name: 'Clinic' }).click();
  await send.number('202 555 0123');
  await send.add(letter());
  await send.send.click();
  await page.waitForURL(/\/send\/.+/u);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect((await webConsole.gateway.fax(id)).mailbox).toBe('Clinic');
  await page.goto(`/admin/ui/sent/${id}`);
  await page.getByText('Sent for').waitFor();
  await page.getByText('Clinic', { exact: true }).waitFor();
});

test('who may send for several mailboxes only says which, and sees their faxes alone', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send', as: { key: clerk.key } });
  const send = await new SendPage(page).opened();
  await page.getByRole('button', { name: /Choose a mailbox/ }).waitFor();
  await page.getByRole('combobox', { name: 'To' }).fill('303 555 0101');
  await send.to.press('Escape');
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0101');
  await send.add(letter());
  await page.locator('#send-note', { hasText: 'Choose a mailbox' }).waitFor();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
  await page.getByRole('button', { name: /Choose a mailbox/ }).click();
  await page.getByRole('option', { name: 'Archive' }).click();
  await expectAccessible(page);
  await send.send.click();
  await page.waitForURL(/\/send\/.+/u);
  await page.getByRole('link', { name: 'Sent', exact: true }).click();
  await page.getByRole('row').filter({ hasText: '303' }).waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: '0177' }).count()).toBe(0);
});
