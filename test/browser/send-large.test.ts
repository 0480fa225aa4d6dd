import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { largeScan } from '../bench/large-scan.ts';
import { testConsole } from './console.ts';
import { SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: { MAX_FILE_SIZE_MB: '40' } });

/** Script that waits for the first page and returns the progress shown at that moment. */
const AT_FIRST_PAGE = `(async () => {
  const there = () => document.querySelector('canvas[aria-label^="Page 1 "][data-drawn]');
  while (!there()) await new Promise((resolve) => requestAnimationFrame(resolve));
  return document.querySelector('[aria-label="What they will print"] header').textContent;
})()`;

/** A file that the browser reads itself, as a person's. */
async function scanOnDisk(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-scan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const scan = await largeScan(200);
  expect(scan.length).toBeGreaterThan(24_000_000);
  await writeFile(join(folder, 'scan.pdf'), scan);
  return join(folder, 'scan.pdf');
}

test('a scan of 25 MB and 200 pages shows its progress and its first page, and the window can be used all the time', async (context) => {
  const scan = await scanOnDisk();
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const atFirstPage = page.evaluate<string>(AT_FIRST_PAGE);
  const progress = page
    .getByText(/\d+% uploaded|Reading|pages read/)
    .first()
    .waitFor();
  await page.locator('#send-files').setInputFiles(scan);
  await progress;
  // Long before the last page is drawn.
  expect(await atFirstPage).toMatch(/200 pages\d{1,2} of 200 pages drawn/);
  await page.getByText('One file, 200 pages').waitFor();
  await page.getByText(/^\d+ of 200 pages read$/).waitFor();

  // While the rest is drawn, only the pages in sight stand in the page, and writing works.
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('button');
  await expect.poll(() => pages.count()).toBeLessThan(30);
  await send.number('202 555 0123');
  await page.getByText('+1 202 555 0123 · United States').waitFor();
  await pages.first().focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Page 200' }).waitFor();
});
