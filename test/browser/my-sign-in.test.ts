import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { OtherAdministrator } from './other-administrator.ts';

const webConsole = testConsole();
const administrator = new OtherAdministrator(webConsole);

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const choose = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: `${MARA.name}: account` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test('the own password is changed, and sessions in other places end', async (context) => {
  const other = await webConsole.open(context, { path: '/sent' });
  await screen(other.page, 'Sent').waitFor();
  other.complaints.allow('401 GET ');
  const { page, complaints } = await webConsole.open(context);
  complaints.allow('403 POST /auth/password');
  await choose(page, 'My sign-in');
  await screen(page, 'My sign-in').waitFor();
  const sessions = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
  await sessions.filter({ hasText: 'This session' }).getByText('This computer').waitFor();
  await expect.poll(() => sessions.count()).toBeGreaterThan(1);
  await expectAccessible(page);
  await page.getByLabel('Current password').fill('not my password');
  await page.getByLabel('New password', { exact: true }).fill('a lantern in the harbour');
  await page.getByLabel('Repeat new password').fill('a lantern in the harbour');
  await page.keyboard.press('Enter');
  await page.getByText('The current password is not correct.').waitFor();
  await page.getByLabel('Current password').fill(MARA.password);
  await page.keyboard.press('Enter');
  await page.getByText('Your password was changed.').waitFor();
  await other.page.getByText('Your session has ended.').waitFor();
  await expect.poll(() => sessions.count()).toBe(1);
  await expectAccessible(page);
  await page.getByLabel('Current password').fill('a lantern in the harbour');
  await page.getByLabel('New password', { exact: true }).fill(MARA.password);
  await page.getByLabel('Repeat new password').fill(MARA.password);
  const back = page.waitForResponse('**/auth/password');
  await page.keyboard.press('Enter');
  expect((await back).status()).toBe(200);
});

test('a lock takes only the password of the person who locked it, or lets another person in', async (context) => {
  const { temporary_password } = await administrator.createPerson('Priya Sandoval', 'priya');
  const { page, complaints } = await webConsole.open(context, { as: null, path: '/sent' });
  // A request from just before the lock may be answered after it.
  complaints.allow('401 GET ');
  await administrator.signIn(page, MARA.login, MARA.password);
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  await page.getByText(MARA.name).waitFor();
  await expect.poll(() => page.getByLabel('Sign-in name').count()).toBe(0);
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Control+Shift+L');
  await page.getByRole('button', { name: 'Someone else' }).click();
  await screen(page, 'Sign in').waitFor();
  await expect.poll(() => page.getByText(MARA.name).count()).toBe(0);
  await administrator.signIn(page, 'priya', temporary_password);
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
});

test('the person is switched, and the next one begins at the beginning', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/system' });
  complaints.allow('401 GET ');
  await screen(page, 'System').waitFor();
  await choose(page, 'Switch person');
  await screen(page, 'Sign in').waitFor();
  await page.getByText('The previous person’s draft is saved for them.').waitFor();
  // The page goes at once, and the session as soon as the gateway has the request.
  await expect.poll(async () => (await page.context().request.get('/auth/me')).status()).toBe(401);
  await administrator.signIn(page, MARA.login, MARA.password);
  await screen(page, 'New fax').waitFor();
});

test('the next person signs in only after the sign-out was answered, which removes the cookies', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/system' });
  complaints.allow('401 GET ');
  const isLate = Promise.withResolvers<void>();
  const order: string[] = [];
  await page.route('**/auth/logout', async (route) => {
    await isLate.promise;
    order.push('out');
    await route.fallback();
  });
  await page.route('**/auth/login', async (route) => {
    order.push('in');
    await route.fallback();
  });
  await choose(page, 'Switch person');
  await screen(page, 'Sign in').waitFor();
  await administrator.signIn(page, MARA.login, MARA.password);
  isLate.resolve();
  await screen(page, 'New fax').waitFor();
  expect(order).toEqual(['out', 'in']);
});
