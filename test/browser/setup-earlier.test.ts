import { expect, test } from 'vitest';
import { FIXTURE } from '../setup/earlier-installation.ts';
import { INSTALLATION_KEY } from '../setup/gateway.ts';
import { emptyConsole, expectAccessible } from './console.ts';

const webConsole = emptyConsole();

test('the first start looks at an earlier installation and shows the report, by keyboard alone', async (context) => {
  const { page } = await webConsole.open(context, { as: null });
  await page.getByLabel('Installation key').fill(INSTALLATION_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'I have an earlier installation' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Move an earlier installation over' }).waitFor();
  const database = page.getByLabel('Database', { exact: true });
  await expect.poll(() => database.and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('Enter where it is.').count()).toBe(2);
  await page.keyboard.type(FIXTURE.from);
  await page.keyboard.press('Tab');
  await page.keyboard.type(FIXTURE.files);
  await page.keyboard.press('Tab');
  await page.keyboard.type(FIXTURE.environmentFile ?? '');
  await page.keyboard.press('Enter');
  const report = page.getByRole('region', { name: 'What the move will do' });
  await report.waitFor({ timeout: 60_000 });
  await expect.poll(() => report.textContent()).toContain('not received');
  await expect
    .poll(() => report.getByText('does not work until someone approves it').count())
    .toBeGreaterThan(0);
  await page.getByText('use the command faxdesk upgrade').waitFor();
  await expectAccessible(page);
  // Another location has to be checked before anything is moved from it.
  await page.getByRole('button', { name: 'Check again' }).waitFor();
  await page.getByLabel('Environment file', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Back to setup' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Who is the owner?' }).waitFor();
});
