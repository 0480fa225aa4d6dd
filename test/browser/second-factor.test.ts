import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';

const webConsole = testConsole();

const HALF_MINUTE = 30_000;
const screen = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: webConsole.gateway.clock.now() });

test('the second factor is set up with the keyboard alone, required at the sign-in, and turned off', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/my-sign-in' });
  await page.getByRole('button', { name: 'Set up…' }).press('Enter');
  await page.keyboard.type(MARA.password);
  await page.keyboard.press('Enter');
  const secret =
    (await page
      .getByRole('group', { name: 'Or type this key into the app' })
      .locator('code')
      .textContent()) ?? '';
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Code from the app').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  await expectAccessible(page);
  const recovery =
    (await page.getByRole('list').filter({ hasText: '-' }).last().locator('code').first().textContent()) ??
    '';
  await page.getByRole('button', { name: 'I saved them' }).press('Enter');
  await page.getByText('10 recovery codes are left.').waitFor();
  await expectAccessible(page);

  const { url } = webConsole.gateway;
  const elsewhere = await webConsole.gateway.request('POST', '/auth/login', {
    key: null,
    headers: { Origin: url },
    json: { login: MARA.login, password: MARA.password },
  });
  expect(elsewhere.status).toBe(401);
  await page.reload();
  const told = page.getByText(/^Someone entered your password but not your code, .+, from this computer\.$/u);
  await told.waitFor();
  await page.getByRole('link', { name: 'change your password' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await told.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('10 recovery codes are left.').waitFor();
  await expect.poll(() => told.count()).toBe(0);

  complaints.allow('401 POST /auth/login');
  await page.keyboard.press('Control+Shift+L');
  await screen(page, 'Locked').waitFor();
  if (await page.getByLabel('Sign-in name').count()) await page.getByLabel('Sign-in name').fill(MARA.login);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  const code = page.getByLabel('Code');
  await code.waitFor();
  await expectAccessible(page);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByText('That code is not correct or was already used.').waitFor();
  await code.fill(recovery);
  await page.keyboard.press('Enter');
  await page.getByText('9 recovery codes are left.').waitFor();

  webConsole.gateway.clock.advance(2 * HALF_MINUTE);
  await page.getByRole('button', { name: 'Turn off…' }).click();
  await page.getByLabel('Your password').fill(MARA.password);
  await page.getByLabel('Code').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await page.getByText(/^Off\. When it is on, a stolen password/u).waitFor();
});
