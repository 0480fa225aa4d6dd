import type { Page } from 'playwright';
import { expect, test, vi } from 'vitest';
import type { Person } from '../setup/mailbox-people.ts';
import { MARA, testConsole } from './console.ts';
import { RECEIVING } from './inbox-page.ts';
import { arriveMany, colleague, itemFrom, itemOf, items, openSender } from './work-page.ts';

vi.setConfig({ testTimeout: 90_000 });

let jonas: Person;
const webConsole = testConsole({ settings: RECEIVING }, async (furnished) => {
  jonas = await colleague(furnished, 'Jonas Tveit');
});

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const noteField = (page: Page) => page.getByRole('textbox', { name: 'Note when done' });
const refusal = (page: Page, shown: string) =>
  page.getByText(new RegExp(`^Your change to the fax from ${shown.replaceAll('+', String.raw`\+`)}`, 'u'));

async function open(page: Page, shown: string): Promise<void> {
  await itemOf(page, shown).click();
  await expect.poll(() => openSender(page).textContent()).toBe(shown);
}

/** Takes an item that another person takes just before the request arrives, and goes on to the next one meanwhile. */
async function takeTooLate(page: Page, shown: string, next: string): Promise<void> {
  await open(page, shown);
  const { promise: isHeld, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(
    '**/assign',
    async (route) => {
      await isHeld;
      const { id, version } = await itemFrom(webConsole, shown);
      const json = { principal_id: jonas.id, version };
      expect((await webConsole.gateway.request('POST', `/work/${id}/assign`, { json })).status).toBe(200);
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.press('o');
  await open(page, next);
  goOn();
  await refusal(page, shown).first().waitFor();
}

async function typeNote(page: Page, shown: string, text: string): Promise<void> {
  await open(page, shown);
  await page.keyboard.press('d');
  await page.keyboard.type(text);
  await expect.poll(() => noteField(page).inputValue()).toBe(text);
}

async function lock(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
}

async function signInWithKey(page: Page, key: string): Promise<void> {
  await screen(page, 'Sign in').waitFor();
  await page.getByRole('button', { name: 'Use a key instead' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Jonas Tveit: account' }).waitFor();
  await page.getByRole('link', { name: /^Work/u }).click();
  await items(page).waitFor();
}

test('rule (screens): what a person did and typed at a window is not shown to the next one, and is kept for the same one', async (context) => {
  const [typed = '?', refused = '?', done = '?'] = await arriveMany(webConsole, 3);
  const { page, complaints } = await webConsole.open(context, { path: '/work?view=all' });
  complaints.allow('401 GET ', '401 PUT /presence', '409 POST ');
  await takeTooLate(page, refused, done);
  await page.keyboard.press('o');
  const did = page.getByText(`You took the fax from ${done} (1 page).`);
  await did.first().waitFor();
  await typeNote(page, typed, 'Half a thought');
  await lock(page);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await items(page).waitFor();
  await open(page, typed);
  await refusal(page, refused).first().waitFor();
  await expect.poll(() => noteField(page).inputValue()).toBe('Half a thought');

  await lock(page);
  await page.getByRole('button', { name: 'Someone else' }).click();
  await signInWithKey(page, jonas.key);
  await open(page, typed);
  await page.keyboard.press('d');
  await noteField(page).waitFor();
  expect(await noteField(page).inputValue()).toBe('');
  expect(await refusal(page, refused).count()).toBe(0);
  expect(await did.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  await page.getByText('Nothing was undone').waitFor();
  expect((await itemFrom(webConsole, done)).owner?.name).toBe(MARA.name);
});

test('rule (screens): the answer to what a person did comes to nobody else at the window', async (context) => {
  const [shown = '?'] = await arriveMany(webConsole, 1);
  const { page, complaints } = await webConsole.open(context, { path: '/work' });
  complaints.allow('401 ', '403 ', '409 ');
  await open(page, shown);
  const { promise: isHeld, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/assign', async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.keyboard.press('o');
  await page.getByText(`Taking the fax from ${shown}`).waitFor();
  await page.getByRole('button', { name: `${MARA.name}: account` }).click();
  await page.getByRole('menuitem', { name: 'Switch person' }).click();
  await signInWithKey(page, jonas.key);
  await open(page, shown);
  const answered = page.waitForResponse('**/assign');
  answer();
  expect((await answered).status()).toBeGreaterThanOrEqual(400);
  // A key is handled after the answer.
  await page.keyboard.press('u');
  await page.getByText('Nothing was undone').waitFor();
  expect(await refusal(page, shown).count()).toBe(0);
  expect((await itemFrom(webConsole, shown)).owner).toBeNull();
});
