import { expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550177';
const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US' } }, ({ gateway }) =>
  markReached(gateway, KNOWN),
);

test('what a fax will cost stands beside its time, and is the estimate of the fax that is sent', async (context) => {
  const { gateway } = webConsole;
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  // Until a price is entered, no cost is shown.
  const quoted = page.waitForResponse('**/routing/quote?**');
  await send.number('+13605550177');
  await send.add(letter());
  expect(await (await quoted).json()).toMatchObject({ has_rate_cards: false });
  await send.drawn();
  expect(await page.getByText(/cost unknown|^costs /u).count()).toBe(0);
  const prices = { per_page: '0.045', per_minute: '0.0131', increment_seconds: 6, prefixes: ['+1202'] };
  const card = { backend: 'cloudone', currency: 'USD', ...prices };
  expect((await gateway.request('POST', '/routing/rate-cards', { json: card })).status).toBe(201);
  await send.number('+13605550178');
  await page.getByText('cost unknown').waitFor();
  await send.number(KNOWN);
  const cost = page.getByText(/^costs \D*0\.0/u);
  await cost.waitFor();
  await expectAccessible(page);
  const said = /[\d.]+/u.exec((await cost.textContent()) ?? '')?.[0];
  await send.send.click();
  await expect
    .poll(async () => {
      await gateway.processAll();
      const answer = await gateway.request('GET', '/fax?to=%2B12025550177');
      const { items } = (await answer.json()) as { items: Fax[] };
      return items[0]?.attempt?.cost?.estimated;
    })
    .toEqual({ amount: said, currency: 'USD' });
});

test('what was said before a fax was sent is what it cost afterwards', async (context) => {
  const { gateway } = webConsole;
  await markReached(gateway, '+15035550177');
  const route = { name: 'Oregon', backend: 'cloudone', prefixes: ['+1503'] };
  const { id } = (await (await gateway.request('POST', '/routing/routes', { json: route })).json()) as {
    id: string;
  };
  const prices = { per_page: '0.0431', per_fax: '0.011', prefixes: [], route_id: id };
  const card = { backend: 'cloudone', currency: 'USD', ...prices };
  expect((await gateway.request('POST', '/routing/rate-cards', { json: card })).status).toBe(201);
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('+15035550177');
  await send.add(letter());
  const cost = page.getByText(/^costs \D*0\.0541$/u);
  await cost.waitFor();
  const said = /\D*[\d.]+$/u.exec((await cost.textContent())?.replace('costs ', '') ?? '')?.[0] ?? '';
  await send.send.click();
  await expect
    .poll(async () => {
      await gateway.processAll();
      const open = [...gateway.emulator.faxes].filter(([, { completedAt }]) => completedAt === null);
      for (const [sid] of open) gateway.emulator.complete(sid, { cost: 0 });
      // Not at each look: half an hour without a request ends the session of the window.
      if (open.length > 0) gateway.clock.advance(MINUTE);
      const answer = await gateway.request('GET', '/fax?to=%2B15035550177');
      return ((await answer.json()) as { items: Fax[] }).items.map(({ delivery_state }) => delivery_state);
    })
    .toEqual(['success', 'success']);
  await page.getByRole('button', { name: 'Show in Sent' }).click();
  const open = page.getByRole('complementary');
  await open.getByText('Delivered').first().waitFor();
  await open.getByText(said, { exact: false }).first().waitFor();
});
