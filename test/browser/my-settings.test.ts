import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550142';
const webConsole = testConsole({}, ({ gateway }) => markReached(gateway, KNOWN));

test('what new faxes begin with, and a phrase, are set by keyboard and used on Send', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  const cover = page.getByRole('button', { name: /Cover page/u });
  await cover.press('Enter');
  await page.getByRole('option', { name: 'Confidential' }).press('Enter');
  await page.getByRole('textbox', { name: 'Your name on cover pages' }).fill('Mara Okafor, front desk');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByText('Saved. Your next fax begins so.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'New phrase…' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New phrase' });
  await form.getByRole('textbox', { name: 'Short name' }).fill('Call back');
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Text' }).fill('Please call us back today.');
  await form.getByRole('button', { name: 'Save phrase' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change Call back' }).waitFor();
  await expectAccessible(page);

  await page.goto('/admin/ui/send');
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter());
  await page.getByRole('button', { name: 'Cover page Confidential' }).press('Enter');
  await page.getByRole('textbox', { name: 'Note' }).fill('The results are here.');
  await page.getByRole('button', { name: 'Phrases' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Call back' }).press('Enter');
  const note = 'The results are here.\nPlease call us back today.';
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe(note);
  await send.drawn();
  await send.send.press('Enter');
  await page.waitForURL(/\/send\/./u);
  const fax = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(fax.cover?.fields).toMatchObject({ note });
  expect(fax.cover?.fields['from']).toMatch(/^Mara Okafor, front desk/u);

  await page.goto('/admin/ui/my-settings');
  await page.getByRole('button', { name: 'Delete Call back' }).press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByText('You have no phrases yet.').waitFor();
});
