import { expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { openDetails } from './inbox-page.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550183';
const SETTINGS = { FAX_DEFAULT_COUNTRY: 'US', INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };
const webConsole = testConsole({ settings: SETTINGS }, ({ gateway }) => markReached(gateway, KNOWN));

test('a number is completed from those that were used, with how it went', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.pressSequentially('555 01');
  const option = page.getByRole('option', { name: '+1 202 555 0183' });
  await option.waitFor();
  await expect.poll(() => option.textContent()).toContain('Delivered');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0183');
  await page.getByText('+1 202 555 0183 · United States').waitFor();
  await expect.poll(() => send.form.getByText('No fax was sent to this number before.').count()).toBe(0);
});

test('the recent numbers open when the field gets the focus, and leave a number alone', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  const options = page.getByRole('option');
  // The screen that opens leads the keyboard here, and covers nothing.
  await expect.poll(() => send.to.and(page.locator(':focus')).count()).toBe(1);
  await expect.poll(() => options.count()).toBe(0);
  await send.to.click();
  await page.getByRole('option', { name: '+1 202 555 0183' }).waitFor();
  await page.keyboard.press('Escape');
  await options.first().waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.getByRole('option', { name: '+1 202 555 0183' }).waitFor();
  // Closed, they stay closed; the arrow takes one.
  await page.keyboard.press('Escape');
  await options.first().waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0183');
  await options.first().waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => send.to.and(page.locator(':focus')).count()).toBe(1);
  // A list that opens would do so with the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await expect.poll(() => options.count()).toBe(0);
});

test('a number that sends faxes together says so, and how each fax then leaves is as it was said', async (context) => {
  const { gateway } = webConsole;
  const contact = { name: 'Laboratory', fax_number: '+12025550184', send_together_minutes: 30 };
  await gateway.request('POST', '/contacts', { json: contact });
  const faxes = async () => {
    const answer = await gateway.request('GET', '/fax?to=%2B12025550184');
    return ((await answer.json()) as { items: Fax[] }).items;
  };
  const { page } = await webConsole.open(context, {
    path: '/send',
    prepare: (opened) => opened.clock.setFixedTime(gateway.clock.now()),
  });
  const send = await new SendPage(page).opened();
  const said = (text: string) => page.getByText(text, { exact: true }).waitFor();
  const sendIt = async () => {
    await send.add(letter());
    await expect.poll(() => send.send.isEnabled()).toBe(true);
    await send.send.click();
    await page.getByRole('heading', { name: 'Fax to Laboratory, +1 202 555 0184' }).waitFor();
  };
  const again = async () => {
    await page.goto('/admin/ui/send');
    await send.opened();
    await send.number('(202) 555-0184');
    await said('Faxes to this number are sent together');
  };
  await send.number('(202) 555-0184');
  await said('Faxes to this number are sent together');
  await said('It waits up to 30 minutes for other faxes and is sent with them in one call.');
  await page.getByText('Within 30 min, by the provider, normal priority').waitFor();
  await expectAccessible(page);
  await sendIt();
  await expect.poll(async () => (await faxes()).length).toBe(1);
  const [waiting] = await faxes();
  const leavesAt = new Date(gateway.clock.now() + 30 * MINUTE);
  expect(waiting?.together).toEqual({ leaves_at: leavesAt.toISOString(), with: [] });
  const minutes = String(leavesAt.getMinutes()).padStart(2, '0');
  await page
    .getByText(new RegExp(`^Will be sent at \\d+:${minutes}`, 'u'))
    .first()
    .waitFor();
  await said('It waits for other faxes to this number and is sent with them in one call.');

  await again();
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByText('Urgent').click();
  await said('It is urgent: it does not wait for other faxes and is sent in a separate call.');
  await page.getByText('Now, by the provider, urgent').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send now' }).count()).toBe(0);
  await sendIt();
  await expect
    .poll(async () => (await faxes())[0])
    .toMatchObject({ urgent: true, together: { leaves_at: null, with: [] } });

  await again();
  await page.getByRole('button', { name: 'Send now' }).click();
  await said('It is sent at once, together with the waiting faxes.');
  await page.getByText('Now, by the provider, normal priority').waitFor();
  await sendIt();
  await expect.poll(async () => (await faxes())[0]).toMatchObject({ send_now: true });
  await gateway.processAll();
  const [now, urgent, first] = await faxes();
  expect(first).toMatchObject({ id: waiting?.id, together: { leaves_at: null, with: [now?.id] } });
  expect(now?.together).toEqual({ leaves_at: null, with: [waiting?.id] });
  expect(urgent?.together).toEqual({ leaves_at: null, with: [] });
  expect(urgent?.provider_sid).not.toBe(now?.provider_sid);
});

