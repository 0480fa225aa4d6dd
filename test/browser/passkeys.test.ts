import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';

const webConsole = testConsole();

const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const MINUTE = 60_000;

/** A device with finger, face or PIN, which says yes by itself. */
async function addDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function enterPassword(page: Page): Promise<void> {
  // The limits of tries are not what is tested.
  webConsole.gateway.clock.advance(MINUTE);
  await page.getByLabel('Password', { exact: true }).waitFor();
  if (await page.getByLabel('Sign-in name').count()) await page.getByLabel('Sign-in name').fill(MARA.login);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
}

async function lock(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  // Until then the focus would move away from a button that a key is pressed on.
  await page.locator('input:focus').waitFor();
}

test('a passkey is added, signs in alone and after the password, and is removed', async (context) => {
  const { page, complaints } = await webConsole.open(context, {
    as: null,
    viewport: { width: 1024, height: 700 },
    prepare: addDevice,
  });
  complaints.allow('401 POST /auth/login');
  const localhost = webConsole.gateway.url.replace('127.0.0.1', 'localhost');
  await page.goto(`${localhost}/admin/ui/my-sign-in`);
  await enterPassword(page);

  // Typed by hand, as after any sign-in: a screen that opens controls the focus until a person moves it.
  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  await page.getByLabel('Your password').waitFor();
  await page.keyboard.type('Laptop at the desk');
  await page.getByLabel('Your password').fill(MARA.password);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await page.getByRole('button', { name: 'I saved them' }).press('Enter');
  await page.getByText('Laptop at the desk').waitFor();
  await page.getByText('Not used yet').waitFor();
  await page.getByText('You sign in with your password and a passkey.').waitFor();
  await expectAccessible(page);

  await lock(page);
  await enterPassword(page);
  const second = page.getByRole('button', { name: 'Use your passkey' });
  await second.waitFor();
  await page.getByLabel('Recovery code').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
  await expectAccessible(page);
  await second.press('Enter');
  await page
    .getByText(/^Last used/u)
    .first()
    .waitFor();
  await expect.poll(() => page.getByText('Somebody entered your password').count()).toBe(0);

  await lock(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
  await page.getByText('Laptop at the desk').waitFor();

  await page.getByRole('button', { name: 'Remove Laptop at the desk…' }).click();
  await page.getByLabel('Your password').fill(MARA.password);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm with a passkey' }).press('Enter');
  await page.getByText(/^Off\. When it is on, a stolen password/u).waitFor();
  await expect.poll(() => page.getByText('Laptop at the desk').count()).toBe(0);
});

test('at a bare IP address a sentence says where passkeys work', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/my-sign-in' });
  const { port } = new URL(webConsole.gateway.url);
  const sentence = `Passkeys do not work with an IP address. On this computer, open http://localhost:${port}.`;
  await page.getByText(sentence).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Add a passkey…' }).count()).toBe(0);
  complaints.allow('409 POST /auth/passkey/options');
  await lock(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText(/^Passkeys do not work with an IP address\. Open Faxdesk by its name\./u).waitFor();
  await expectAccessible(page);
});

test('a passkey that was not used is said in a sentence', async (context) => {
  const { page } = await webConsole.open(context, { as: null, prepare: addDevice });
  await page.goto(`${webConsole.gateway.url.replace('127.0.0.1', 'localhost')}/admin/ui/`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('No passkey was used. Try again, or sign in another way.').waitFor();
  await expectAccessible(page);
});
