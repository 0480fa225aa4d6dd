import type { Page } from 'playwright';
import { afterEach, expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole();

interface Route {
  readonly id: string;
  readonly version: number;
  readonly name: string;
}

async function request<Answer>(method: string, path: string, json?: unknown): Promise<Answer> {
  const answer = await webConsole.gateway.request(method, path, { json });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

const routes = async () => (await request<{ items: Route[] }>('GET', '/routing/routes')).items;
const create = (given: object = {}) =>
  request<Route>('POST', '/routing/routes', {
    name: 'Germany',
    backend: 'cloudone',
    prefixes: ['+49'],
    ...given,
  });
const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();

afterEach(async () => {
  for (const { id, version } of await routes())
    await request('POST', `/routing/routes/${id}/remove`, { version });
});

test('a route is added with an account of its own, changed, turned off and removed in Settings', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/settings/routes' });
  await page.getByText('No routes yet').waitFor();
  await page.getByRole('button', { name: 'Add route…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New route' });
  await dialog.getByLabel('Name', { exact: true }).fill('Germany');
  await dialog.getByLabel('Numbers begin with').fill('49');
  await dialog.getByLabel('Priority').fill('0');
  await save(page);
  await dialog.getByText('“49” is not a prefix. Use + and digits.').waitFor();
  await dialog.getByText('Use a whole number from 1 to 999.').waitFor();
  await dialog.getByLabel('Numbers begin with').fill('+49 +43');
  await dialog.getByLabel('Priority').fill('10');
  await dialog.getByRole('button', { name: /Account/u }).click();
  await page.getByRole('option', { name: 'Its own account', exact: true }).click();
  await expectAccessible(page);
  // Input that the gateway refuses stays in the form.
  complaints.allow('400 POST /routing/routes');
  await save(page);
  await dialog.getByText('has no credentials yet').waitFor();
  await dialog.getByLabel('API key', { exact: true }).fill('second-key');
  await dialog.getByLabel('API secret', { exact: true }).fill('second-secret');
  await save(page);
  await row(page, 'Germany').getByText('Phaxio, with its own account').waitFor();
  await row(page, 'Germany').getByText('+43 +49').waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Change…: Germany' }).click();
  await page.getByRole('dialog').getByText('Its own account, as stored').first().waitFor();
  // Somebody else is faster.
  complaints.allow('409 PATCH /routing/routes/');
  const [before] = await routes();
  await request('PATCH', `/routing/routes/${before?.id}`, {
    version: before?.version,
    name: 'Germany and Austria',
  });
  await page.getByRole('dialog').getByLabel('Simultaneous calls').fill('2');
  await save(page);
  await page.getByRole('dialog').getByText('Someone else changed this route').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Reload' }).click();
  const name = page.getByRole('dialog').getByLabel('Name', { exact: true });
  await expect.poll(() => name.inputValue()).toBe('Germany and Austria');
  await page.getByRole('dialog').getByLabel('Simultaneous calls').fill('2');
  await save(page);
  await page.getByRole('button', { name: 'Turn off: Germany and Austria' }).click();
  await row(page, 'Germany and Austria').getByText('Off', { exact: true }).waitFor();
  expect(await routes()).toMatchObject([{ enabled: false, has_account: true, lines: 2, priority: 10 }]);
  await page.getByRole('button', { name: 'Remove…: Germany and Austria' }).press('Enter');
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Keep it');
  await page.getByRole('button', { name: 'Remove it' }).click();
  await page.getByText('No routes yet').waitFor();
  expect(await routes()).toEqual([]);
});

test('a route over the phone line takes another trunk of the same Asterisk', async (context) => {
  const trunk = { TRUNK_HOST: 'sip.example.com', TRUNK_USER: 'office1', TRUNK_PASSWORD: 'trunk-secret' };
  await webConsole.gateway.set({ TELEPHONY_PASSWORD: 'engine-secret', ...trunk });
  const { page, complaints } = await webConsole.open(context, { path: '/settings/routes' });
  await page.getByRole('button', { name: 'Add route…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New route' });
  await dialog.getByLabel('Name', { exact: true }).fill('Carrier B');
  await dialog.getByRole('button', { name: /Provider/u }).click();
  await page.getByRole('option', { name: 'Phone line' }).click();
  await dialog.getByRole('button', { name: /Trunk/u }).click();
  await page.getByRole('option', { name: 'Its own trunk', exact: true }).click();
  complaints.allow('400 POST /routing/routes');
  await save(page);
  await dialog.getByText('needs its name in Asterisk').waitFor();
  await dialog.getByLabel('Name in Asterisk').fill('carrier-b');
  await expectAccessible(page);
  await save(page);
  await row(page, 'Carrier B').getByText('Phone line, with its own trunk').waitFor();
});

test('a contact prefers a route once there are routes, and the open fax says which rule chose it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/contacts' });
  await page.getByText('No contacts yet').waitFor();
  await page.keyboard.press('Shift+N');
  const dialog = page.getByRole('dialog', { name: 'Add contact' });
  await dialog.getByLabel('Name').waitFor();
  expect(await dialog.getByRole('button', { name: /Preferred route/u }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await create({ name: 'Friends' });
  await page.reload();
  await page.getByText('No contacts yet').waitFor();
  await page.keyboard.press('Shift+N');
  await dialog.getByLabel('Name').fill('Bridge Pharmacy');
  await dialog.getByLabel('Fax number').fill('+13605550151');
  await dialog.getByRole('button', { name: /Preferred route/u }).click();
  await page.getByRole('option', { name: 'Friends' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary', { name: 'Contact' }).getByText('Friends').waitFor();
  const { id } = await webConsole.gateway.send({ to: '+13605550151' });
  await page.goto(`/admin/ui/sent/${id}`);
  await page.getByText('Route “Friends”: preferred for this contact.').first().waitFor();
});

test('routes are read without a way to change them by who may only read', async (context) => {
  await create();
  const key = await webConsole.keyWith('settings:read', 'routing:read');
  const { page } = await webConsole.open(context, { as: { key }, path: '/settings/routes' });
  await row(page, 'Germany').getByText('+49').waitFor();
  expect(await row(page, 'Germany').getByRole('button').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Add route…' }).count()).toBe(0);
});

test('the routes that could carry a fax stand beside its time and cost', async (context) => {
  await create({ name: 'Office line', prefixes: ['+1360'] });
  const next = await create({ name: 'Second choice', prefixes: ['+1'] });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('+13605550178');
  await send.add(letter());
  await page.getByText(/^by Office line$/u).waitFor();
  await page.getByText(/^after a failure by Second choice$/u).waitFor();
  const card = { backend: 'cloudone', route_id: next.id, currency: 'USD', per_fax: '0.25' };
  await request('POST', '/routing/rate-cards', card);
  await send.number('+13605550179');
  await page.getByText(/^after a failure by Second choice, \D*0\.25$/u).waitFor();
  await expectAccessible(page);
});
