import type { Page, Route } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole();

async function ready(page: Page, number: string): Promise<SendPage> {
  const send = await new SendPage(page).opened();
  await send.number(number);
  await page.getByRole('textbox', { name: 'Last four digits' }).fill(number.slice(-4));
  await send.add(letter());
  await send.drawn();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  return send;
}

async function faxesTo(to: string): Promise<number> {
  const answer = await webConsole.gateway.request('GET', `/fax?to=${encodeURIComponent(to)}`);
  return ((await answer.json()) as { items: unknown[] }).items.length;
}

/** The next fax comes through, but its answer does not. */
async function loseAnswer(page: Page): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route('**/fax', lose, { times: 1 });
}

test('pressing twice makes one fax', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  await ready(page, '303 555 0111');
  const address = page.url();
  await page.evaluate(`for (let i = 0; i < 2; i += 1)
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))`);
  await page.waitForURL((url) => url.href !== address);
  expect(await faxesTo('+13035550111')).toBe(1);
});

test('a lost answer is shown as unknown, and pressing again leads to the same fax', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('POST /fax');
  const send = await ready(page, '303 555 0112');
  await loseAnswer(page);
  await send.send.click();
  await page.getByText('We don’t know if the fax was accepted').waitFor();
  await expectAccessible(page);
  // A reload in this moment forgets nothing.
  await page.reload();
  await page.getByText('Sending this fax was interrupted').waitFor();
  // The same number written in another way is the same fax.
  await send.number('+1 (303) 555-0112');
  await page.getByText('We lost the connection. Press Send again; it can’t go twice.').waitFor();
  await send.number('+1 (303) 555-0199');
  await page.getByText('You have changed the draft since then.').waitFor();
  await send.number('303 555 0112');
  await page.getByText('We lost the connection. Press Send again; it can’t go twice.').waitFor();
  await send.drawn();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await send.send.click();
  await page.waitForURL(/\/send\/.+/);
  expect(await faxesTo('+13035550112')).toBe(1);
});

test('a draft that was changed after a lost answer is not sent beside the first without a question', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('POST /fax');
  const send = await ready(page, '303 555 0113');
  await loseAnswer(page);
  await send.send.click();
  await page.getByText('We don’t know if the fax was accepted').waitFor();
  await send.add(letter('more.txt'));
  await send.row('more.txt').getByText('1 page').waitFor();
  await send.send.click();
  await page.getByText('An earlier version of this fax was accepted').waitFor();
  await expectAccessible(page);
  expect(await faxesTo('+13035550113')).toBe(1);
  await page.getByRole('button', { name: 'Send as a second fax' }).click();
  await page.waitForURL(/\/send\/.+/);
  expect(await faxesTo('+13035550113')).toBe(2);
});

test('an upload that breaks off says so, loses nothing and goes on by itself', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('POST /fax/preview');
  const send = await new SendPage(page).opened();
  await page.route('**/fax/preview?**', (route) => route.abort('connectionreset'));
  await send.add(letter());
  await page.getByText('The preview cannot be shown').waitFor();
  await page.getByText(/Faxdesk is not responding\. Nothing was lost/).waitFor();
  await expect.poll(() => send.titles()).toEqual(['letter']);
  await expectAccessible(page);
  await page.unroute('**/fax/preview?**');
  await send.sheet.waitFor();
  await send.row('letter.txt').getByText('1 page').waitFor();
});

test('a gateway that is stopped and started again finds the draft and its pages as they were', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('ERR_CONNECTION', '404 ', '401 ', '503 ', 'ERR_EMPTY');
  const send = await ready(page, '303 555 0114');
  await webConsole.gateway.stop();
  await page.getByText('Not connected since').first().waitFor();
  await send.add(letter('while-away.txt'));
  await send.row('while-away.txt').waitFor();
  await send.send.click();
  await page.getByText('We don’t know if the fax was accepted').waitFor();
  await webConsole.startGatewayAgain();
  await send.row('while-away.txt').getByText('1 page').waitFor();
  await send.sheet.waitFor();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await send.send.click();
  await page.waitForURL(/\/send\/.+/);
  expect(await faxesTo('+13035550114')).toBe(1);
  const fax = await webConsole.gateway.fax(page.url().split('/').at(-1) ?? '');
  expect(fax.document.pages).toBe(2);
});

test('a preview that ended meanwhile does not stop the fax', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('409 POST /fax', 'ERR_CONNECTION', '404 GET /fax/preview', '404 GET /fax/numbers/check');
  const send = await ready(page, '303 555 0115');
  await webConsole.gateway.stop();
  await webConsole.startGatewayAgain();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await send.send.click();
  await page.waitForURL(/\/send\/.+/);
  expect(await faxesTo('+13035550115')).toBe(1);
  // The pages come from the document now.
  await page.getByRole('heading', { name: 'The document' }).waitFor();
  await page.getByRole('img', { name: 'Page 1' }).waitFor();
});
