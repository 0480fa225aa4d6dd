import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../setup/browser.ts';
import { FIXTURE } from '../setup/earlier-installation.ts';
import { KEY } from './office.ts';
import { serve } from './served.ts';

/** The gateway stops, makes a backup, moves everything over and starts again, and the machine may be busy. */
const MOVED_MS = 180_000;

test.skipIf(process.platform === 'win32')(
  'the first start moves an earlier installation over with one button, and the report is there afterwards',
  async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-moved-'));
    const gateway = await serve(join(folder, 'data'), { API_KEY: KEY });
    const browser = await openBrowser(context);
    onTestFinished(async () => {
      await browser.close();
      await gateway.stop();
      await rm(folder, { recursive: true, force: true });
    });
    const page = await browser.newPage({ baseURL: gateway.url });
    await page.goto('/admin/ui/');
    await page.getByLabel('Installation key').fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'I have an earlier installation' }).press('Enter');
    await page.getByLabel('Database', { exact: true }).fill(FIXTURE.from);
    await page.getByLabel('Folder of files').fill(FIXTURE.files);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'What the move will do' }).waitFor({ timeout: MOVED_MS });
    await page.getByRole('button', { name: 'Move everything over' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Moving everything over' }).waitFor();
    // A start ends the sessions of the installation key, which may be another one by then.
    const installationKey = page.getByLabel('Installation key');
    await installationKey.waitFor({ timeout: MOVED_MS });
    await installationKey.fill(KEY);
    await page.keyboard.press('Enter');
    const report = page.getByRole('region', { name: 'Report of the last move' });
    await report.waitFor();
    expect(await report.textContent()).toContain('60 (19 delivered');
    const moved = await fetch(`${gateway.url}/fax?limit=200`, { headers: { 'X-API-Key': KEY } });
    expect(((await moved.json()) as { items: unknown[] }).items).toHaveLength(60);
  },
);
