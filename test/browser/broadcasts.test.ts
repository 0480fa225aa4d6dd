import { expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Fax } from '../setup/gateway.ts';
import { expectAccessible, testConsole } from './console.ts';
import { layoutFaults } from './small-window.ts';

const webConsole = testConsole();
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** As a new user would: 200 numbers of a table, three of them wrong. */
const LIST = [
  ...Array.from({ length: 200 }, (_, at) => `+1202555${at + 2000}, Office ${at + 1}`),
  '+12025552000, Office 1 again',
  '12, Short',
  'nothing',
].join('\n');

test('a person sends a document to 200 recipients, sees what is left out, and follows, pauses and cancels it', async (context) => {
  const started = Date.now();
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('button', { name: 'Broadcasts' }).click();
  await page.getByText('No broadcasts yet').waitFor();
  await page.getByRole('button', { name: 'Send to several' }).press('Enter');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).press('Enter');
  const hours = { name: 'hours.pdf', mimeType: 'application/pdf', buffer: Buffer.from(textPdf(1)) };
  await (await chooser).setFiles([hours]);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Holiday hours');
  await page.getByRole('textbox', { name: 'Fax numbers' }).fill(LIST);
  await page.getByRole('button', { name: 'Check the list' }).press('Enter');
  await page.getByText('200 recipients can get the fax. 3 lines are left out.').waitFor();
  await page.getByText('This number is already in line 1.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send to 200 recipients' }).press('Enter');
  await page.locator('p', { hasText: 'Sending, 200 recipients' }).waitFor();
  // The form that had the focus is gone: it is on the progress, which screen readers are told.
  const progress = page.getByRole('group', { name: 'Progress' });
  await expect.poll(() => progress.evaluate((it) => it.matches(':focus'))).toBe(true);
  await page
    .locator('[data-live-announcer]', { hasText: 'Holiday hours: Sending, 200 recipients' })
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Pause');
  process.stdout.write(`first broadcast of 200 from the list of sent faxes: ${Date.now() - started} ms\n`);
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  await page.locator('p', { hasText: 'Paused, 200 recipients' }).waitFor();
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await layoutFaults(page)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).press('Enter');
  await page.locator('p', { hasText: 'Sending, 200 recipients' }).waitFor();
  await page.getByRole('button', { name: 'Cancel the rest' }).press('Enter');
  await page.getByRole('button', { name: 'Yes, cancel them' }).press('Enter');
  await page.locator('p', { hasText: 'Rest canceled, 200 recipients' }).waitFor();
  await webConsole.gateway.processAll();
  await page.getByText('Canceled: 200').waitFor();
});

test('the form opens from Send and from everywhere, with the keyboard in its first field', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  await page.getByRole('button', { name: 'Send to several' }).press('Enter');
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  const hasFocus = () => name.evaluate((it) => it.matches(':focus'));
  await expect.poll(hasFocus).toBe(true);
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByText('Choose a broadcast').waitFor();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('send to sev');
  await page.getByRole('menuitem', { name: 'Send to several' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(hasFocus).toBe(true);
});

/** Focuses the button as a screen reader does, without a key, in the moment in which it is drawn. */
const FOCUS_EARLY = `new MutationObserver((_, observer) => {
  const button = [...document.querySelectorAll('main button')].find((it) => it.textContent === 'Send to several');
  if (!button) return;
  observer.disconnect();
  button.focus();
}).observe(document, { childList: true, subtree: true });`;
/** Ends after the keyboard would have been led to where the screen begins. */
const FRAMES = `(async () => {
  for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
})()`;

test('a button that has the focus before its screen is quite there keeps it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send', script: FOCUS_EARLY });
  await page.getByRole('combobox', { name: 'To' }).waitFor();
  await page.evaluate(FRAMES);
  expect(await page.locator(':focus').textContent()).toBe('Send to several');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
});

