import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { HOUR } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { deliver, letter, PUBLIC_ADDRESS, reach, SendPage } from './send-page.ts';

const KNOWN = '+12025550183';
const webConsole = testConsole({ settings: { PUBLIC_API_URL: PUBLIC_ADDRESS } });
beforeAll(() => reach(webConsole.gateway, KNOWN));

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
  await page.getByText('The provider is sending it').waitFor();
  await page.getByText('The provider does not report pages while sending.').waitFor();
  await page.getByText('It was already submitted and cannot be cancelled').waitFor();
  await deliver(webConsole.gateway, idOf(page));
  await page.getByText('The receiving machine confirmed 2 pages.').waitFor();
  expect(await steps(page).allTextContents()).toEqual([
    expect.stringMatching(/^Accepted2 pages, letter\.txt\d/),
    expect.stringMatching(/^Submitted to the providerAttempt 1/),
    expect.stringMatching(/^Accepted by the provider/),
    expect.stringMatching(/^DeliveredDelivered: the provider confirms 2 pages\./),
  ]);
  expect(await page.getByText('confirmed', { exact: true }).count()).toBeGreaterThanOrEqual(2);
  await expectAccessible(page);

  await page.keyboard.press('n');
  await send.opened();
  expect(await send.to.inputValue()).toBe('');
});

test('a fax that needs confirmation asks one question, and "not complete" offers to send again', async (context) => {
  const { id } = await webConsole.gateway.send({ to: KNOWN });
  webConsole.gateway.emulator.setFault({ kind: 'dropped', method: 'POST', accepted: true });
  await webConsole.gateway.processAll();
  const { page } = await webConsole.open(context, { path: `/send/${id}` });
  await page.getByRole('button', { name: 'They received it all' }).waitFor();
  await page.getByText('Nothing is sent again unless you choose to.').waitFor();
  // The document is shown, because there is no preview of it here.
  await page.getByRole('img', { name: 'Page 1' }).waitFor();
  await expectAccessible(page);
  // N answers here, although it begins a new fax elsewhere.
  await page.keyboard.press('n');
  await page.keyboard.type('Ana at the reception desk');
  await page.keyboard.press('Enter');
  await page.getByText('Not delivered', { exact: true }).waitFor();
  await page.getByText(/Mara Okafor: Ana at the reception desk/).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.waitForURL((url) => !url.href.endsWith(id));
  await page.getByText('Waiting to be sent').first().waitFor();
  const again = await webConsole.gateway.fax(idOf(page));
  expect(again.resend_of).toBe(id);
  await page.getByRole('link', { name: 'Show the first fax' }).waitFor();
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
  await send.send.click();
  await page.getByText('It is sent only when someone presses Send now.').waitFor();
  expect(await page.getByRole('button', { name: 'Send now' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await webConsole.gateway.set({ FAX_DISABLED: false });
  await expect.poll(() => page.getByRole('button', { name: 'Send now' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Waiting to be sent').first().waitFor();
  await webConsole.gateway.processAll();
  await page.getByText('The provider is sending it').waitFor();
});

test('a person who may not send or see documents sees where the fax stands and no more', async (context) => {
  const { id } = await webConsole.gateway.send({ to: KNOWN });
  const key = await webConsole.keyWith('fax:send', 'fax:read');
  const { page } = await webConsole.open(context, { path: `/send/${id}`, as: { key } });
  await page.getByText('You do not have permission to see the document').waitFor();
  await expectAccessible(page);
});
