import { expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { expectAccessible, testConsole } from './console.ts';
import { pdf } from './send-page.ts';

const webConsole = testConsole();

test('rule (screens): a packet is put together, looked at and sent by keyboard alone, and its screen passes axe in light and dark', async (context) => {
  const { page } = await webConsole.open(context, { path: '/cases' });
  const form = page.getByRole('region', { name: 'New packet' }).first();
  await page.getByRole('button', { name: 'New packet' }).press('Enter');
  await page.getByRole('textbox', { name: 'Case', exact: true }).waitFor();
  await page.keyboard.type('4711');
  await page.keyboard.press('Tab');
  await page.keyboard.type('(202) 555-0123');
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles([pdf(textPdf(1), 'Lab.pdf'), pdf(textPdf(2), 'Referral.pdf')]);
  const title = (number: number) => page.getByRole('textbox', { name: `Title of document ${number}` });
  await expect.poll(() => title(2).inputValue()).toBe('Referral');
  await page.getByRole('button', { name: 'Move Referral up' }).press('Enter');
  await expect.poll(() => title(1).inputValue()).toBe('Referral');
  await title(2).fill('Lab results');
  const digits = page.getByRole('textbox', { name: /last four digits/iu });
  await digits.fill('0123');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Knee');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Preview', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Preview, 6 pages' }).waitFor();
  await page.getByRole('button', { name: 'Send packet' }).press('Enter');
  await page.getByRole('heading', { name: 'Case 4711' }).waitFor();
  await page.getByText('Lab results').waitFor();
  expect(await form.count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show the faxes of this case in Sent' }).press('Enter');
  await page.waitForURL(/\/sent\?case=/u);
  await page.getByRole('button', { name: 'case 4711', exact: true }).waitFor();
  await expect
    .poll(() => page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row').count())
    .toBeGreaterThan(0);
});

test('what is no PDF is refused with one sentence, and nothing is sent', async (context) => {
  const { page } = await webConsole.open(context, { path: '/cases' });
  await page.getByRole('button', { name: 'New packet' }).click();
  const files = page.locator('input[type=file]').first();
  await files.setInputFiles([{ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }]);
  await page.getByText('note.txt is not a PDF. Add only PDFs.').waitFor();
  const many = Array.from({ length: 51 }, (_, i) => pdf(textPdf(1), `${i}.pdf`));
  await files.setInputFiles(many);
  await page.getByText('A packet can have at most 50 documents.').waitFor();
});
