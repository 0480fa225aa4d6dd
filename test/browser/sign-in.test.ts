import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { PAGE_TOKEN_HEADER } from '../../shared/page-token.ts';
import { expectAccessible, MARA, TEST_PAGE_TOKEN, testConsole } from './console.ts';

const webConsole = testConsole();

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function signInByForm(page: Page, password = MARA.password): Promise<void> {
  await page.getByLabel('Sign-in name').fill(MARA.login);
  await enterPassword(page, password);
}

async function enterPassword(page: Page, password = MARA.password): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Ends the sessions of the person at the page, as an administrator would from elsewhere. */
async function endSessionsOf(page: Page): Promise<void> {
  const me = (await (
    await page.context().request.get('/auth/me', { headers: { [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN } })
  ).json()) as {
    principal: { id: string };
    policy_version: number;
  };
  const list = await webConsole.gateway.request(
    'GET',
    `/auth/sessions?limit=100&principal_id=${me.principal.id}`,
  );
  const { items } = (await list.json()) as { items: { session_id: string; revoked_at: string | null }[] };
  let expected_policy_version = me.policy_version;
  for (const { session_id } of items.filter((it) => it.revoked_at === null)) {
    const json = { expected_policy_version };
    const ended = await webConsole.gateway.request('POST', `/auth/sessions/${session_id}/revoke`, { json });
    expected_policy_version = ((await ended.json()) as { policy_version: number }).policy_version;
  }
}

test('a wrong password is refused in a sentence, the right one opens the console', async (context) => {
  const { page, complaints } = await webConsole.open(context, { as: null });
  complaints.allow('401 POST /auth/login');
  await screen(page, 'Sign in').waitFor();
  await expectAccessible(page);
  await signInByForm(page, 'wrong password of mine');
  await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
  await expectAccessible(page);
  await signInByForm(page);
  await screen(page, 'New fax').waitFor();
});

test('empty fields say that they must be filled, and nothing is sent', async (context) => {
  const { page, complaints } = await webConsole.open(context, { as: null });
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.poll(() => page.getByText('Fill this in.').count()).toBe(2);
  expect(complaints.all.filter((it) => it.includes('login'))).toEqual([]);
});

test('a key opens what the key may do', async (context) => {
  const key = await webConsole.keyWith('fax:read');
  const { page, complaints } = await webConsole.open(context, { as: null });
  complaints.allow('POST /auth/key-login');
  await page.getByRole('button', { name: 'Use a key instead' }).click();
  await page.getByLabel('Key', { exact: true }).fill('not a key');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong key', { exact: true }).waitFor();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const rail = page.getByRole('navigation', { name: 'Screens' });
  await expect.poll(() => rail.getByRole('link').allTextContents()).toEqual(['Sent', 'Cases']);
  await screen(page, 'Sent').waitFor();
});

test('a screen that a person may not see says so', async (context) => {
  const key = await webConsole.keyWith('fax:read');
  const { page } = await webConsole.open(context, { as: { key }, path: '/settings' });
  await page.getByRole('heading', { name: 'You do not have permission to see this' }).waitFor();
  await expectAccessible(page);
});

test('an unused screen locks, and a fresh sign-in comes back to it', async (context) => {
  const { page, complaints } = await webConsole.open(context, {
    path: '/sent',
    prepare: (it) => it.clock.install(),
  });
  // The clock jumps over its next question and the lock at once.
  complaints.allow('401 GET /console/installation');
  await screen(page, 'Sent').waitFor();
  await page.clock.fastForward('09:00');
  await expect.poll(() => screen(page, 'Sent').isVisible()).toBe(true);
  await page.clock.fastForward('01:30');
  await screen(page, 'Locked').waitFor();
  await expect.poll(() => page.getByRole('grid').count()).toBe(0);
  const asked = await page
    .context()
    .request.get('/auth/me', { headers: { [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN } });
  expect(asked.status()).toBe(401);
  await expectAccessible(page);
  await enterPassword(page);
  await screen(page, 'Sent').waitFor();
});

test('the time without use counts from the opening, however late the gateway says after how long it locks', async (context) => {
  const isSaid = Promise.withResolvers<void>();
  const { page, complaints } = await webConsole.open(context, {
    path: '/sent',
    prepare: async (it) => {
      await it.clock.install();
      await it.route('**/console/installation', (route) => isSaid.promise.then(() => route.fallback()));
    },
  });
  complaints.allow('401 GET /console/installation');
  await screen(page, 'Sent').waitFor();
  await page.clock.fastForward('10:30');
  isSaid.resolve();
  await screen(page, 'Locked').waitFor();
});

test('a screen locks by its key at once', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
});

test('a lock takes the password alone of the person who is locked, also after a reload', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('401 POST /auth/login');
  const to = page.getByRole('combobox', { name: 'To' });
  await expect.poll(() => to.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').filter({ hasText: /\S/u }).waitFor({ state: 'attached' });
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  expect(await page.getByRole('status').or(page.getByRole('alert')).allTextContents()).toEqual(['', '']);
  await page.reload();
  await page.getByText(MARA.name).waitFor();
  await expect.poll(() => page.getByLabel('Sign-in name').count()).toBe(0);
  await enterPassword(page, 'wrong password of mine');
  await page.getByText('That password is wrong. Try again.').waitFor();
  const password = page.getByLabel('Password', { exact: true });
  await expect.poll(() => password.inputValue()).toBe('');
  await expect.poll(() => page.locator('main').textContent()).not.toContain('ign-in name');
  await expect.poll(() => password.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.type(MARA.password);
  await page.keyboard.press('Enter');
  await expect.poll(() => to.and(page.locator(':focus')).count()).toBe(1);
});

test('a lock of a person who came with a key takes a key', async (context) => {
  const key = await webConsole.keyWith('fax:read');
  const { page } = await webConsole.open(context, { as: { key }, path: '/sent' });
  await screen(page, 'Sent').waitFor();
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await screen(page, 'Sent').waitFor();
});

test('signing out ends the session', async (context) => {
  const { page } = await webConsole.open(context);
  await page.getByRole('button', { name: `${MARA.name}: account` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await screen(page, 'Sign in').waitFor();
  expect(
    (
      await page.context().request.get('/auth/me', { headers: { [PAGE_TOKEN_HEADER]: TEST_PAGE_TOKEN } })
    ).status(),
  ).toBe(401);
});

test('a session that ends elsewhere leads to the sign-in, and back to the same screen', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/sent' });
  await screen(page, 'Sent').waitFor();
  complaints.allow('401 GET ');
  await endSessionsOf(page);
  await page.getByText('Your session has ended.').waitFor();
  await enterPassword(page);
  await screen(page, 'Sent').waitFor();
});
