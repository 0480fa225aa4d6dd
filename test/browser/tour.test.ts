import { expect, test } from 'vitest';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole();

const TITLES = [
  '1 of 8: Send a fax',
  '2 of 8: Look before you send',
  '3 of 8: What became of it',
  '4 of 8: Received faxes',
  '5 of 8: What is to be done',
  '6 of 8: Names and numbers',
  '7 of 8: Your own settings',
  '8 of 8: Help',
];
const PLACES = ['/send', '/send', '/sent', '/inbox', '/work', '/contacts', '/my-settings', '/help'];

async function tourOf(key: string): Promise<unknown> {
  return (await webConsole.gateway.request('GET', '/desk/tour', { key })).json();
}

test('the tour leads through eight screens by keyboard alone, and is left and taken up again', async (context) => {
  const { page } = await webConsole.open(context, { path: '/work' });
  const strip = page.getByRole('region', { name: 'Tour' });
  expect(await strip.count()).toBe(0);
  await page.getByRole('button', { name: /Mara Okafor/u }).press('Enter');
  await page.getByRole('menuitem', { name: 'Take the tour' }).press('Enter');
  for (const [index, title] of TITLES.entries()) {
    await strip.getByText(title).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(`/admin/ui${PLACES[index]}`);
    if (index % 4 === 0) await expectAccessible(page);
    const next = strip.getByRole('button', { name: index < 7 ? 'Next' : 'Done' });
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe(await next.textContent());
    if (index === 3) {
      // The place in it is kept, and the way back is there.
      await page.reload();
      await strip.getByText(title).waitFor();
      await strip.getByRole('button', { name: 'Back' }).press('Enter');
      await strip.getByText(TITLES[2] ?? '').waitFor();
      await next.press('Enter');
      await strip.getByText(title).waitFor();
      await next.focus();
    }
    await page.keyboard.press('Enter');
  }
  await strip.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await strip.count()).toBe(0);
});

test('the tour goes only to screens that the person may open, and can be left at any step', async (context) => {
  const key = await webConsole.keyWith('inbound:list', 'inbound:read');
  expect(await tourOf(key)).toEqual({ state: 'none', step: null });
  const { page } = await webConsole.open(context, { path: '/inbox', as: { key } });
  await page
    .getByRole('button', { name: /^.*Viewer/u })
    .first()
    .press('Enter');
  await page.getByRole('menuitem', { name: 'Take the tour' }).press('Enter');
  const strip = page.getByRole('region', { name: 'Tour' });
  await strip.getByText('1 of 3: Received faxes').waitFor();
  await strip.getByRole('button', { name: 'Leave the tour' }).press('Enter');
  await strip.waitFor({ state: 'detached' });
  await expect.poll(() => tourOf(key)).toEqual({ state: 'ended', step: null });
});

test('the tour is offered once to a person who has just chosen the first password', async (context) => {
  const { gateway } = webConsole;
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  const json = {
    login: 'jonas',
    display_name: 'Jonas Brandt',
    expected_policy_version: me.policy_version,
  };
  const made = (await (await gateway.request('POST', '/access/users', { json })).json()) as {
    user: { id: string };
    temporary_password: string;
  };
  const rights = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read'];
  await new MailboxPeople(gateway).grant(made.user.id, { installation: rights });
  const { page } = await webConsole.open(context, { as: null });
  await page.getByLabel('Sign-in name').fill('jonas');
  await page.getByLabel('Password', { exact: true }).fill(made.temporary_password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  await page.getByLabel('New password', { exact: true }).fill('a quiet harbor at dawn');
  await page.getByLabel('Repeat new password', { exact: true }).fill('a quiet harbor at dawn');
  await page.keyboard.press('Enter');
  await page.getByText('New to Faxdesk?').waitFor();
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('button', { name: 'No, thanks' }).press('Enter');
  await page.getByText('New to Faxdesk?').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  expect(await page.getByText('New to Faxdesk?').count()).toBe(0);
});
