import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550177';
const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US' } }, ({ gateway }) =>
  markReached(gateway, KNOWN),
);

test('a fax that would pass a limit is announced, held with its sentence, and let go by a person', async (context) => {
  const { gateway } = webConsole;
  const card = { backend: 'cloudone', currency: 'USD', per_page: '0.10', prefixes: [] };
  expect((await gateway.request('POST', '/routing/rate-cards', { json: card })).status).toBe(201);
  await gateway.set({ SPENDING_CURRENCY: 'USD', SPENDING_MONTH: '0.11' });
  const before = gateway.emulator.counts.accepted;
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number(KNOWN);
  await send.add(letter());
  const passes = 'it would exceed this month’s limit of $0.11 by $0.06.';
  await page.getByText(`It will be held: ${passes}`).waitFor();
  await expectAccessible(page);
  await send.send.click();
  await page.getByText(`Held: ${passes}`).first().waitFor();
  await gateway.processAll();
  expect(gateway.emulator.counts.accepted).toBe(before);

  await page.getByRole('button', { name: 'Show in Sent' }).click();
  const open = page.getByRole('complementary');
  await open.getByText('Held by a spending limit').first().waitFor();
  await open.getByText(`Held: ${passes}`).first().waitFor();
  await page.getByText('Over limit').waitFor();
  await expectAccessible(page);
  await open.getByRole('button', { name: 'Send now' }).click();
  await expect
    .poll(async () => {
      await gateway.processAll();
      return gateway.emulator.counts.accepted;
    })
    .toBe(before + 1);
  await open.getByText('Released for sending, over the spending limit.').waitFor();
});
