import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

test('a person shows what is left of the limit, and gets one of their own', async (context) => {
  await webConsole.gateway.set({ SPENDING_CURRENCY: 'USD', SPENDING_PERSON_MONTH: '50' });
  const person = await administrator.createPerson('Jonas Tveit', 'jonas');
  const { page } = await webConsole.open(context, { path: `/access/people/${person.id}` });
  const limit = page.getByRole('region', { name: 'Spending limit' });
  await limit.getByText(/\$50\.00 of .*\$50\.00 left/u).waitFor();
  await limit.getByText('No limit', { exact: true }).waitFor();
  await limit.getByRole('button', { name: 'Own limit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Own spending limit of Jonas Tveit' });
  await dialog.getByLabel('Per day').waitFor();
  await page.keyboard.type('much');
  await dialog.getByText('Enter an amount such as 50.00.').waitFor();
  await expectAccessible(page);
  await dialog.getByLabel('Per day').fill('7.5');
  await page.keyboard.press('Enter');
  await limit.getByText(/\$7\.50 of .*\$7\.50 left/u).waitFor();
  await limit.getByText(/\$50\.00 of .*\$50\.00 left/u).waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  await expectAccessible(page);
});
