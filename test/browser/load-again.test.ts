import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, nextSender, RECEIVING, rowOf, shownPage, viewer } from './inbox-page.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: RECEIVING });
const GONE = [
  'ERR_CONNECTION_REFUSED',
  'ERR_INCOMPLETE_CHUNKED',
  'ERR_CONNECTION_RESET',
  'ERR_EMPTY_RESPONSE',
];
const NUMBER = '+12025550123';

const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });

async function openFax(page: Page, shown: string): Promise<void> {
  await rowOf(page, shown).click();
  await viewer(page).getByRole('heading', { level: 2 }).waitFor();
}

test('a page of a received fax that nobody answered for comes by itself', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page, complaints } = await webConsole.open(context, { path: '/inbox' });
  complaints.allow('ERR_FAILED');
  await rowOf(page, sender.shown).waitFor();
  await page.route('**/pages/1.png*', (route) => route.abort());
  await openFax(page, sender.shown);
  await page.getByText('because Faxdesk is not responding').waitFor();
  await tryAgain(page).waitFor();
  await expectAccessible(page);
  await page.unroute('**/pages/1.png*');
  await shownPage(page);
});

test('a page that the gateway cannot draw is drawn when somebody tries again', async (context) => {
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page, complaints } = await webConsole.open(context, { path: '/inbox' });
  complaints.allow('500');
  await rowOf(page, sender.shown).waitFor();
  await page.route('**/pages/1.png*', (route) => route.fulfill({ status: 500 }));
  await openFax(page, sender.shown);
  await page.getByText('This page cannot be shown.').waitFor();
  await page.unroute('**/pages/1.png*');
  await tryAgain(page).click();
  await shownPage(page);
});

test('a page of a preview that nobody answered for comes by itself', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('ERR_FAILED');
  const send = await new SendPage(page).opened();
  const pictures = /\/fax\/preview\/[^/]+\/1\.png/u;
  await page.route(pictures, (route) => route.abort());
  await send.add(letter());
  await page.getByText('because Faxdesk is not responding').waitFor();
  await page.unroute(pictures);
  await send.sheet.waitFor();
});

test('what was opened while the gateway was away is there when it is back', async (context) => {
  const { id } = await webConsole.gateway.send({ to: NUMBER });
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow(...GONE, 'ERR_FAILED');
  await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  // The code of the screens is here; what they show is not.
  await page.keyboard.press('Alt+8');
  await page.getByRole('navigation', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Alt+4');
  await page.getByRole('grid', { name: 'Sent faxes' }).waitFor();
  await webConsole.gateway.stop();
  await rowOfSent(page).first().click();
  const details = page.getByRole('complementary', { name: 'Fax' });
  await details.getByRole('button', { name: 'Try again' }).first().waitFor();
  await webConsole.startGatewayAgain();
  await details.getByRole('heading', { name: 'History' }).waitFor();
  await details.getByText('Accepted and ready to be sent.').waitFor();
  await expect.poll(() => tryAgain(page).count()).toBe(0);
  expect(page.url()).toContain(id);
});

const rowOfSent = (page: Page) =>
  page.getByRole('grid', { name: 'Sent faxes' }).getByRole('row').filter({ hasText: '202 555 0123' });

test('the provider is called unreachable until it answers again', async (context) => {
  const { gateway } = webConsole;
  await gateway.emulator.refuseConnections();
  const { id } = await gateway.send({ to: NUMBER });
  await gateway.processAll();
  const { page } = await webConsole.open(context, { path: '/sent' });
  await page.getByText('Provider unreachable').waitFor();
  await gateway.emulator.acceptConnections();
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  expect((await gateway.fax(id)).delivery_state).toBe('in_progress');
  await expect.poll(() => page.getByText('Provider unreachable').count()).toBe(0);
});
