import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { SendPage } from './send-page.ts';
import { deliveredFax, details, heldFax, nextNumber, rowOf, unconfirmedFax } from './sent-page.ts';

const webConsole = testConsole();

/** Opens a window that receives no events, so that its data becomes stale. */
async function openWindowWithoutEvents(context: Parameters<typeof webConsole.open>[0], path: string) {
  const shown = await webConsole.open(context, {
    path,
    prepare: (page) => page.route(/\/console\/(events|changes)/u, (route) => route.abort()),
  });
  shown.complaints.allow('ERR_FAILED');
  return shown;
}

const letGo = (page: Page) => details(page).getByRole('button', { name: 'Send now' });

test('two windows release one fax: one wins, the other shows who did it, and one fax is sent', async (context) => {
  const number = nextNumber();
  const fax = await heldFax(webConsole, number.e164);
  const path = `/sent/${fax.id}`;
  const sent = webConsole.gateway.emulator.counts.accepted;
  const first = await webConsole.open(context, { path });
  const second = await openWindowWithoutEvents(context, path);
  second.complaints.allow(`409 POST /fax/${fax.id}/release`);
  await letGo(second.page).waitFor();
  await letGo(first.page).click();
  await expect.poll(() => letGo(first.page).count()).toBe(0);
  await letGo(second.page).click();
  await details(second.page).getByText('This fax has changed').waitFor();
  await expectAccessible(second.page);
  await expect.poll(() => letGo(second.page).count()).toBe(0);
  await details(second.page).getByText('Waiting', { exact: true }).waitFor();
  await webConsole.gateway.processAll();
  expect(webConsole.gateway.emulator.counts.accepted).toBe(sent + 1);
});

test('two windows answer one question: the first answer stays', async (context) => {
  const fax = await unconfirmedFax(webConsole, nextNumber().e164);
  const path = `/sent/${fax.id}`;
  const first = await webConsole.open(context, { path });
  const second = await openWindowWithoutEvents(context, path);
  second.complaints.allow(`409 POST /fax/${fax.id}/reconcile`);
  for (const [page, key, name] of [
    [first.page, '1', 'Ana'],
    [second.page, '3', 'Ben'],
  ] as const) {
    await page.getByRole('button', { name: 'Yes, all pages' }).waitFor();
    await page.keyboard.press(key);
    await page.getByLabel('Who did you speak to?').fill(name);
  }
  await first.page.keyboard.press('Enter');
  await details(first.page)
    .getByText(/Recorded as delivered by Mara Okafor: Ana/u)
    .waitFor();
  await second.page.keyboard.press('Enter');
  await details(second.page).getByText('This fax has changed').waitFor();
  await details(second.page)
    .getByText(/Recorded as delivered by Mara Okafor: Ana/u)
    .waitFor();
  expect((await webConsole.gateway.fax(fax.id)).delivery_state).toBe('success');
});

test('what one window does appears in the other', async (context) => {
  const number = nextNumber();
  const fax = await heldFax(webConsole, number.e164);
  const first = await webConsole.open(context, { path: `/sent/${fax.id}` });
  const second = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await letGo(second.page).waitFor();
  await details(first.page).getByRole('button', { name: 'Cancel fax' }).click();
  await rowOf(second.page, number.shown).getByText('Canceled').waitFor();
  await expect.poll(() => letGo(second.page).count()).toBe(0);
});

test('sending again after a lost answer sends one fax', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const { page, complaints } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  complaints.allow('ERR_FAILED');
  await details(page).getByText('confirmed', { exact: true }).waitFor();
  await page.keyboard.press('r');
  const send = await new SendPage(page).opened();
  await send.drawn();
  let isLost = false;
  await page.route(/\/fax$/u, async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await send.send.click();
  await page.getByText('We don’t know if the fax was accepted').waitFor();
  await send.send.click();
  await page.waitForURL(/\/send\/./u);
  const list = await webConsole.gateway.request('GET', `/fax?to=${encodeURIComponent(number.e164)}`);
  expect(((await list.json()) as { items: unknown[] }).items).toHaveLength(2);
});
