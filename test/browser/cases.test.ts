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

test('rule (screens): a packet is asked about like a fax, and nothing is sent until it is answered', async (context) => {
  const { gateway } = webConsole;
  const { page, complaints } = await webConsole.open(context, { path: '/cases' });
  const form = page.getByRole('region', { name: 'New packet' }).first();
  const fill = async () => {
    await page.getByRole('button', { name: 'New packet' }).click();
    await page.getByRole('textbox', { name: 'Case', exact: true }).fill('4711');
    await page.getByRole('textbox', { name: 'Fax number' }).fill('312 555 0161');
    await page.locator('input[type=file][accept*=pdf]').setInputFiles(pdf(textPdf(1), 'report.pdf'));
  };
  const send = page.getByRole('button', { name: 'Send packet' });
  await fill();
  await form.getByText('No fax was sent to this number before.').waitFor();
  await expect.poll(() => send.isDisabled()).toBe(true);
  await page.getByText('Check the number', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0161');
  await expect.poll(() => send.isEnabled()).toBe(true);
  await send.press('Enter');
  const packets = async () => {
    const answer = await gateway.request('GET', `/fax?to=${encodeURIComponent('+13125550161')}`);
    return ((await answer.json()) as { items: { id: string }[] }).items;
  };
  await expect.poll(async () => (await packets()).length).toBe(1);
  expect(await gateway.history((await packets())[0]?.id ?? '')).toMatchObject([
    { text: expect.stringContaining('Digits confirmed by Mara') },
  ]);
  // The same documents a moment later.
  complaints.allow('409 POST /cases/');
  await fill();
  await expect.poll(() => send.isEnabled()).toBe(true);
  await send.press('Enter');
  await form.getByText('A fax with the same document to this number is less than 10 minutes old.').waitFor();
  await page.getByText('The fax was not sent').waitFor();
  expect(await packets()).toHaveLength(1);
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: 'They need a second copy' }).press('Space');
  await send.press('Enter');
  await expect.poll(async () => (await packets()).length).toBe(2);
});
