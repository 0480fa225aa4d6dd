import { describe, expect, test } from 'vitest';
import { finishReplacement, keyState, loseSecret } from '../setup/data-keys.ts';
import { expectAccessible, testConsole } from './console.ts';

const SETTINGS = { CLOUDONE_API_KEY: '', CLOUDONE_API_SECRET: '', ENCRYPT_DOCUMENTS: 'true' };

describe('the data key', () => {
  const webConsole = testConsole({ settings: SETTINGS });

  test('is replaced after a question, with its progress and its end', async (context) => {
    const { gateway } = webConsole;
    await gateway.set({ CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' });
    const { fingerprint } = await keyState(gateway);
    const { page } = await webConsole.open(context, { path: '/system/data-key' });
    await page.getByText(fingerprint, { exact: true }).waitFor();
    await page.getByText('data.key in the data folder', { exact: true }).waitFor();
    await expectAccessible(page);

    const asker = page.getByRole('button', { name: 'Replace the data key' });
    const question = page.getByRole('group', { name: 'Replace the data key?' });
    await asker.press('Enter');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Keep the current key' }).press('Enter');
    await expect.poll(() => asker.and(page.locator(':focus')).count()).toBe(1);
    expect(await keyState(gateway)).toMatchObject({ fingerprint, replacement: null });

    await asker.press('Enter');
    await question.getByRole('button', { name: 'Replace it' }).press('Enter');
    const replacement = page.getByRole('region', { name: 'Replacement' });
    await replacement.getByText('by Mara Okafor').waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toContain('The data key is being replaced.');
    await expectAccessible(page);
    const next = await keyState(gateway);
    expect(next.fingerprint).not.toBe(fingerprint);
    await page.getByText(next.fingerprint, { exact: true }).waitFor();
    await gateway.processAll();
    await expect.poll(() => replacement.textContent()).toContain('Pass through everything2');
    await finishReplacement(gateway);
    await page.getByText('The data key was replaced.').waitFor();
    await expect.poll(() => replacement.count()).toBe(0);
    await page.getByText(next.fingerprint, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open Backups' }).press('Enter');
    await page.getByRole('button', { name: 'Make a backup now' }).waitFor();
  });

  test('keeps the heading of its page in a small window when the keyboard comes to it', async (context) => {
    const viewport = { width: 512, height: 350 };
    const { page } = await webConsole.open(context, { path: '/system/data-key', viewport });
    const pane = page.getByRole('group', { name: 'Data key', exact: true });
    await page.getByRole('button', { name: 'Replace the data key' }).waitFor();
    for (let tabs = 0; tabs < 30; tabs += 1) {
      if (await pane.evaluate((it) => it.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    const heading = page.getByRole('heading', { level: 2, name: 'Data key' });
    expect((await heading.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    expect(await pane.evaluate((it) => it.matches(':focus'))).toBe(true);
  });

  test('keeps the former one for what does not open, until it is given up after a question', async (context) => {
    const { gateway } = webConsole;
    await gateway.set({ CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' });
    await loseSecret(gateway);
    const { page } = await webConsole.open(context, { path: '/system/data-key' });
    await page.getByRole('button', { name: 'Replace the data key' }).press('Enter');
    await page.getByRole('button', { name: 'Replace it' }).press('Enter');
    await page.getByRole('region', { name: 'Replacement' }).waitFor();
    await finishReplacement(gateway);
    await page
      .getByText('1 stored secret or document opens with neither data key, so the former key is kept.')
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Give up what does not open' }).press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Give it up' }).press('Enter');
    await expect.poll(() => page.getByRole('button', { name: 'Give it up' }).count()).toBe(0);
    await gateway.processAll();
    await page.getByText('The data key was replaced.').waitFor();
    expect((await keyState(gateway)).replacement).toBeNull();
  });

  test('has no page for people who are no owners', async (context) => {
    const key = await webConsole.keyWith('diagnostics:read', 'settings:read');
    const { page } = await webConsole.open(context, { path: '/system/data-key', as: { key } });
    const pages = page.getByRole('navigation', { name: 'System pages' });
    await pages.getByText('Backups').waitFor();
    expect(await pages.getByText('Data key').count()).toBe(0);
  });
});

describe('one of several gateways', () => {
  const webConsole = testConsole({ boot: { severalGateways: true } });

  test('does not replace the data key, and the page says what to do', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system/data-key' });
    await page.getByText('Several gateways may use this database. Stop the others').waitFor();
    expect(await page.getByRole('button', { name: 'Replace the data key' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
