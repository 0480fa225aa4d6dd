import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { type FaxSheet, faxPdf, inchesOf, SQUARE } from '../fixtures/fax-pdf.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { testConsole } from './console.ts';
import { arrive, nextSender, RECEIVING, rowOf, shownPage, unreadIn, viewer } from './inbox-page.ts';
import { printed, withPaperTools } from './paper.ts';

const webConsole = testConsole({ settings: RECEIVING });
const { skip, reason } = withPaperTools;

/** Script that counts the requests to print; the test makes the PDF itself. */
const ASKED = 'window.asked = 0; window.print = () => { window.asked += 1; };';
const asked = (page: Page) => page.evaluate('window.asked');

/** Fine, standard with its lines twice as high as its dots are wide, superfine, and a page of three sheets' length. */
const SHEETS: readonly FaxSheet[] = [
  { widthPx: 1728, lines: 2286, dotsPerInch: 204, linesPerInch: 196 },
  { widthPx: 1728, lines: 1143, dotsPerInch: 204, linesPerInch: 98 },
  { widthPx: 1728, lines: 4310, dotsPerInch: 204, linesPerInch: 392 },
  { widthPx: 1728, lines: 6000, dotsPerInch: 204, linesPerInch: 196 },
];

/** A fax comes in while the inbox is open; its sender. */
async function receive(page: Page, document: Buffer): Promise<string> {
  const sender = nextSender();
  await page.evaluate(ASKED);
  await arrive(webConsole, { from: sender.e164, document });
  await rowOf(page, sender.shown).waitFor();
  return sender.shown;
}

/** By keys alone; `way` leads to the fax from where the list is. */
async function readAndPrint(page: Page, sender: string, way: 'j' | 'k' = 'j'): Promise<void> {
  await page.keyboard.press(way);
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('heading', { name: sender }).waitFor();
  await shownPage(page);
  await page.keyboard.press('p');
  await expect.poll(() => asked(page)).toBe(1);
}

describe.skipIf(skip)(`a fax on paper${reason}`, () => {
  test('that came in and was read and printed by keys alone has every page on a sheet of its own in true size, whatever its pixels are', async (context) => {
    await arrive(webConsole, { from: nextSender().e164 });
    const { page } = await webConsole.open(context, { path: '/inbox' });
    await expect.poll(() => unreadIn(page)).toBeGreaterThan(0);
    const unread = await unreadIn(page);
    const sender = await receive(page, faxPdf(SHEETS));
    await expect.poll(() => unreadIn(page)).toBe(unread + 1);
    await readAndPrint(page, sender);
    await expect.poll(() => unreadIn(page)).toBe(unread);
    const sheets = await printed(page);
    expect(sheets).toHaveLength(SHEETS.length);
    for (const [i, sheet] of SHEETS.entries()) {
      const { width, height } = inchesOf(sheet);
      const { from, to } = SQUARE;
      for (const [edge, inches] of Object.entries({ left: from, top: from, right: to, bottom: to }))
        expect(sheets[i]?.black, `page ${i + 1}`).toHaveProperty(edge, expect.closeTo(inches, 1));
      expect(sheets[i]?.width).toBeCloseTo(width, 1);
      expect(sheets[i]?.height).toBeCloseTo(height, 1);
    }
    await page.keyboard.press('Shift+U');
    await expect.poll(() => unreadIn(page)).toBe(unread + 1);
  });

  test.for(['Letter', 'A4'] as const)(
    'fits on %s as well, one sheet a page, and squares stay squares',
    async (paper, context) => {
      const { page } = await webConsole.open(context, { path: '/inbox', colorScheme: 'dark' });
      await readAndPrint(page, await receive(page, faxPdf(SHEETS)));
      const sheets = await printed(page, paper);
      expect(sheets).toHaveLength(SHEETS.length);
      for (const { black } of sheets)
        expect((black.right - black.left) / (black.bottom - black.top)).toBeCloseTo(1, 1);
    },
  );

  test('is alone there, and so is the next one', async (context) => {
    const { page } = await webConsole.open(context, { path: '/inbox' });
    await readAndPrint(page, await receive(page, textPdf(3)));
    expect(await printed(page)).toHaveLength(3);
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    await readAndPrint(page, await receive(page, textPdf(2)), 'k');
    expect(await printed(page)).toHaveLength(2);
  });
});
