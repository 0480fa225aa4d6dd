import type { Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { formPdf } from '../fixtures/form-pdf.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { expectAccessible, testConsole } from './console.ts';
import { pdf } from './send-page.ts';

const webConsole = testConsole();

const grid = (page: Page) => page.getByRole('grid', { name: 'Cover pages by name' });
const details = (page: Page) => page.getByRole('complementary', { name: 'Cover page' });
async function stored(): Promise<readonly Record<string, unknown>[]> {
  const response = await webConsole.gateway.request('GET', '/covers');
  return ((await response.json()) as { items: Record<string, unknown>[] }).items;
}
/** Waits for a picture of the page that shows other than the one before. */
async function redrawn(page: Page, act: () => Promise<void>): Promise<void> {
  const picture = page.getByRole('dialog').getByRole('img');
  const before = await picture.getAttribute('src');
  await act();
  await expect.poll(() => picture.getAttribute('src'), { timeout: 30_000 }).not.toBe(before);
}

test('a cover page is made, changed, copied and removed by keyboard', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/contacts',
    viewport: { width: 1024, height: 700 },
  });
  const title = 'Law firm';
  const square = sharp({ create: { width: 600, height: 300, channels: 3, background: '#035' } });
  const logo = { name: 'logo.png', mimeType: 'image/png', buffer: await square.png().toBuffer() };
  await page.getByRole('button', { name: 'Cover pages' }).press('Enter');
  await grid(page)
    .getByRole('row', { name: /Confidential.*Comes with Faxdesk/u })
    .waitFor();
  await page.keyboard.press('Shift+N');
  const form = page.getByRole('dialog', { name: 'New cover page' });
  await form.getByRole('img').waitFor();
  await page.keyboard.type(title);
  await page.keyboard.press('Tab');
  await redrawn(page, () => page.keyboard.type('Telefax'));
  await form.getByRole('checkbox', { name: 'Subject' }).press('Space');
  await form.getByRole('button', { name: 'Move Note up' }).press('Enter');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Move Note up');
  await redrawn(page, () => form.locator('input[type="file"]').setInputFiles(logo));
  await form.getByRole('textbox', { name: 'Text' }).fill('Hearing on {hearing_date}.');
  await form.getByRole('textbox', { name: 'Confidentiality notice' }).fill('Privileged.');
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Name' }).press('Enter');
  await details(page).getByRole('heading', { name: title }).waitFor();
  await details(page)
    .getByRole('img', { name: new RegExp(title, 'u') })
    .waitFor();
  await details(page).getByText('hearing_date').waitFor();
  await expectAccessible(page);
  expect((await stored()).find(({ name }) => name === title)).toMatchObject({
    title: 'Telefax',
    fields: ['to', 'attention', 'from', 'pages', 'date', 'note', 'reference'],
    text: 'Hearing on {hearing_date}.',
    notice: 'Privileged.',
    has_logo: true,
    version: 1,
  });

  await page.keyboard.press('e');
  const editor = page.getByRole('dialog', { name: `Edit “${title}”` });
  await editor.getByRole('button', { name: 'Remove the logo' }).press('Enter');
  await editor.getByRole('textbox', { name: 'Name' }).press('Enter');
  await editor.waitFor({ state: 'detached' });
  expect((await stored()).find(({ name }) => name === title)).toMatchObject({
    has_logo: false,
    version: 2,
  });

  await details(page).getByRole('button', { name: 'Make a copy' }).press('Enter');
  await page.getByRole('dialog').getByRole('img').waitFor();
  await page.keyboard.press('Enter');
  await details(page)
    .getByRole('heading', { name: `${title} (copy)` })
    .waitFor();
  await details(page).getByRole('button', { name: 'Remove…' }).press('Enter');
  await expectAccessible(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await stored()).map(({ name }) => name)).not.toContain(`${title} (copy)`);
  await details(page).waitFor({ state: 'detached' });
});