test('a person changes the pages of a broadcast by keyboard, and each recipient gets them changed', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/sent/broadcasts/new' });
  complaints.allow('415 ', 'POST /fax/preview');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).press('Enter');
  await (await chooser).setFiles([file('three.txt', 'one\ftwo\fthree\n'), file('notes.xyz', '\u0000\u0001')]);
  // Named at once, and not only when everything is typed.
  const refused = page.getByRole('listitem').filter({ hasText: 'notes' });
  await refused.getByRole('alert').waitFor();
  await refused.getByRole('button', { name: 'Remove notes.xyz' }).press('Enter');
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await page.getByText('3 pages', { exact: true }).waitFor();
  await edit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit pages' });
  await dialog.getByRole('button', { name: 'Leave out page 2' }).press('Enter');
  await dialog.getByRole('button', { name: 'Turn page 3' }).press('Enter');
  await dialog.getByText('Page 3, turned 90°').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByText('2 pages', { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Fax numbers' }).fill('+12025554001\n+12025554002');
  await page.getByRole('button', { name: 'Check the list' }).press('Enter');
  await page.getByRole('button', { name: 'Send to 2 recipients' }).press('Enter');
  await page.locator('p', { hasText: 'Sending, 2 recipients' }).waitFor();
  await webConsole.gateway.processAll();
  for (const to of ['%2B12025554001', '%2B12025554002'])
    await expect
      .poll(async () => {
        const list = await webConsole.gateway.request('GET', `/fax?to=${to}`);
        const { items } = (await list.json()) as { items: Fax[] };
        return items[0] && { pages: items[0].document.pages, edits: items[0].edits };
      })
      .toMatchObject({ pages: 2, edits: { original: { pages: 3 }, turned: 1 } });
});

test('a person puts a cover page with the columns of the list before each fax, and is shown a column that is not there', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/sent' });
  complaints.allow('400 ', 'POST /broadcasts');
  await page.getByRole('button', { name: 'Broadcasts' }).click();
  await page.getByRole('button', { name: 'Send to several' }).press('Enter');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).press('Enter');
  const rooms = { name: 'rooms.pdf', mimeType: 'application/pdf', buffer: Buffer.from(textPdf(1)) };
  await (await chooser).setFiles([rooms]);
  await page
    .getByRole('textbox', { name: 'Fax numbers' })
    .fill('Name,Fax,Room\nHill Clinic,+12025553001,12\nDr. Lee,+12025553002,14\n');
  await page.getByRole('button', { name: /Cover page$/u }).press('Enter');
  await page.getByRole('option', { name: 'Plain' }).press('Enter');
  const note = page.getByRole('textbox', { name: 'Note' });
  const drawn: Record<string, unknown>[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/covers/preview'))
      drawn.push(request.postDataJSON() as Record<string, unknown>);
  });
  await page.getByText('Recipient 1 of 2: Hill Clinic, +1 202 555 3001').waitFor();
  await note.fill('Room {Room}');
  await expect
    .poll(() => drawn.at(-1))
    .toMatchObject({
      to: '+12025553001',
      to_name: 'Hill Clinic',
      cover_fields: { note: 'Room 12' },
      pages: null,
    });
  await page.getByRole('button', { name: 'Next recipient' }).press('Enter');
  await page.getByText('Recipient 2 of 2: Dr. Lee, +1 202 555 3002').waitFor();
  await expect
    .poll(() => drawn.at(-1))
    .toMatchObject({ to: '+12025553002', to_name: 'Dr. Lee', cover_fields: { note: 'Room 14' } });
  // The last one has no next: the keyboard is on the way back.
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Previous recipient');
  await page.getByRole('img', { name: 'Cover page as the receiving machine will print it' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Recipient 1 of 2').waitFor();
  await note.fill('For {Name}, room {Rom}');
  await page.getByRole('button', { name: 'Check the list' }).press('Enter');
  await page
    .getByText('No line of the list has a value in a column “Rom”. Correct the cover page. Nothing was sent.')
    .waitFor();
  await note.fill('For {Name}, room {Room}');
  await page.getByRole('button', { name: 'Check the list' }).press('Enter');
  await page.getByText('2 recipients can get the fax.').waitFor();
  await page.setViewportSize({ width: 1024, height: 700 });
  expect(await layoutFaults(page)).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send to 2 recipients' }).press('Enter');
  await page.getByText('Cover page: Plain').waitFor();
  await webConsole.gateway.processAll();
  const { items } = (await (await webConsole.gateway.request('GET', '/fax?limit=200')).json()) as {
    items: { to: string; document: { pages: number } }[];
  };
  const sent = items.filter(({ to }) => /555300[12]$/u.test(to));
  expect(sent.map(({ document }) => document.pages)).toEqual([2, 2]);
});
