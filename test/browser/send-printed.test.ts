import type { BrowserContext } from 'playwright';
import { expect, test } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { attribute } from '../../server/platform/ipp/values.ts';
import { FAX_PRINTER_PATH, PRINTER_PATH } from '../../shared/printing.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, headersOfPage, testConsole } from './console.ts';
import { BRIDGE } from './desktop-bridge.ts';
import { markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550147';
let printer = '';
const webConsole = testConsole(
  async () => {
    const port = await freePort();
    printer = `ipp://127.0.0.1:${port}/ipp/print`;
    return { settings: { PRINT_TO_FAX: 'this_computer', PRINT_PORT: String(port) } };
  },
  ({ gateway }) => markReached(gateway, KNOWN),
);

/** Prints a document of so many pages, perhaps for a number. */
async function print(name: string, pages: number, to: string | null = null): Promise<void> {
  const uri = attribute('destination-uri', 'uri', `tel:${to}`);
  const call = to === null ? {} : { job: [attribute('destination-uris', 'collection', [uri])] };
  const address = to === null ? printer : printer.replace(PRINTER_PATH, FAX_PRINTER_PATH);
  expect(await printByIpp(address, textPdf(pages), { name, ...call })).toMatchObject({
    state: JOB_STATE.completed,
  });
}

/** Discards what waits for the person of a window. */
async function discardAll(browser: BrowserContext): Promise<void> {
  const headers = await headersOfPage(browser, webConsole.gateway);
  const answer = await browser.request.get('/printed', { headers });
  for (const { id } of ((await answer.json()) as { items: { id: string }[] }).items)
    await browser.request.delete(`/printed/${id}`, { headers });
}

const auditedFaxes = async () => {
  const answer = await webConsole.gateway.request('GET', '/access/audit?operation=printed.remove');
  const { items } = (await answer.json()) as { items: { details: { fax?: string; pages: number } }[] };
  return items.map(({ details }) => [details.pages, details.fax ?? null]);
};

test('rule (printing): printing opens the Send screen with the pages in a new fax, which is sent once', async (context) => {
  const { page } = await webConsole.open(context, { path: '/sent', script: BRIDGE });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  await print('Referral.docx', 3);
  const send = await new SendPage(page).opened();
  await send.row('Referral.pdf').waitFor();
  // Another program is before the person who prints.
  await expect.poll(() => page.evaluate('noted.opened')).toBe(1);
  expect(await page.getByText('A printed document waits').count()).toBe(0);
  await send.kept();
  await page.reload();
  await send.opened();
  await send.row('Referral.pdf').waitFor();
  await send.number('(202) 555-0147');
  await send.drawn();
  await send.pressSend();
  await page.waitForURL(/\/send\/.+/u);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect((await webConsole.gateway.fax(id)).document.pages).toBe(3);
  await expect.poll(auditedFaxes).toEqual([[3, id]]);
  await page.goto('/admin/ui/send');
  await send.opened();
  expect(await page.getByText('A printed document waits').count()).toBe(0);
});

test('a document that is printed while a fax is on the form waits, and is added by keyboard alone', async (context) => {
  const { page, context: browser } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0147');
  await send.kept();
  await print('Lab report.docx', 2);
  await page.getByText('A printed document waits').waitFor();
  await page.getByText(/2 pages, printed .* by mara/u).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add to the fax: Lab report.docx' }).press('Enter');
  await send.row('Lab report.pdf').waitFor();
  await page.getByText('A printed document waits').waitFor({ state: 'detached' });
  await discardAll(browser);
});

test('a number that the program gave is filled in, and a document for another number is added after a question only', async (context) => {
  const { page, context: browser } = await webConsole.open(context, { path: '/inbox', script: BRIDGE });
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await print('Referral', 1, '+12025550147');
  const send = await new SendPage(page).opened();
  await send.row('Referral.pdf').waitFor();
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0147');
  await print('Another referral', 2, '+12025550148');
  await page.getByText(/2 pages, printed .* by mara, for \+1 202 555 0148/u).waitFor();
  await page.getByRole('button', { name: 'Add to the fax: Another referral' }).press('Enter');
  await page.getByText('“Another referral” was printed for +1 202 555 0148').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep' }).press('Enter');
  expect(await send.rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Add to the fax: Another referral' }).press('Enter');
  await page.getByRole('button', { name: 'Add anyway' }).press('Enter');
  await send.row('Another referral.pdf').waitFor();
  expect(await send.to.inputValue()).toBe('+1 202 555 0147');
  await discardAll(browser);
});

test('where a dialog is open, a notice leads to the document that was printed', async (context) => {
  const { page, context: browser } = await webConsole.open(context, { path: '/contacts', script: BRIDGE });
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.getByRole('button', { name: 'Add contact' }).first().press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await print('Referral of Ann Ito', 2);
  await expect.poll(() => page.evaluate('noted.notices')).toHaveLength(1);
  const [notice] = (await page.evaluate('noted.notices')) as { title: string; body: string; open: string }[];
  expect(notice).toMatchObject({
    title: 'A printed document waits',
    body: '2 pages. Nothing is sent until you send it.',
  });
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await page.evaluate(`noted.command({ open: ${JSON.stringify(notice?.open)} })`);
  const send = await new SendPage(page).opened();
  await send.row('Referral of Ann Ito.pdf').waitFor();
  await discardAll(browser);
});

test('on a shared computer Faxdesk asks whose a printed document is, and discards one after a question', async (context) => {
  await new MailboxPeople(webConsole.gateway).addUser('Ben Ito', { installation: ['fax:send'] });
  await print('Letter to Ann', 1);
  await print('Holiday hours', 2);
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await page.getByText('2 printed documents wait').waitFor();
  expect(await page.getByText(/Is it yours\?/u).count()).toBe(2);
  await page.getByRole('button', { name: 'Discard Holiday hours' }).press('Enter');
  await page.getByRole('button', { name: 'Keep' }).press('Enter');
  await page.getByRole('button', { name: 'Discard Holiday hours' }).press('Enter');
  await page.getByText('Discard “Holiday hours”?').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Discard', exact: true }).press('Enter');
  await page.getByText('A printed document waits').waitFor();
  await page.getByRole('button', { name: 'Yes, add it: Letter to Ann' }).press('Enter');
  await send.row('Letter to Ann.pdf').waitFor();
  await page.getByRole('button', { name: 'Clear' }).press('Enter');
  // Nobody else sees it any more, and it waits on.
  await page.getByRole('button', { name: 'Add to the fax: Letter to Ann' }).waitFor();
});
