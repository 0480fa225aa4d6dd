import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { announceScanner } from '../setup/announced-scanner.ts';
import { startScanner, type TestScanner } from '../setup/scanner.ts';
import { expectAccessible, testConsole } from './console.ts';
import { markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550147';
let scanner: TestScanner;
const webConsole = testConsole(
  async () => {
    scanner = await startScanner();
    return { settings: { SCANNERS: scanner.url } };
  },
  ({ gateway }) => markReached(gateway, KNOWN),
);
afterAll(async () => scanner.close());

test('an administrator finds a scanner of the network, adds it and takes it off again, by keyboard', async (context) => {
  const facts = ['ty=Example OfficeScan 9', 'note=Records room'];
  const port = Number(new URL(scanner.url).port);
  const announced = [
    await announceScanner({ name: 'Browser scanner', port }),
    await announceScanner({ name: 'Second scanner', port: 9, facts }),
  ];
  const { page } = await webConsole.open(context, { path: '/settings/scan-to-fax' });
  await page.getByRole('button', { name: 'Search for scanners' }).press('Enter');
  const entry = (name: string) => page.getByRole('listitem', { name, exact: true });
  await entry('Browser scanner').getByText('Added').waitFor();
  const second = entry('Second scanner');
  await second.getByText('Records room').waitFor();
  await expectAccessible(page);
  await second.getByRole('button', { name: 'Add: Second scanner' }).press('Enter');
  await second.getByText('Not saved yet').waitFor();
  expect(await page.getByLabel('Scanners', { exact: true }).inputValue()).toBe(
    `${scanner.url}\nhttp://127.0.0.1:9/eSCL`,
  );
  // The keyboard stays where it was.
  const remove = second.getByRole('button', { name: 'Remove: Second scanner' });
  expect(await remove.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  const saved = async () => {
    const answer = await webConsole.gateway.request('GET', '/scanners');
    return ((await answer.json()) as { items: { url: string }[] }).items.map(({ url }) => url);
  };
  await expect.poll(saved).toEqual([scanner.url, 'http://127.0.0.1:9/eSCL']);
  await second.getByText('Added').waitFor();
  await remove.press('Enter');
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  await expect.poll(saved).toEqual([scanner.url]);
  for (const each of announced) each.close();
});

test('a scanner that was added by its host name is not offered again by its IP address', async (context) => {
  const port = Number(new URL(scanner.url).port);
  await webConsole.gateway.set({ SCANNERS: [`localhost:${port}`] });
  const announced = await announceScanner({ name: 'Named scanner', port });
  const { page } = await webConsole.open(context, { path: '/settings/scan-to-fax' });
  await page.getByRole('button', { name: 'Search for scanners' }).press('Enter');
  const entry = page.getByRole('listitem', { name: 'Named scanner', exact: true });
  await entry.getByText('Added', { exact: true }).waitFor();
  await entry.getByText(`http://localhost:${port}/eSCL`).waitFor();
  await expectAccessible(page);
  const typed = page.getByLabel('Scanners', { exact: true });
  await entry.getByRole('button', { name: 'Remove: Named scanner' }).press('Enter');
  await expect.poll(() => typed.inputValue()).toBe('');
  // Added again, it keeps the name that the administrator chose.
  await entry.getByRole('button', { name: 'Add: Named scanner' }).press('Enter');
  await expect.poll(() => typed.inputValue()).toBe(`http://localhost:${port}/eSCL`);
  await entry.getByText('Added', { exact: true }).waitFor();
  announced.close();
  await webConsole.gateway.set({ SCANNERS: [scanner.url] });
});

test('pages are scanned from the feeder and the glass by keyboard alone, and sent as one document', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('502 POST /scans');
  const send = await new SendPage(page).opened();
  const open = page.getByRole('button', { name: 'Scan', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Scan pages' });
  await open.press('Enter');
  await dialog.getByText('Example OfficeScan 4020').waitFor();
  const source = dialog.getByRole('button', { name: 'Take the pages from' });
  await source.press('Enter');
  await page.getByRole('option', { name: 'Feeder', exact: true }).press('Enter');
  await dialog.getByText('The feeder is empty. Put the pages in first.').waitFor();
  await expectAccessible(page);
  // The help begins with scanning, not with the setting up.
  await page.keyboard.press('F1');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Scan');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  const scan = dialog.getByRole('button', { name: 'Scan', exact: true });
  await scan.press('Enter');
  await dialog.getByText('The feeder is empty. Put the pages in and scan again.').waitFor();
  scanner.sheets = 2;
  await scan.press('Enter');
  await dialog.getByText('2 pages scanned').waitFor();
  await expect.poll(() => drawnPages(page)).toBe(2);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Scan more pages');
  await expectAccessible(page);
  await source.press('Enter');
  await page.getByRole('option', { name: 'Glass, one page' }).press('Enter');
  await dialog.getByRole('button', { name: 'Scan more pages' }).press('Enter');
  await dialog.getByText('3 pages scanned').waitFor();
  // Escape asks before pages are lost.
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard the 3 scanned pages?').waitFor();
  expect(await dialog.getByRole('button', { name: 'Keep' }).evaluate((it) => it.matches(':focus'))).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add to the fax' }).press('Enter');
  await send.row('Scanned document.pdf').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.getByText('A scanned document waits').count()).toBe(0);
  await send.number('(202) 555-0147');
  await send.drawn();
  await send.pressSend();
  await page.waitForURL(/\/send\/.+/u);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect((await webConsole.gateway.fax(id)).document.pages).toBe(3);
});

test('a scanned document that was taken off the form waits, and a discarded scan leaves nothing', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // The form is cleared while a picture of its preview may still load.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  const dialog = page.getByRole('dialog', { name: 'Scan pages' });
  const scanOne = async () => {
    scanner.sheets = 1;
    await page.getByRole('button', { name: 'Scan', exact: true }).press('Enter');
    await dialog.getByText('Example OfficeScan 4020').waitFor();
    await dialog.getByRole('button', { name: 'Scan', exact: true }).press('Enter');
    await dialog.getByText('1 page scanned').waitFor();
  };
  await scanOne();
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter');
  await dialog.getByRole('button', { name: 'Discard' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await scanOne();
  await dialog.getByRole('button', { name: 'Add to the fax' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await send.row('Scanned document.pdf').waitFor();
  await page.getByRole('button', { name: 'Clear' }).press('Enter');
  await page.getByText('A scanned document waits').waitFor();
  await page.getByText(/1 page, scanned/u).waitFor();
});

/** Counts the pictures of the dialog that the browser drew. */
const drawnPages = (page: Page) =>
  page
    .getByRole('dialog')
    .locator('img')
    .evaluateAll((all) => all.filter((one) => 'naturalWidth' in one && Number(one.naturalWidth) > 0).length);
