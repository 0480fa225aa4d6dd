import { expect, test } from 'vitest';
import { textFile } from '../setup/gateway.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { details, nextNumber } from './sent-page.ts';

const webConsole = testConsole();

test('waiting faxes are found by day and opened with the keyboard alone, and leave the calendar when they are canceled', async (context) => {
  const { gateway } = webConsole;
  const at = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();
  const [first, second, other] = [nextNumber(), nextNumber(), nextNumber()];
  await gateway.send({
    to: first.e164,
    send_at: at(2 * DAY),
    send_by: at(2 * DAY + HOUR),
    subject: 'Referral',
  });
  const later = await gateway.send({ to: second.e164, send_at: at(5 * DAY) });
  await gateway.send({ to: other.e164 });
  const form = new FormData();
  const broadcast = {
    name: 'Holiday hours',
    send_at: at(3 * DAY),
    recipients: `${first.e164}\n${second.e164}`,
  };
  for (const [name, value] of Object.entries(broadcast)) form.append(name, value);
  form.append('file', textFile());
  expect((await gateway.request('POST', '/broadcasts', { form })).status).toBe(202);
  await gateway.processAll();
  const { page } = await webConsole.open(context, { path: '/sent' });

  await page.getByRole('button', { name: /scheduled$/u }).press('Enter');
  const sent = page.getByRole('grid', { name: 'Sent faxes' });
  await expect.poll(() => sent.getByRole('row').count()).toBe(3);
  expect(new URL(page.url()).search).toBe('?view=scheduled');
  expect(await sent.textContent()).not.toContain(other.shown);

  await page.getByRole('button', { name: 'Calendar: 2 waiting' }).press('Enter');
  const grid = page.getByRole('grid', { name: 'Waiting faxes by day' });
  await grid.getByRole('row').nth(2).waitFor();
  await page.getByText('2 faxes wait').waitFor();
  await page.getByText(/^begins on .*, 2 recipients$/u).waitFor();
  expect(await grid.getByRole('row').nth(1).textContent()).toContain('Referral');
  await expectAccessible(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await details(page).getByText(first.shown).first().waitFor();
  await page.keyboard.press('j');
  await details(page).getByText(second.shown).first().waitFor();
  const json = { delivery_version: later.delivery_version };
  await gateway.request('POST', `/fax/${later.id}/cancel`, { json });
  await expect.poll(() => grid.getByRole('row').count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => details(page).count()).toBe(0);
  await page.getByRole('button', { name: 'All sent faxes' }).press('Enter');
  await sent.waitFor();
  await page.getByRole('button', { name: 'Broadcasts' }).press('Enter');
  await page.getByText(/^Starts on .*, 2 recipients$/u).waitFor();
});
