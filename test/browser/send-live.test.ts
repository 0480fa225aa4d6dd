import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { focusOn } from './every-screen.ts';
import { deliver, letter, markReached, PUBLIC_ADDRESS, SendPage } from './send-page.ts';
import { partlyDeliveredFax, unconfirmedFax } from './sent-page.ts';

const KNOWN = '+12025550183';
const webConsole = testConsole({ settings: { PUBLIC_API_URL: PUBLIC_ADDRESS } }, ({ gateway }) =>
  markReached(gateway, KNOWN),
);

const idOf = (page: Page) => page.url().split('/').at(-1) ?? '';
const steps = (page: Page) => page.getByRole('listitem').filter({ has: page.locator('time') });

test('by keyboard alone a fax is written, sent and watched until it is delivered', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const chooser = await send.awaitChooser();
  await send.to.focus();
  await page.keyboard.type('555 0183');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+O');
  await (await chooser.opened).setFiles([letter('letter.txt', 'one\fand two\n')]);
  await send.drawn();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Waiting to be sent').first().waitFor();
  await expectAccessible(page);

  await webConsole.gateway.processAll();
  await page.getByText('Phaxio is sending it').waitFor();
  await page.getByText('Phaxio doesn’t report pages during the call').waitFor();
  await page.getByText('It was already sent and cannot be canceled').waitFor();
  await deliver(webConsole.gateway, idOf(page));
  await page.getByText('The receiving machine confirmed 2 pages.').waitFor();
  await expect
    .poll(() => steps(page).allTextContents())
    .toEqual([
      expect.stringMatching(/^Accepted2 pages, letter\.txt\d/),
      expect.stringMatching(/^Sent to PhaxioAttempt 1/),
      expect.stringMatching(/^Phaxio accepted it \(ID \d+\)/),
      expect.stringMatching(/^Delivered: 2 pages confirmed\d/),
    ]);
  await expect.poll(() => page.getByText('confirmed', { exact: true }).count()).toBeGreaterThanOrEqual(2);
  await expectAccessible(page);

  await page.keyboard.press('n');
  await send.opened();
  await expect.poll(() => send.to.inputValue()).toBe('');
});

test('a fax that needs confirmation shows one question, and "not complete" offers to send again', async (context) => {
  const { id } = await webConsole.gateway.send({ to: '+13125550177' });
  webConsole.gateway.emulator.setFault({ kind: 'dropped', method: 'POST', accepted: true });
  await webConsole.gateway.processAll();
  const { page } = await webConsole.open(context, { path: `/send/${id}` });
  await page.getByRole('button', { name: 'Yes, all pages' }).waitFor();
  await page.getByText('Nothing is sent again unless you choose to.').waitFor();
  await page.getByRole('heading', { name: 'Did it arrive?' }).waitFor();
  await expect.poll(() => focusOn(page)).toBe('button Yes, all pages1');
  // The document is shown, because there is no preview of it here.
  await page.getByRole('img', { name: 'Page 1' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('3');
  await page.keyboard.type('Ana at the reception desk');
  await page.keyboard.press('Enter');
  await page.getByText('Not delivered', { exact: true }).waitFor();
  await page.getByText(/Mara Okafor: Ana at the reception desk/).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  const send = await new SendPage(page).opened();
  await page.getByText(/^You are sending a fax again that was not delivered/u).waitFor();
  await send.send.click();
  await page.getByText('Waiting to be sent').first().waitFor();
  const again = await webConsole.gateway.fax(idOf(page));
  expect(again.resend_of).toBe(id);
  await page.getByRole('link', { name: 'Show the first fax' }).waitFor();
});

test('a fax whose recipient was not reached shows the question again later, with the focus on it', async (context) => {
  const { gateway } = webConsole;
  const { id } = await unconfirmedFax(webConsole, KNOWN);
  const { page } = await webConsole.open(context, {
    path: `/send/${id}`,
    prepare: (opened) => opened.clock.setFixedTime(gateway.clock.now()),
  });
  await page.getByRole('button', { name: 'Could not reach them' }).waitFor();
  await page.keyboard.press('4');
  await page.keyboard.type('No answer');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByText(/^You could not reach them\. Faxdesk will ask you again today/u).waitFor();
  await expect.poll(() => focusOn(page)).toBe('button Answer now');
  await page.getByText(/^Mara Okafor could not reach the recipient: No answer/u).waitFor();
  await expectAccessible(page);
  expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'reconciliation_required' });
  // Nothing on other screens asks for an answer meanwhile.
  await expect.poll(() => page.getByText(/^We don’t know if the fax to/u).count()).toBe(0);
  // Half an hour without a request ends the session of the window.
  for (let third = 0; third < 3; third += 1) {
    gateway.clock.advance(20 * MINUTE);
    await page.reload();
    await page.getByRole('region', { name: 'Did it arrive?' }).waitFor();
  }
  await gateway.processAll();
  await page.getByRole('button', { name: 'Yes, all pages' }).waitFor();
  await expect.poll(() => focusOn(page)).toBe('button Yes, all pages1');
});

