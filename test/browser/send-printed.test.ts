import { expect, test } from 'vitest';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
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

/** Prints a document of so many pages. */
async function print(name: string, pages: number): Promise<void> {
  expect(await printByIpp(printer, textPdf(pages), { name })).toMatchObject({ state: JOB_STATE.completed });
}

const auditedFaxes = async () => {
  const answer = await webConsole.gateway.request('GET', '/access/audit?operation=printed.remove');
  const { items } = (await answer.json()) as { items: { details: { fax?: string; pages: number } }[] };
  return items.map(({ details }) => [details.pages, details.fax ?? null]);
};

test('a printed document appears on the Send screen, is added to the fax by keyboard alone and sent once', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await print('Referral.docx', 3);
  await page.getByText('A printed document waits').waitFor();
  await page.getByText(/3 pages, printed .* by mara/u).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add to the fax: Referral.docx' }).press('Enter');
  await send.row('Referral.pdf').waitFor();
  await page.getByText('A printed document waits').waitFor({ state: 'detached' });
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