test('a PDF with form fields becomes a cover page and is replaced, and another file is refused', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/contacts/covers' });
  complaints.allow('400 POST /covers');
  await page.getByRole('button', { name: 'Use a PDF…' }).press('Enter');
  const adding = page.getByRole('dialog', { name: 'Use a PDF as a cover page' });
  await adding.getByRole('textbox', { name: 'Name' }).fill('Our form');
  await page.keyboard.press('Enter');
  await adding.getByText('Choose a PDF.').waitFor();
  const file = adding.locator('input[type="file"]');
  await file.setInputFiles(pdf(textPdf(2), 'letter.pdf'));
  await adding.getByRole('textbox', { name: 'Name' }).press('Enter');
  await adding.getByText('A cover page has one page; this PDF has 2.').waitFor();
  await expectAccessible(page);
  await file.setInputFiles(pdf(formPdf(['to', 'note']), 'form.pdf'));
  await adding.getByRole('textbox', { name: 'Name' }).press('Enter');
  await details(page).getByRole('heading', { name: 'Our form' }).waitFor();
  await details(page).getByRole('img').waitFor();
  await details(page).getByRole('button', { name: 'Name or PDF…' }).press('Enter');
  const changing = page.getByRole('dialog', { name: 'Name and PDF of “Our form”' });
  await changing.getByRole('textbox', { name: 'Name' }).fill('Our new form');
  await changing.locator('input[type="file"]').setInputFiles(pdf(formPdf(['to', 'ward']), 'form.pdf'));
  await changing.getByRole('textbox', { name: 'Name' }).press('Enter');
  await details(page).getByRole('heading', { name: 'Our new form' }).waitFor();
  await details(page).getByText('ward', { exact: true }).waitFor();
});

test('people who send see cover pages, and only those who may change settings change them', async (context) => {
  const key = await webConsole.keyWith('fax:send', 'contacts:read');
  const { page } = await webConsole.open(context, { path: '/contacts/covers/plain', as: { key } });
  await details(page).getByRole('heading', { name: 'Plain' }).waitFor();
  await details(page).getByRole('img').waitFor();
  expect(await page.getByRole('button', { name: /New cover page|Use a PDF|Make a copy/u }).count()).toBe(0);
});

test('a mailbox and a contact get their cover page, and a contact its fax hours, by keyboard', async (context) => {
  const { gateway } = webConsole;
  const { policy_version: expected_policy_version } = await access(gateway);
  const made = await gateway.request('POST', '/access/mailboxes', {
    json: { label: 'Referrals', expected_policy_version },
  });
  const { mailbox } = (await made.json()) as { mailbox: { id: string } };
  const { page } = await webConsole.open(context, { path: `/access/mailboxes/${mailbox.id}` });
  await page.getByRole('button', { name: 'None Cover page' }).press('Enter');
  await page.getByRole('option', { name: 'Short' }).press('Enter');
  await page.getByRole('button', { name: 'Short Cover page' }).waitFor();
  await expectAccessible(page);
  const json = { name: 'Alder Pharmacy', fax_number: '+13605550141' };
  const { id } = (await (await gateway.request('POST', '/contacts', { json })).json()) as { id: string };
  await page.goto(`${gateway.url}/admin/ui/contacts/${id}`);
  await page
    .getByRole('complementary', { name: 'Contact' })
    .getByRole('heading', { name: json.name })
    .waitFor();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit Alder Pharmacy' });
  await form.getByRole('button', { name: /Cover page$/u }).press('Enter');
  await page.getByRole('option', { name: 'Confidential' }).press('Enter');
  await form.getByRole('textbox', { name: 'Fax hours' }).fill('sometimes');
  await form.getByRole('textbox', { name: 'Time zone' }).fill('America/Chicago');
  await form.getByRole('checkbox', { name: /^Case packets may/u }).press('Space');
  await form.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  await form.getByText(/^Enter days and times/u).waitFor();
  await form.getByRole('textbox', { name: 'Fax hours' }).fill('mon-fri 8:00-18:00');
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Name', exact: true }).press('Enter');
  const contact = page.getByRole('complementary', { name: 'Contact' });
  await contact.getByText('Mon-Fri 08:00-18:00').waitFor();
  await contact.getByText('America/Chicago').waitFor();
  await contact.getByText('Confidential').waitFor();
  const saved = await (await gateway.request('GET', `/contacts/${id}`)).json();
  expect(saved).toMatchObject({ cover_id: 'confidential', accepts_references: true });
});

async function access(gateway: typeof webConsole.gateway): Promise<{ policy_version: number }> {
  return (await (await gateway.request('GET', '/access/mailboxes')).json()) as { policy_version: number };
}
