import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { holdCard } from '../setup/card-reader.ts';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

const PRIYA = { name: 'Priya Sandoval', login: 'priya', password: 'a lantern in the harbour' };
const CARD = '0007316642';

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const choose = async (page: Page, { name }: { name: string }, entry: string) => {
  await page.getByRole('button', { name: `${name}: account` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};
const part = (page: Page) => page.getByRole('region', { name: /^PIN/u });
const switchPerson = async (page: Page, person: { name: string }) => {
  await choose(page, person, 'Switch person');
  await screen(page, 'Who are you?').waitFor();
};
const account = (page: Page, { name }: { name: string }) =>
  page.getByRole('button', { name: `${name}: account` }).waitFor();

async function setPin(page: Page, person: typeof MARA, pin: string): Promise<void> {
  await choose(page, person, 'My sign-in');
  await part(page).getByRole('button', { name: 'Set a PIN…' }).click();
  await page.getByLabel('New PIN').fill(pin);
  await page.getByLabel('Repeat the PIN').fill(pin);
  await page.getByLabel('Your password').fill(person.password);
  await page.keyboard.press('Enter');
  await part(page).getByText('Set', { exact: true }).waitFor();
}

/** Name of the field, or text, that has the keyboard. */
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.name || document.activeElement.textContent');

/** Types a PIN as a person does: a reader of cards is faster. */
const typePin = (page: Page, pin: string) => page.keyboard.type(pin, { delay: 80 });
test('people who share a computer switch by name and PIN, and a locked screen opens by the PIN', async (context) => {
  const { temporary_password } = await administrator.createPerson(PRIYA.name, PRIYA.login);
  const { page, complaints } = await webConsole.open(context, { as: null, path: '/send' });
  complaints.allow('401 GET ', '401 POST /auth/quick-sign-in/pin-login');
  await administrator.signIn(page, PRIYA.login, temporary_password);
  await page.getByLabel('New password', { exact: true }).fill(PRIYA.password);
  await page.getByLabel('Repeat new password').fill(PRIYA.password);
  await page.keyboard.press('Enter');
  await choose(page, PRIYA, 'Switch person');
  // Nobody has a PIN yet.
  await screen(page, 'Sign in').waitFor();
  await administrator.signIn(page, PRIYA.login, PRIYA.password);
  await setPin(page, PRIYA, '730514');
  await expectAccessible(page);
  await choose(page, PRIYA, 'Switch person');
  await page.getByRole('button', { name: 'Someone else' }).click();
  await administrator.signIn(page, MARA.login, MARA.password);
  await account(page, MARA);
  await setPin(page, MARA, '861935');

  await switchPerson(page, MARA);
  await expectAccessible(page);
  const names = page.getByRole('main').getByRole('listitem').getByRole('button');
  expect(await names.count()).toBe(2);
  await names
    .nth(0)
    .and(page.getByRole('button', { name: MARA.name, exact: true }))
    .waitFor();
  await expect.poll(() => focused(page)).toContain(MARA.name);
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toContain(PRIYA.name);
  await page.keyboard.press('Enter');
  await page.getByLabel('PIN', { exact: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('pin');
  await typePin(page, '111222');
  await page.keyboard.press('Enter');
  await page.getByText('That PIN is wrong. Try again.').waitFor();
  await expect.poll(() => focused(page)).toBe('pin');
  await expectAccessible(page);
  await typePin(page, '730514');
  await page.keyboard.press('Enter');
  await account(page, PRIYA);

  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  await page.getByText(PRIYA.name).waitFor();
  await expect.poll(() => focused(page)).toBe('pin');
  await typePin(page, '730514');
  await page.keyboard.press('Enter');
  await account(page, PRIYA);

  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await expect.poll(() => focused(page)).toBe('pin');
    await typePin(page, '111222');
    const answered = page.waitForResponse('**/pin-login');
    await page.keyboard.press('Enter');
    await answered;
  }
  await page.getByText('Too many wrong PINs. Sign in with your password.').waitFor();
  await expect.poll(() => focused(page)).toBe('password');
  await expectAccessible(page);
  await page.keyboard.type(PRIYA.password, { delay: 60 });
  await page.keyboard.press('Enter');
  await account(page, PRIYA);
});

test('a card that is held to the reader signs in, wherever the focus is, and leads nowhere into the screen of another person', async (context) => {
  const settings = { json: { changes: { QUICK_SIGN_IN: 'pin_or_card' } } };
  expect((await webConsole.gateway.request('PUT', '/admin/settings', settings)).status).toBe(200);
  const { page, complaints } = await webConsole.open(context, { as: null, path: '/send' });
  complaints.allow('401 GET ', '401 POST /auth/quick-sign-in/');
  await administrator.signIn(page, PRIYA.login, PRIYA.password);
  await account(page, PRIYA);
  await choose(page, PRIYA, 'My sign-in');
  await part(page).getByRole('button', { name: 'Add your card…' }).click();
  await holdCard(page, CARD);
  await page.getByLabel('Your password').fill(PRIYA.password);
  await page.keyboard.press('Enter');
  await part(page).getByRole('button', { name: 'Remove card' }).waitFor();
  await choose(page, PRIYA, 'Switch person');
  await page.getByRole('button', { name: 'Someone else' }).click();
  await administrator.signIn(page, MARA.login, MARA.password);
  await account(page, MARA);
  await page.getByRole('link', { name: /^System/u }).click();
  await screen(page, 'System').waitFor();
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  await page.getByText('Or hold your card to the reader.').waitFor();
  await holdCard(page, '0007316643');
  await page.getByText('That card is not known here.').waitFor();
  await expect.poll(() => page.getByLabel('PIN', { exact: true }).inputValue()).toBe('');
  await holdCard(page, CARD);
  await account(page, PRIYA);
  expect(new URL(page.url()).pathname).not.toContain('system');

  await choose(page, PRIYA, 'My sign-in');
  await part(page).getByRole('button', { name: 'Remove card' }).click();
  await part(page).getByRole('button', { name: 'Add your card…' }).waitFor();
  await switchPerson(page, PRIYA);
  await holdCard(page, CARD);
  await expect.poll(() => page.getByText('Or hold your card to the reader.').count()).toBe(0);
});