test('a busy number is tried again in five minutes by one press, and the first fax leads to the next', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await send.drawn();
  await send.send.click();
  await page.waitForURL(/\/send\/.+/);
  const id = idOf(page);
  const { gateway } = webConsole;
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), { errorId: 17, errorType: 'lineError' });
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  const again = page.getByRole('button', { name: 'Try again in 5 minutes' });
  await again.waitFor();
  await expectAccessible(page);
  await again.click();
  await expect.poll(() => idOf(page)).not.toBe(id);
  await page.getByRole('button', { name: 'Cancel fax' }).waitFor();
  const next = await gateway.fax(idOf(page));
  expect(next).toMatchObject({ resend_of: id, delivery_state: 'ready' });
  expect(Date.parse(String(next.send_at)) - gateway.clock.now()).toBeLessThanOrEqual(5 * MINUTE);
  // The first fax links to it, here and in Sent, and offers no second one.
  await page.getByRole('link', { name: 'Show the first fax' }).click();
  await page.getByRole('link', { name: 'Show the next try' }).waitFor();
  await expect.poll(() => again.count()).toBe(0);
  await page.getByRole('button', { name: 'Show in Sent' }).click();
  await page.getByRole('button', { name: 'Show the next try' }).click();
  await page.waitForURL(new RegExp(next.id, 'u'));
});

test('who says that pages are missing goes on to sending those alone, and the report is at hand', async (context) => {
  const { id } = await partlyDeliveredFax(webConsole, '+12025550183');
  const { page } = await webConsole.open(context, { path: `/send/${id}` });
  await page.getByText('Phaxio confirmed only 1 of 3 pages.').first().waitFor();
  await page.keyboard.press('2');
  // The provider's own count is there already.
  await expect.poll(() => page.getByLabel('How many of the 3 pages did they get?').inputValue()).toBe('1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Spoke to Ms. Hale.');
  await page.keyboard.press('Enter');
  const rest = page.getByRole('button', { name: 'Send pages 2 to 3 again' });
  await expect.poll(() => rest.and(page.locator(':focus')).count()).toBe(1);
  await page.getByRole('button', { name: 'Send all pages again' }).waitFor();
  await page.getByRole('button', { name: 'Print the report' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByRole('dialog', { name: 'Report' }).getByRole('button', { name: 'Close' }).first().click();
  await rest.click();
  const send = await new SendPage(page).opened();
  await send.row('pages 2 to 3').waitFor();
  await send.send.click();
  await page.waitForURL(/\/send\/./u);
  expect(await webConsole.gateway.fax(idOf(page))).toMatchObject({ resend_of: id, document: { pages: 2 } });
});

test('a fax for later says when it goes and can be cancelled until then', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await page.getByRole('button', { name: 'More options' }).click();
  const time = page.getByLabel('Send later');
  await time.fill('2020-01-01T10:00');
  await page.getByText('This time has passed.').waitFor();
  await page.getByText('Enter a valid time').waitFor();
  const later = new Date(Math.max(Date.now(), webConsole.gateway.clock.now()) + 3 * HOUR);
  // One of the usual times by one press; the same press takes it back.
  const tomorrow = page.getByRole('button', { name: 'Tomorrow 8:00' });
  await tomorrow.click();
  await expect.poll(() => time.inputValue()).toMatch(/T08:00$/u);
  await page.getByRole('button', { name: /^More options.*08:00/u }).waitFor();
  await tomorrow.click();
  await expect.poll(() => time.inputValue()).toBe('');
  await time.fill(later.toISOString().slice(0, 16));
  await send.drawn();
  await expectAccessible(page);
  await send.send.click();
  await page.getByText('You can cancel it until then.').waitFor();
  await page.getByRole('button', { name: 'Cancel fax' }).click();
  await page.getByText('Nothing was sent.').waitFor();
  expect((await webConsole.gateway.fax(idOf(page))).delivery_state).toBe('cancelled');
});

test('while sending is off a fax is held until somebody releases it', async (context) => {
  await webConsole.gateway.set({ FAX_DISABLED: true });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0183');
  await send.add(letter());
  await page.getByText('Sending is off. The fax is held until someone sends it').waitFor();
  await page.getByText('Held, by the provider, normal priority').waitFor();
  await send.send.click();
  await page.getByText('It is sent only when someone presses Send now.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send now' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await webConsole.gateway.set({ FAX_DISABLED: false });
  await expect.poll(() => page.getByRole('button', { name: 'Send now' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Waiting to be sent').first().waitFor();
  await webConsole.gateway.processAll();
  await page.getByText('Phaxio is sending it').waitFor();
});

test('a person who may not send or see documents sees where the fax stands and no more', async (context) => {
  const { id } = await webConsole.gateway.send({ to: KNOWN });
  const key = await webConsole.keyWith('fax:send', 'fax:read');
  const { page } = await webConsole.open(context, { path: `/send/${id}`, as: { key } });
  await page.getByText('You do not have permission to see the document').waitFor();
  await expectAccessible(page);
});
