import type { Page } from 'playwright';
import { afterEach, expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550183';
const SETTINGS = { FAX_DEFAULT_COUNTRY: 'US', INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };
const webConsole = testConsole({ settings: SETTINGS }, async ({ gateway }) => {
  await markReached(gateway, KNOWN);
  for (const contact of [
    { name: 'Dr. Vera Lind', fax_number: '+13125550110', voice_number: '+13125550199' },
    { name: 'Quiet Office', fax_number: '+13125550333', opted_out: true },
    { name: 'Old Pharmacy', fax_number: '+13125550222', blocked: true },
  ])
    await gateway.request('POST', '/contacts', { json: contact });
});
afterEach(() =>
  webConsole.gateway.set({ GUARD_BLOCKED: 'refuse', GUARD_FIRST_TIME: 'ask', GUARD_NEAR_CONTACT: 'warn' }),
);

const isFocused = async (page: Page, text: string) =>
  page.evaluate(
    `(document.activeElement.closest('label') ?? document.activeElement).textContent.includes(${JSON.stringify(text)})`,
  );
const sentFax = async (page: Page): Promise<Fax> => {
  await page.waitForURL(/\/send\/./u);
  return webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
};
const historyOf = async (fax: Fax) =>
  (await webConsole.gateway.history(fax.id)).map(({ text }) => text).join();

for (const colorScheme of ['light', 'dark'] as const)
  test(`what is wrong with a number is read below it and answered by keyboard alone, ${colorScheme}`, async (context) => {
    const { page } = await webConsole.open(context, { path: '/send', colorScheme });
    const send = await new SendPage(page).opened();
    await send.add(letter());
    await send.number('312 555 0199');
    await send.form
      .getByText(
        'This is the telephone number of Dr. Vera Lind, not a fax number. Check which number receives',
      )
      .waitFor();
    // The telephone is asked about, and as the first fax the digits too.
    await page.locator('#send-note', { hasText: 'Answer the question below the number' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => isFocused(page, 'This number receives faxes')).toBe(true);
    await page.keyboard.press('Space');
    await page.getByRole('checkbox', { name: 'This number receives faxes', checked: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('textbox', { name: 'Last four digits' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('0199');
    await expect.poll(() => isFocused(page, 'Send fax')).toBe(true);
    await expectAccessible(page);
    // The answers are kept with the draft.
    await send.kept();
    await page.reload();
    await send.opened();
    await page.getByRole('checkbox', { name: 'This number receives faxes', checked: true }).waitFor();
    await page.getByText('You retyped the last four digits: 0199.').waitFor();
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    if (colorScheme === 'light') return;
    await page.keyboard.press('Control+Enter');
    const history = await historyOf(await sentFax(page));
    expect(history).toContain('Digits confirmed by Mara');
    expect(history).toContain('This is the telephone number of Dr. Vera Lind');
  });

test('rule (screens): an answer holds for its number alone', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter());
  await send.number('312 555 0333');
  const agreed = page.getByRole('checkbox', { name: 'They agreed to this fax' });
  await agreed.press('Space');
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await send.number('312 555 0110');
  await agreed.waitFor({ state: 'detached' });
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await send.number('312 555 0333');
  // It was answered a moment ago, for this number.
  await page.getByRole('checkbox', { name: 'They agreed to this fax', checked: true }).waitFor();
  await agreed.press('Space');
  await page.locator('#send-note', { hasText: 'Answer the question below the number' }).waitFor();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
});

test('rule (screens): a refusal is read below the number, and the button says why nothing is sent', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter());
  await send.number('312 555 0222');
  await send.form
    .getByText(
      'Faxes to this number are blocked in the contacts. Choose another number, or unblock the contact.',
    )
    .waitFor();
  await page.locator('#send-note', { hasText: 'This number is blocked' }).waitFor();
  await expect.poll(() => send.to.getAttribute('aria-invalid')).toBe('true');
  await expectAccessible(page);
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => send.to.and(page.locator(':focus')).count()).toBe(1);
  await webConsole.gateway.set({ GUARD_BLOCKED: 'ask' });
  await send.number('');
  await send.number('312 555 0222');
  await page.getByRole('checkbox', { name: 'Send it anyway' }).press('Space');
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  expect(await historyOf(await sentFax(page))).toContain('blocked in the contacts.');
});

test('rule (screens): the same document a moment later is asked about before it is sent, and again only for other documents', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const results = letter('results.txt', 'blood count of today\n');
  await send.number('(202) 555-0183');
  await send.add(results);
  await send.drawn();
  await page.keyboard.press('Control+Enter');
  await sentFax(page);
  await page.keyboard.press('n');
  await send.opened();
  await send.number('(202) 555-0183');
  await send.add(results);
  await send.form
    .getByText('A fax with the same document to this number is less than 10 minutes old.')
    .waitFor();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'They need a second copy' }).press('Space');
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  expect(await historyOf(await sentFax(page))).toContain('A fax with the same document');
});

test('rule (screens): what comes up between the check and Send is asked about, and nothing is sent until it is answered', async (context) => {
  const { gateway } = webConsole;
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  complaints.allow('409 POST /fax');
  const send = await new SendPage(page).opened();
  const text = 'referral that two people send\n';
  await send.number('(202) 555-0183');
  await send.add(letter('referral.txt', text));
  await send.drawn();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  // A colleague sends it meanwhile.
  await gateway.sendForm({ to: KNOWN }, [new File([text], 'other.txt', { type: 'text/plain' })]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('The fax was not sent').waitFor();
  await send.form
    .getByText('A fax with the same document to this number is less than 10 minutes old.')
    .waitFor();
  await expect.poll(() => isFocused(page, 'They need a second copy')).toBe(true);
  await expectAccessible(page);
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  await sentFax(page);

  // Without a preview only the gateway can compare the documents.
  await page.route('**/fax/preview*', (route) => route.abort());
  complaints.allow('POST /fax/preview');
  await page.keyboard.press('n');
  await send.opened();
  await send.number('(202) 555-0183');
  await send.add(letter('referral.txt', text));
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  await page.getByText('The fax was not sent').waitFor();
  await expect.poll(() => isFocused(page, 'They need a second copy')).toBe(true);
  gateway.clock.advance(11 * MINUTE);
});
