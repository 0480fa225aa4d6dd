import { expect, test } from 'vitest';
import { photoPdf } from '../fixtures/make-drawings.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, lockedPdf, pdf, SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: { MAX_FILE_SIZE_MB: '1' } });

test('two files are ordered and titled by keyboard, and go out so', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // Another order is another preview; a picture of the one before may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  // A key that comes before the page has drawn what the last one did goes elsewhere.
  const press = async (key: string) => {
    await page.keyboard.press(key);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  };
  await send.add(letter('first.txt'), letter('second.txt', 'one\fand two\n'));
  await send.row('second.txt').getByText('2 pages').waitFor();
  await page.getByText('2 files, 3 pages').waitFor();

  // From the grip of the second row: Enter takes it, arrows move it, Enter puts it down.
  await send.row('first.txt').focus();
  await press('ArrowDown');
  await press('Tab');
  await press('Enter');
  await press('ArrowUp');
  await press('ArrowUp');
  await press('Enter');
  await expect.poll(() => send.titles()).toEqual(['second', 'first']);
  // From the row: Alt with an arrow.
  await send.row('second.txt').focus();
  await press('Alt+ArrowDown');
  await expect.poll(() => send.titles()).toEqual(['first', 'second']);

  await send.row('first.txt').focus();
  await press('F2');
  await page.keyboard.type('Letter to Mill Creek');
  await press('Enter');
  await expect.poll(() => send.titles()).toEqual(['Letter to Mill Creek', 'second']);
  await send.drawn();
  await expectAccessible(page);

  await send.number('303 555 0101');
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0101');
  await press('Control+Enter');
  await page.waitForURL(/\/send\/.+/);
  const fax = await webConsole.gateway.fax(page.url().split('/').at(-1) ?? '');
  expect(fax.titles).toEqual(['Letter to Mill Creek', '']);
  expect(fax.document).toMatchObject({ pages: 3, file_name: 'first.txt and 1 more' });
});

test('the preview appears page by page, and cleaning greys draws it again without another upload', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const uploads: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/fax/preview')) uploads.push(request.url());
  });
  await send.add(letter(), pdf(photoPdf(), 'photo.pdf'));
  await send.drawn();
  await page.getByText(/^Page 2 prints as dots:/).waitFor();
  await page.keyboard.press('PageDown');
  await send.sheet.and(page.getByLabel(/^Page 2/)).waitFor();
  const before = await send.sheet.getAttribute('data-src');
  await page.getByText('Clean up grays').click();
  await page.getByText(/^Page 2 is mostly gray:/).waitFor();
  await expect.poll(() => send.sheet.getAttribute('data-src')).not.toBe(before);
  await expect
    .poll(() =>
      send.sheet
        .and(page.locator('[data-drawn]'))
        .evaluate((picture) => (picture as unknown as { width: number }).width),
    )
    .toBeGreaterThan(100);
  expect(uploads.map((url) => new URL(url).pathname.split('/').at(-1))).toEqual(['preview', 'redraw']);
  await expectAccessible(page);
});

test('pages that are sent are read as those of a received fax, and shown as the person chose', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter('letter.txt', 'one\ftwo\fthree\n'));
  await send.drawn();
  const thumbs = page.getByRole('navigation', { name: 'Pages' });
  await thumbs.waitFor();
  const sheets = page.locator('main [data-page]:not(nav *)');
  await expect.poll(() => sheets.count()).toBe(3);
  await page.getByRole('group', { name: 'Page 1 of 3' }).focus();
  await page.keyboard.press('t');
  await thumbs.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await expect.poll(() => sheets.count()).toBe(1);
  await page.keyboard.press('PageDown');
  await send.sheet.and(page.getByLabel(/^Page 2/u)).waitFor();
  await expectAccessible(page);
  await send.kept();
  await page.reload();
  await send.drawn();
  expect([await sheets.count(), await thumbs.count()]).toEqual([1, 0]);
  await page.getByRole('button', { name: 'Page thumbnails' }).click();
  await thumbs.waitFor();
});

test('the header line has the number as soon as it is entered, without another upload, and says what the provider prints', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/fax/preview'))
      asked.push(`${new URL(request.url()).pathname.split('/').at(-1)} ${request.postData() ?? ''}`);
  });
  await send.add(letter());
  await send.drawn();
  await page
    .getByText('In the header line, Phaxio prints date and time and page number in its own way.')
    .waitFor();
  const before = await send.sheet.getAttribute('data-src');
  await send.number('303 555 0102');
  // The pages of before stay in sight until those with the number are drawn.
  await expect.poll(() => send.sheet.getAttribute('data-src')).not.toBe(before);
  await expect.poll(() => send.sheet.count()).toBe(1);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['preview', 'redraw']);
  expect(asked[1]).toBe('redraw {"clean_greys":false,"to":"+13035550102"}');
});

