import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { emptyConsole, expectAccessible, MARA } from './console.ts';
import { rowOf } from './inbox-page.ts';

const webConsole = emptyConsole();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const OWNER = 'Who is the owner?';
const PROVIDER = 'Which provider do you use?';
const NUMBER = 'What should the header line say?';
const RECEIVING = 'Receive faxes?';
const TEST = 'Send a test fax';

/** All but an owner and a fax that was delivered. */
const SENDS_AND_RECEIVES = {
  FAX_BACKEND: 'cloudone',
  CLOUDONE_API_KEY: 'emulator-key',
  CLOUDONE_API_SECRET: 'emulator-secret',
  FAX_ORGANIZATION: 'Alder Street Clinic',
  FAX_NUMBER: '+15035550119',
  INBOUND_ENABLED: true,
};

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 30; presses += 1) {
    if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(wanted)}.`);
}

/** The keyboard is there without a Tab. */
async function expectFocus(page: Page, wanted: Locator): Promise<void> {
  await expect.poll(() => wanted.and(page.locator(':focus')).count()).toBe(1);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

async function enterKey(page: Page): Promise<void> {
  await typeInto(page, 'Installation key', INSTALLATION_KEY);
  await page.keyboard.press('Enter');
  await heading(page, OWNER);
}

async function fillOwner(page: Page, password = MARA.password): Promise<void> {
  await typeInto(page, 'Your name', MARA.name);
  await typeInto(page, 'Password', password);
  await typeInto(page, 'Repeat password', password);
}

async function enrol(page: Page): Promise<void> {
  await enterKey(page);
  await fillOwner(page);
  await page.keyboard.press('Enter');
  await heading(page, PROVIDER);
}

async function fillProvider(page: Page, secret = 'emulator-secret'): Promise<void> {
  await tabTo(page, page.getByRole('radio', { name: /Phaxio/u }));
  await page.keyboard.press('Space');
  await typeInto(page, 'API key', 'emulator-key');
  await typeInto(page, 'API secret', secret);
}

/** Keys as a person presses them; pasting a text that is at hand is one. */
class CountedKeys {
  count = 0;

  async on(
    page: Page,
    work: (keys: {
      type(text: string): Promise<void>;
      press(key: string): Promise<void>;
      paste(text: string): Promise<void>;
    }) => Promise<void>,
  ): Promise<void> {
    await page.locator('input:focus').waitFor();
    await work({
      type: async (text) => {
        this.count += text.length;
        await page.keyboard.type(text);
      },
      press: async (key) => {
        this.count += 1;
        await page.keyboard.press(key);
      },
      paste: async (text) => {
        this.count += 1;
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
        await page.keyboard.press('Control+V');
      },
    });
  }
}

/** Chooses one of the answers of a step. */
async function answer(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('radio', { name });
  await tabTo(page, page.getByRole('radio').first());
  await page.keyboard.press('Space');
  while (!(await wanted.isChecked())) await page.keyboard.press('ArrowDown');
}

/** Returns the values that the gateway stored under these names; null for one that is not set. */
async function saved(...names: string[]): Promise<unknown[]> {
  const answer = await (await webConsole.gateway.request('GET', '/admin/settings')).json();
  const { settings } = answer as { settings: { name: string; value: unknown; is_set: boolean }[] };
  return names.map((name) => settings.find((it) => it.name === name)?.value ?? null);
}

/** Signs in with the password and returns the status. */
async function signsIn(password: string): Promise<number> {
  const json = { login: 'mara', password };
  const headers = { Origin: webConsole.gateway.url };
  return (await webConsole.gateway.request('POST', '/auth/login', { key: null, json, headers })).status;
}

describe('the first start', () => {
  test('rule (screens): the first start works by keyboard alone, and each step passes axe in light and dark', async (context) => {
    const { page } = await webConsole.open(context, { as: null });
    await enterKey(page);
    await expectFocus(page, page.getByLabel('Your name'));
    await expectAccessible(page);
    await fillOwner(page);
    await expect.poll(() => page.getByLabel('Sign-in name').inputValue()).toBe('mara');
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    await expectFocus(page, page.getByRole('radio').first());
    await fillProvider(page);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    // Text typed while the step is stored belongs to the next one.
    await page.keyboard.type('Alder Street Clinic');
    await heading(page, NUMBER);
    await expectFocus(page, page.getByLabel('Organization'));
    await expect.poll(() => page.getByLabel('Organization').inputValue()).toBe('Alder Street Clinic');
    await typeInto(page, 'Own fax number', '503 555 0119');
    // As the preview draws it for this provider, with a recipient's number of the length of ours.
    await page.getByText('Alder Street Clinic +15035550119 -> +15035550000').waitFor();
    await page.getByText('[date and time]').waitFor();
    await page.getByText('[page]').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await heading(page, RECEIVING);
    await expectFocus(page, page.getByRole('radio').first());
    // Enter goes on as the button says: without an answer that is what is missing.
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: /\S/u }).waitFor();
    await answer(page, 'Yes, receive faxes here');
    await page.getByText('Faxdesk checks with Phaxio every minute').waitFor();
    await tabTo(page, page.getByRole('button', { name: 'Check connection' }));
    await page.keyboard.press('Space');
    await page.getByText(/^Checked /u).waitFor();
    await expectAccessible(page);
    await tabTo(page, page.getByRole('button', { name: 'Continue' }));
    await page.keyboard.press('Enter');
    await heading(page, TEST);
    await expectFocus(page, page.getByLabel('Fax number for the test page'));
    expect(await saved('FAX_BACKEND', 'FAX_ORGANIZATION', 'FAX_NUMBER', 'INBOUND_ENABLED')).toEqual([
      'cloudone',
      'Alder Street Clinic',
      '+15035550119',
      true,
    ]);
    await typeInto(page, 'Fax number for the test page', '202 555 0123');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Faxdesk will send the page in a moment').waitFor();
    await expectFocus(page, page.getByRole('button', { name: 'Open Faxdesk' }));
    await webConsole.gateway.processAll();
    await page.getByText('The provider is sending it.').waitFor();
    const [sid] = webConsole.gateway.emulator.faxes.keys();
    webConsole.gateway.emulator.complete(String(sid), { status: 'success' });
    webConsole.gateway.clock.advance(MINUTE);
    await webConsole.gateway.processAll();
    await page.getByText('It arrived.').first().waitFor();
    await expectAccessible(page);
    await tabTo(page, page.getByRole('button', { name: 'Open Faxdesk' }));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/admin/ui/send');
    await expectFocus(page, page.getByRole('combobox', { name: 'To' }));
    await expect.poll(() => page.getByRole('link', { name: 'Finish setup' }).count()).toBe(0);
  });

  test('takes at most 60 keys to the first fax from a person who has the data of the account', async (context) => {
    const keys = new CountedKeys();
    const { page } = await webConsole.open(context, { as: null });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const begun = performance.now();
    await keys.on(page, async ({ paste, press, type }) => {
      await paste(INSTALLATION_KEY);
      await press('Enter');
      await heading(page, OWNER);
      await type(MARA.name);
      await press('Tab');
      await press('Tab');
      await paste(MARA.password);
      await press('Tab');
      await paste(MARA.password);
      await press('Enter');
      await heading(page, PROVIDER);
      await expectFocus(page, page.getByRole('radio').first());
      await press('Space');
      await press('Tab');
      await paste('emulator-key');
      await press('Tab');
      await paste('emulator-secret');
      await press('Enter');
      await heading(page, NUMBER);
      await type('Alder Street Clinic');
      await press('Tab');
      await paste('+15035550119');
      await press('Enter');
      await heading(page, RECEIVING);
      await expectFocus(page, page.getByRole('radio').first());
      await press('Space');
      await press('Enter');
      await heading(page, TEST);
      await expectFocus(page, page.getByLabel('Fax number for the test page'));
      await paste('+12025550123');
      await press('Enter');
      await page.getByText('Faxdesk will send the page in a moment').waitFor();
    });
    await webConsole.gateway.processAll();
    expect(webConsole.gateway.emulator.faxes.size).toBe(1);
    const seconds = (performance.now() - begun) / 1_000;
    process.stderr.write(`first fax: ${keys.count} keys, ${seconds.toFixed(1)} s\n`);
    expect(keys.count).toBeLessThanOrEqual(60);
  });

  test('shows what is optional, why a button is off, and the answer of each step', async (context) => {
    const { page } = await webConsole.open(context, { as: null, viewport: { width: 1024, height: 700 } });
    await enrol(page);
    const check = page.getByRole('button', { name: 'Check connection' });
    await expect.poll(() => check.isDisabled()).toBe(true);
    await page.getByText('Choose a provider first.').waitFor();
    await fillProvider(page);
    await expect.poll(() => check.isDisabled()).toBe(false);
    const optional = page.getByRole('region', { name: 'Instant updates Optional' });
    await optional.getByText('Optional. Confirms that instant updates really come from Phaxio.').waitFor();
    await optional.getByText('Optional. With an address that Phaxio can reach').waitFor();
    await optional.getByLabel('Public address').fill('http://fax.example.com');
    await page.getByText('Correct “Public address” first.').waitFor();
    await expect.poll(() => check.isDisabled()).toBe(true);
    await expectAccessible(page);
    await optional.getByLabel('Public address').fill('');
    await page.getByRole('radio', { name: /Phaxio/u }).focus();
    await page.keyboard.press('Tab');
    await expectFocus(page, page.getByLabel('API key', { exact: true }));
    // Past Show to the next secret, and back over it.
    await page.keyboard.press('Tab');
    await expectFocus(page, page.getByLabel('API secret', { exact: true }));
    await page.keyboard.press('Shift+Tab');
    await expectFocus(page, page.getByRole('button', { name: 'Show' }).first());
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, NUMBER);
    const steps = page.getByRole('navigation', { name: 'Setup steps' });
    await steps.getByText('Mara Okafor').waitFor();
    await steps.getByText('Phaxio').waitFor();
    await page.getByLabel('Organization').fill('Alder Street Clinic');
    await page.getByLabel('Own fax number').fill('+15035550119');
    // The line is one line, as on paper.
    const line = page.getByText('Alder Street Clinic +15035550119 -> +15035550000');
    expect((await line.boundingBox())?.height).toBeLessThan(20);
    // After the last field comes the main button.
    await page.getByRole('button', { name: /Time zone/u }).focus();
    await page.keyboard.press('Tab');
    await expectFocus(page, page.getByRole('button', { name: 'Continue' }));
    await page.keyboard.press('Enter');
    await heading(page, RECEIVING);
    await steps.getByText('Alder Street Clinic, +1 503 555 0119').waitFor();
    await answer(page, 'No, only send');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, TEST);
    await steps.getByText('Sending only').waitFor();
    await expectAccessible(page);
  });

  test('says what is wrong with the credentials, and keeps what was typed', async (context) => {
    const { page } = await webConsole.open(context, { as: null });
    await enrol(page);
    await fillProvider(page, 'wrong');
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText('Phaxio refused the API key or secret.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The connection is not ready').waitFor();
    await expectAccessible(page);
    await expect.poll(() => page.getByLabel('API secret').inputValue()).toBe('wrong');
    expect(await saved('FAX_BACKEND')).toEqual([null]);
    await page.getByRole('button', { name: 'Save and continue anyway' }).click();
    await heading(page, NUMBER);
    expect(await saved('FAX_BACKEND')).toEqual(['cloudone']);
  });

  test('shows the address for callbacks once there is a public one', async (context) => {
    const { page } = await webConsole.open(context, { as: null });
    await enrol(page);
    await fillProvider(page);
    await page.getByText('Outcome of sent faxes: Without a public address').waitFor();
    await typeInto(page, 'Public address', 'http://fax.example.com');
    await page.getByText('The address must begin with https://').waitFor();
    await page.getByLabel('Public address').fill('https://fax.example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, NUMBER);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('https://fax.example.com/cloudone-inbound').waitFor();
    await expect.poll(() => page.getByText('Is set').count()).toBe(2);
    await page.getByRole('link', { name: /^Receiving/u }).click();
    await heading(page, RECEIVING);
    await page.getByText('Yes, receive faxes here').click();
    await page.getByText('https://fax.example.com/cloudone-inbound').waitFor();
    await expect.poll(() => page.getByText('https://fax.example.com/cloudone-callback').count()).toBe(0);
    await page.getByText('The callback token is missing').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Enter the token' }).click();
    await heading(page, PROVIDER);
    await page.getByLabel('Callback token').fill('emulator-token');
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, NUMBER);
    await page.getByRole('link', { name: /^Receiving/u }).click();
    await page.getByText('Yes, receive faxes here').click();
    await page.getByText('https://fax.example.com/cloudone-inbound').waitFor();
    await page.getByText('Phaxio notifies Faxdesk of every fax').waitFor();
    await expect.poll(() => page.getByText('The callback token is missing').count()).toBe(0);
  });

  test('ends with a fax that goes out and comes back', async (context) => {
    await webConsole.gateway.set(SENDS_AND_RECEIVES);
    const { page } = await webConsole.open(context, { as: null });
    await enterKey(page);
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    await page.getByRole('link', { name: /^Test fax/u }).click();
    await tabTo(page, page.getByRole('button', { name: 'Use our own number' }));
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByLabel('Fax number for the test page').inputValue())
      .toBe('+1 503 555 0119');
    await expectAccessible(page);
    await tabTo(page, page.getByRole('button', { name: 'Send the test fax' }));
    await page.keyboard.press('Enter');
    await page.getByText('Faxdesk will send the page in a moment').waitFor();
    await webConsole.gateway.processAll();
    const [sid] = webConsole.gateway.emulator.faxes.keys();
    webConsole.gateway.emulator.complete(String(sid), { status: 'success' });
    webConsole.gateway.emulator.receive({ from: '+15035550119', to: '+15035550119', document: textPdf(1) });
    webConsole.gateway.clock.advance(MINUTE);
    await webConsole.gateway.processAll();
    await page.getByText('It came back: the one page arrived here.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open it in the Inbox' }).press('Enter');
    await rowOf(page, '+1 503 555 0119').waitFor();
  });

  test('can be left and taken up again at every step', async (context) => {
    const { page } = await webConsole.open(context, { as: null });
    await enterKey(page);
    await page.reload();
    await heading(page, OWNER);
    await page.goto('/admin/ui/send');
    await heading(page, OWNER);
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    await page.getByRole('link', { name: 'Leave setup' }).click();
    await page.getByRole('link', { name: 'Finish setup' }).click();
    await heading(page, PROVIDER);
    await page.getByRole('button', { name: 'Set up later' }).click();
    await heading(page, NUMBER);
    await page.reload();
    await heading(page, NUMBER);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Enter the organization and the number').waitFor();
    await page.getByRole('button', { name: 'Set up later' }).click();
    await heading(page, RECEIVING);
    await page.reload();
    await heading(page, RECEIVING);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Choose an answer, or set this up later.').waitFor();
    await page.getByText('Yes, receive faxes here').click();
    await page.getByText('There is no provider yet').waitFor();
    await expectAccessible(page);
    await page.getByText('No, only send').click();
    await page.getByText('There is no provider yet').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, TEST);
    expect(await saved('INBOUND_ENABLED')).toEqual([false]);
    await page.getByRole('link', { name: /^Receiving.*done$/u }).waitFor();
    await page.getByText('There is no provider yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set up the provider' }).click();
    await heading(page, PROVIDER);
    await page.getByRole('link', { name: 'Test fax' }).click();
    await page.getByRole('button', { name: 'Finish without it' }).click();
    await page.waitForURL('**/admin/ui/send');
    await page.getByRole('link', { name: 'Finish setup' }).click();
    await heading(page, PROVIDER);
  });
});

describe('the password of the owner', () => {
  test('is chosen again when it is too common', async (context) => {
    const { page, complaints } = await webConsole.open(context, { as: null });
    complaints.allow('400 POST /auth/password');
    await enterKey(page);
    await fillOwner(page, 'password12345');
    await page.keyboard.press('Enter');
    await page.getByText('That password is too easy to guess; choose another.').waitFor();
    await heading(page, 'Mara Okafor is the owner now');
    await expectAccessible(page);
    await typeInto(page, 'Password', MARA.password);
    await typeInto(page, 'Repeat password', MARA.password);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    expect(await signsIn(MARA.password)).toBe(200);
  });

  test('is still to be chosen after the window was loaded again in the middle', async (context) => {
    const { page, complaints } = await webConsole.open(context, { as: null });
    complaints.allow('ERR_FAILED POST /auth/login');
    await enterKey(page);
    await page.route('**/auth/login', (route) => route.abort());
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await heading(page, 'Mara Okafor is the owner now');
    await page.unroute('**/auth/login');
    await page.reload();
    await heading(page, 'Mara Okafor is the owner now');
    await typeInto(page, 'Password', MARA.password);
    await typeInto(page, 'Repeat password', MARA.password);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    expect(await signsIn(MARA.password)).toBe(200);
  });

  test('is in force when only the answer about it was lost', async (context) => {
    const { page, complaints } = await webConsole.open(context, { as: null });
    complaints.allow('ERR_FAILED POST /auth/password');
    await enterKey(page);
    await page.route('**/auth/password', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    expect(await signsIn(MARA.password)).toBe(200);
  });

  test('can be chosen when the answer about the new owner was lost', async (context) => {
    const { page, complaints } = await webConsole.open(context, { as: null });
    complaints.allow('ERR_FAILED POST /auth/owner/enroll');
    await enterKey(page);
    await page.route('**/auth/owner/enroll', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await page.getByText('Faxdesk is not responding.').waitFor();
    await page.unroute('**/auth/owner/enroll');
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    expect(await signsIn(MARA.password)).toBe(200);
  });

  test('can be chosen with the installation key when the window was closed in the middle', async (context) => {
    const first = await webConsole.open(context, { as: null });
    first.complaints.allow('ERR_FAILED POST /auth/login');
    await enterKey(first.page);
    await first.page.route('**/auth/login', (route) => route.abort());
    await fillOwner(first.page);
    await first.page.keyboard.press('Enter');
    await heading(first.page, 'Mara Okafor is the owner now');
    await first.page.close();
    const { page } = await webConsole.open(context, { as: { key: INSTALLATION_KEY }, path: '/setup/owner' });
    await heading(page, 'This installation has an owner');
    await page.getByRole('button', { name: 'The owner could not sign in?' }).click();
    await page.getByRole('button', { name: 'Set up the owner again' }).click();
    await fillOwner(page);
    await page.keyboard.press('Enter');
    await heading(page, PROVIDER);
    expect(await signsIn(MARA.password)).toBe(200);
  });
});
