import { expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole();

/** Keeps a screen that marks no beginning from getting the keyboard after a while. */
const NO_LATE_BEGIN = `{
  const start = setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => (ms === 400 ? 0 : start(run, ms, ...rest));
}`;

test('a legal hold is placed on a fax from its details, named there, and released with the number of documents', async (context) => {
  const fax = await webConsole.gateway.send();
  const { page } = await webConsole.open(context, {
    path: `/sent/${fax.id}`,
    script: NO_LATE_BEGIN,
  });
  await page.getByRole('link', { name: 'Place a legal hold' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold' });
  await dialog.getByText('The legal hold covers this fax.').waitFor();
  const name = dialog.getByRole('textbox', { name: 'Name' });
  // The dialog opens with its screen and is its beginning: nothing that is typed in it waits for another one.
  await expect.poll(() => name.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.press('S');
  await expect.poll(() => name.inputValue()).toBe('S');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('Smith v. Harbor Clinic');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Letter of the court');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Place it' }).press('Enter');
  const holds = page.getByRole('list', { name: 'Legal holds' });
  await holds.getByText('Smith v. Harbor Clinic').waitFor();
  await expectAccessible(page);

  await page.goto(`${webConsole.gateway.url}/admin/ui/sent/${fax.id}`);
  // Beside its state, and there alone.
  const heading = page.getByRole('complementary').locator('header');
  await heading.getByText('Kept for a legal matter: Smith v. Harbor Clinic').waitFor();
  expect(await page.getByText('Kept for a legal matter').count()).toBe(1);
  await expectAccessible(page);
  await page.goto(`${webConsole.gateway.url}/admin/ui/sent?hold=kept`);
  await expect.poll(() => page.getByRole('grid').getByRole('row').count()).toBeGreaterThan(0);

  await page.goto(`${webConsole.gateway.url}/admin/ui/system/holds`);
  await holds.getByRole('button', { name: 'Release the legal hold Smith v. Harbor Clinic' }).press('Enter');
  await page.getByText('No document will be deleted at the next cleanup.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Release', exact: true }).press('Enter');
  await holds.getByText('Released', { exact: true }).waitFor();
});

test('the form of a legal hold says what is missing and takes a number', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/holds' });
  await page
    .getByText('Place one when faxes must be kept for a legal matter.')
    .or(page.getByRole('list', { name: 'Legal holds' }))
    .first()
    .waitFor();
  await page.keyboard.press('Shift+N');
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold' });
  await dialog.getByLabel('Name').fill('Lee v. Lee');
  await dialog.getByLabel('Reason').fill('Divorce');
  await dialog.getByText('Enter a fax number.').waitFor();
  await dialog.getByLabel('Fax number').fill('(202) 555-0144');
  await dialog.getByRole('button', { name: 'Place it' }).click();
  await page.getByRole('list', { name: 'Legal holds' }).getByText('From and to +1 202 555 0144').waitFor();
});

test('a legal hold is placed on the numbers of a contact from its details', async (context) => {
  const made = await webConsole.gateway.request('POST', '/contacts', {
    json: { name: 'Dr. Lin', fax_number: '+12025550155' },
  });
  const { id } = (await made.json()) as { id: string };
  const { page } = await webConsole.open(context, { path: `/contacts/${id}` });
  await page.getByRole('link', { name: 'Place a legal hold' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold' });
  await dialog.getByText('The legal hold covers the faxes from and to the numbers').waitFor();
  await dialog.getByLabel('Name').fill('Lin v. Hill');
  await dialog.getByLabel('Reason').fill('Letter');
  await dialog.getByRole('button', { name: 'Place it' }).click();
  await page.getByRole('list', { name: 'Legal holds' }).getByText('From and to Dr. Lin').waitFor();
});

test('the case of a legal hold is chosen by keyboard from those that have faxes', async (context) => {
  const { gateway } = webConsole;
  for (const [name, digits] of [
    ['4711', '0121'],
    ['4712', '0122'],
    ['Lee-9', '0123'],
  ] as const) {
    const form = new FormData();
    form.set('to', `+1202555${digits}`);
    form.append('documents', new Blob([textPdf(1)], { type: 'application/pdf' }), 'Lab.pdf');
    const sent = await gateway.request('POST', `/cases/${name}/faxes`, { form });
    expect(sent.status).toBe(202);
  }
  const { page } = await webConsole.open(context, { path: '/system/holds' });
  await page.getByRole('button', { name: 'Place a legal hold' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Place a legal hold' });
  await dialog.getByLabel('Name').fill('Lee v. Lee, case');
  await dialog.getByLabel('Reason').fill('Letter');
  await dialog.getByRole('button', { name: 'Faxes' }).press('Enter');
  await page.getByRole('option', { name: 'Of a case' }).press('Enter');
  await dialog.getByText('Choose a case.').waitFor();
  const field = dialog.getByRole('combobox', { name: 'Case' });
  await field.focus();
  await page.keyboard.type('471');
  await page.getByRole('option').nth(1).waitFor();
  expect(new Set(await page.getByRole('option').allTextContents())).toEqual(new Set(['4711', '4712']));
  await page.keyboard.type('2');
  await page.getByRole('option', { name: '4712' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('4712');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Place it' }).press('Enter');
  await page.getByRole('list', { name: 'Legal holds' }).getByText('Case 4712').waitFor();
});