test('a file that cannot be faxed says so at its row, and nothing is lost', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // Without the file that is removed it is another preview; a picture of the one before may just have been asked for.
  complaints.allow('400 POST /fax/preview', '404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  await send.number('202 555 0101');
  await send.add(letter(), pdf(lockedPdf(), 'locked.pdf'));
  await send
    .row('locked.pdf')
    .getByText(/protected by a password/)
    .waitFor();
  expect(
    await send
      .row('letter.txt')
      .getByText(/password/)
      .count(),
  ).toBe(0);
  // The other file is shown without it.
  await send.row('letter.txt').getByText('1 page').waitFor();
  await send.sheet.waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0101');
  await page.getByText('“locked” cannot be faxed. Remove it').waitFor();
  await page.getByRole('button', { name: 'Remove locked' }).click();
  await expect.poll(() => send.titles()).toEqual(['letter']);
  await expect.poll(() => send.to.inputValue()).toBe('202 555 0101');
  await expect.poll(() => send.send.isEnabled()).toBe(true);
});

test('what can never be sent is said before it is uploaded', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const large = pdf(Buffer.alloc(1_100_000), 'scan.pdf');
  await send.add(
    large,
    { ...letter('notes.doc'), mimeType: 'application/msword' },
    letter('empty.txt', ''),
    letter('good.txt'),
  );
  await page.getByText(/“scan.pdf” is 1.1 MB. The limit for one fax is 1 MB/).waitFor();
  await page.getByText('“notes.doc”: Faxdesk can’t read this kind of Word file. Save it as a PDF.').waitFor();
  await page.getByText('“empty.txt” is empty.').waitFor();
  await expect.poll(() => send.titles()).toEqual(['good']);
});

/** Expression that creates the data of a drag or copy with one text file, in the page. */
const carrying = (name: string) => `(() => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['text'], '${name}', { type: 'text/plain' }));
  return transfer;
})()`;

test('files that are dropped on another screen open the Send screen with them', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  const dataTransfer = await page.evaluateHandle(carrying('referral.txt'));
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.getByText('Drop to send as a fax').waitFor();
  await expectAccessible(page);
  await page.dispatchEvent('body', 'drop', { dataTransfer });
  const send = await new SendPage(page).opened();
  await send.row('referral.txt').waitFor();
  await expect.poll(() => page.getByText('Drop to send as a fax').count()).toBe(0);
});

test('files that are dropped on the page or pasted are added', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // The first preview is ended while its first page is waited for.
  complaints.allow('404 GET /fax/preview');
  const send = await new SendPage(page).opened();
  const dataTransfer = await page.evaluateHandle(carrying('dropped.txt'));
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  await page.getByText('Drop to add them').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
  await send.row('dropped.txt').waitFor();
  await expect.poll(() => page.getByText('Drop to add them').count()).toBe(0);
  await page.evaluate(
    `window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: ${carrying('pasted.txt')} }))`,
  );
  await send.row('pasted.txt').waitFor();
  await page.getByText('2 files, 2 pages').waitFor();
});

test('Delete removes the chosen document, and the keyboard is on the next one', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // The previews of before are ended; a picture of one may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  await send.add(letter('first.txt'), letter('second.txt'));
  await send.row('first.txt').focus();
  await page.keyboard.press('?');
  for (const name of ['Remove the selected document', 'Move the selected document up'])
    await page.getByRole('dialog').getByText(name).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Delete');
  await expect.poll(() => send.titles()).toEqual(['second']);
  await expect.poll(() => send.row('second.txt').and(page.locator(':focus')).count()).toBe(1);
  await page.keyboard.press('Delete');
  await expect.poll(() => send.rows.count()).toBe(0);
  const choose = page.getByRole('button', { name: 'Choose files' });
  await expect.poll(() => choose.and(page.locator(':focus')).count()).toBe(1);
});

test('the same file added twice shows a question', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // Another document is another preview; a picture of the one before may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  const same = letter();
  await send.add(same);
  await send.row('letter').waitFor();
  await send.add(same);
  await page.getByText('“letter” is already in this fax. Add it again?').waitFor();
  await expect.poll(() => send.rows.count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByText('Add it again?').waitFor({ state: 'detached' });
  await expect.poll(() => send.rows.count()).toBe(1);
  await send.add(same);
  await page.getByRole('button', { name: 'Add again' }).click();
  await expect.poll(() => send.rows.count()).toBe(2);
  // Another file of that name is another file.
  await send.add(letter('letter.txt', 'Something else'));
  await expect.poll(() => send.rows.count()).toBe(3);
});

test('a fax that cannot be sent yet leads to what is missing', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const expectFocus = (name: string) =>
    expect
      .poll(() =>
        page.evaluate(`(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()`),
      )
      .toContain(name);
  await send.number('+12025550149');
  await page.getByRole('textbox', { name: 'Last four digits' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await expectFocus('Last four digits');
  await page.keyboard.type('0149');
  await expectFocus('Choose files');
});
