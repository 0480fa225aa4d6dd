import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, reach, SendPage } from './send-page.ts';

const KNOWN = '+12025550183';
const webConsole = testConsole({ settings: { FAX_DEFAULT_COUNTRY: 'US' } });
beforeAll(() => reach(webConsole.gateway, KNOWN));

test('a number is completed from those that were used, with how it went', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.pressSequentially('555 01');
  const option = page.getByRole('option', { name: '+1 202 555 0183' });
  await option.waitFor();
  expect(await option.textContent()).toContain('Delivered');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await send.to.inputValue()).toBe('+1 202 555 0183');
  await page.getByText('+1 202 555 0183 · United States').waitFor();
  expect(await send.page.getByText('First fax to this number').count()).toBe(0);
});

test('the first fax to a number waits for its last four digits', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(303) 555-0142');
  await page.getByText('+1 303 555 0142 · United States').waitFor();
  await page.getByText('Never faxed before').waitFor();
  await send.add(letter());
  await send.drawn();
  expect(await send.send.isDisabled()).toBe(true);
  await page.getByText('Confirm the number first').waitFor();

  const digits = page.getByRole('textbox', { name: 'Last four digits' });
  await digits.pressSequentially('0143');
  await page.getByText('These do not match the last four digits.').waitFor();
  expect(await send.send.isDisabled()).toBe(true);
  await expectAccessible(page);
  await digits.pressSequentially('0142');
  await page.getByText('You retyped the last four digits: 0142.').waitFor();
  expect(await send.send.isEnabled()).toBe(true);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Send fax');

  // Another number has other digits.
  await send.number('(303) 555-0149');
  await page.getByText('Confirm the number first').waitFor();
});

test('a number one digit away from a known one warns beside the field', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('202 555 0163');
  await page.getByText('One digit is different from a known number', { exact: true }).waitFor();
  expect(await page.locator('mark').allTextContents()).toEqual(['6', '8']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use the known number' }).click();
  expect(await send.to.inputValue()).toBe('+1 202 555 0183');
  await page
    .getByText('One digit is different from a known number', { exact: true })
    .waitFor({ state: 'detached' });

  await send.number('202 555 0138');
  await page.getByText('Two digits are swapped compared with a known number', { exact: true }).waitFor();
});

test('what is wrong with a number is said with the key press, a beginning only when it is left', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.pressSequentially('20255501');
  expect(await page.getByText('This number is incomplete.').count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await page.getByText('This number is incomplete.').waitFor();
  await send.to.fill('20255501234567');
  await page.getByText('This number has too many digits.').waitFor();
  await send.to.fill('mill valley');
  await page.getByText('A fax number can contain only digits.').waitFor();
  await send.to.fill('+1 202 555 0183 ext 4');
  await page.getByText('A fax number can contain only digits.').waitFor();
  expect(await send.to.getAttribute('aria-invalid')).toBe('true');
});

test('the number that stands below the field is the number that is posted', async (context) => {
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