test('a name that fits one contact is taken by Enter, at once or when the contacts have come', async (context) => {
  const { gateway } = webConsole;
  for (const [name, fax_number] of [
    ['Harbor Pharmacy', '+12025550171'],
    ['Willow Street Lab', '+12025550172'],
    ['Willow Creek Lab', '+12025550173'],
  ])
    await gateway.request('POST', '/contacts', { json: { name, fax_number } });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.focus();
  await page.keyboard.type('harbor');
  // Before the list has come.
  await page.keyboard.press('Enter');
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0171');
  await page.getByText('Harbor Pharmacy ·').waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(0);
  // Two that fit: the person chooses.
  await send.to.fill('willow');
  await page.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => send.to.inputValue()).toBe('willow');
  await send.to.fill('willow cr');
  await page.getByRole('option', { name: '+1 202 555 0173' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0173');
});

test('a country code that no country uses has to be confirmed before the fax can be sent', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter());
  await send.number('+999 123 4567');
  await page.getByText('No country uses the code +999', { exact: true }).waitFor();
  await page.locator('#send-note', { hasText: 'Check the country code' }).waitFor();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Change the number' }).click();
  await expect.poll(() => send.to.and(page.locator(':focus')).count()).toBe(1);
  await page.getByRole('button', { name: 'Yes, use it' }).click();
  await page.getByRole('textbox', { name: 'Last four digits' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('4567');
  await send.send.click();
  await page.waitForURL(/\/send\/./u);
  const fax = await webConsole.gateway.fax(page.url().split('/').at(-1) ?? '');
  expect(fax.to).toBe('+9991234567');
});

test('the first fax to a number waits for its last four digits', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(303) 555-0142');
  await page.getByText('+1 303 555 0142 · United States').waitFor();
  await page.getByText('Never faxed before').waitFor();
  await send.add(letter());
  await send.drawn();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
  await page.getByText('Check the number').waitFor();

  const digits = page.getByRole('textbox', { name: 'Last four digits' });
  await digits.pressSequentially('0143');
  await page.getByText('These do not match the last four digits.').waitFor();
  await expect.poll(() => send.send.isDisabled()).toBe(true);
  await expectAccessible(page);
  await digits.pressSequentially('0142');
  await page.getByText('You retyped the last four digits: 0142.').waitFor();
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Send fax');

  // Another number has other digits.
  await send.number('(303) 555-0149');
  await page.getByText('Check the number').waitFor();
});

test('a number one digit away from a used one warns beside the field', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 565 0183');
  await send.form.getByText('One digit is different from a known number: +1 202 555 0183.').waitFor();
  await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['6', '5']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use the known number' }).click();
  await expect.poll(() => send.to.inputValue()).toBe('+1 202 555 0183');
  await send.form.getByText('One digit is different from a known number').waitFor({ state: 'detached' });

  await send.number('202 555 0138');
  await send.form
    .getByText('Two digits are swapped compared with a known number: +1 202 555 0183.')
    .waitFor();
  await expect.poll(() => page.locator('mark').allTextContents()).toEqual(['3', '8', '8', '3']);
});

test('what is wrong with a number is said with the key press, a beginning only when it is left', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.pressSequentially('20255501');
  await expect.poll(() => page.getByText('This number is incomplete.').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.getByText('This number is incomplete.').waitFor();
  await send.to.fill('20255501234567');
  await page.getByText('This number has too many digits.').waitFor();
  await send.to.fill('mill valley');
  await page.getByText('Choose a contact, or enter a fax number.').waitFor();
  await send.to.fill('+1 202 555 0183 ext 4');
  await page.getByText('A fax number can contain only digits.').waitFor();
  await expect.poll(() => send.to.getAttribute('aria-invalid')).toBe('true');
});

test('rule (screens): the number shown below the field is the number that is posted', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555.0183');
  await page.getByText('+1 202 555 0183 · United States').waitFor();
  await send.add(letter());
  await send.drawn();
  const posted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/fax'),
  );
  await send.send.click();
  expect(fieldOf((await posted).postDataBuffer(), 'to')).toBe(KNOWN);
  await page.getByText('Waiting to be sent').first().waitFor();
});

/** A field of an uploaded form. */
function fieldOf(form: Buffer | null, name: string): string | undefined {
  const pattern = new RegExp(`name="${name}"\r\n\r\n([^\r]*)\r\n`, 'u');
  return pattern.exec(form?.toString('latin1') ?? '')?.[1];
}

test('a fax to our own number says that it needs no call, and places one where that is wanted', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0100');
  const said = (text: string) => page.getByText(text, { exact: true }).waitFor();
  await said('This is one of our own numbers');
  await said('The fax arrives in the inbox without a call, and without a header line.');
  await page.getByText('Now, without a call, normal priority').waitFor();
  await send.add(letter());
  await send.sheet.waitFor();
  // No digits need to be confirmed, and no call duration is shown.
  await expect.poll(() => page.getByText(/^about/u).count()).toBe(0);
  await expect.poll(() => send.send.isEnabled()).toBe(true);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Place a call instead' }).click();
  await said('A call is placed anyway.');
  await page.getByText('Now, by phone call, normal priority').waitFor();
  await send.drawn();
  await page.getByRole('button', { name: 'Deliver without a call' }).click();

  await send.send.click();
  await said('Accepted');
  await webConsole.gateway.processAll();
  await said('It was delivered here without a call: 1 page.');
  await said('Delivered here without a call: 1 page');
  await said('None: one of our own numbers');
  await said('No charge');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.goto(`/admin/ui/sent/${id}`);
  await said('To our own number, without a call');
  await page.getByRole('link', { name: 'Show the received fax' }).click();
  await openDetails(page);
  await said('Sent from here to our own number');
  await expectAccessible(page);
});
