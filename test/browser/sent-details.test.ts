import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import {
  deliveredFax,
  details,
  endFax,
  goingFax,
  heldFax,
  nextNumber,
  rowOf,
  unconfirmedFax,
} from './sent-page.ts';

const webConsole = testConsole();

test('a fax that needs confirmation is one question: the answer is recorded with who said so, and nothing is sent', async (context) => {
  const number = nextNumber();
  const fax = await unconfirmedFax(webConsole, number.e164);
  const sent = webConsole.gateway.emulator.counts.accepted;
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  const question = page.getByRole('region', { name: 'Did it arrive?' });
  await question.getByRole('button', { name: 'They received it all' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('n');
  await page.keyboard.press('Escape');
  await page.keyboard.press('y');
  await page.keyboard.press('Enter');
  await question.getByText('Enter who told you.').waitFor();
  await page.keyboard.type('Ana at the reception');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await details(page).getByText('Recorded as delivered by Mara Okafor: Ana at the reception').waitFor();
  await rowOf(page, number.shown).getByText('Delivered').waitFor();
  expect(await question.count()).toBe(0);
  expect(await webConsole.gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success' });
  expect(webConsole.gateway.emulator.counts.accepted).toBe(sent);
});

test('a held fax goes when it is let go; while sending is off it says why not', async (context) => {
  const number = nextNumber();
  const fax = await heldFax(webConsole, number.e164);
  await webConsole.gateway.set({ FAX_DISABLED: true });
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  const letGo = details(page).getByRole('button', { name: 'Send now' });
  await details(page).getByText('Sending is off. Turn it on first.').waitFor();
  expect(await letGo.isDisabled()).toBe(true);
  await expectAccessible(page);
  await webConsole.gateway.set({ FAX_DISABLED: false });
  await expect.poll(() => letGo.isEnabled()).toBe(true);
  await letGo.click();
  await rowOf(page, number.shown).getByText('Waiting').waitFor();
  await webConsole.gateway.processAll();
  await rowOf(page, number.shown).getByText('Sending').waitFor();
  await details(page).getByText('Released for sending.').waitFor();
});

test('a waiting fax is cancelled', async (context) => {
  const number = nextNumber();
  const fax = await heldFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByRole('button', { name: 'Cancel fax' }).click();
  await rowOf(page, number.shown).getByText('Cancelled').waitFor();
  await expect.poll(() => details(page).getByRole('button', { name: 'Cancel fax' }).count()).toBe(0);
  expect((await webConsole.gateway.fax(fax.id)).delivery_state).toBe('cancelled');
});

test('the provider is asked at once', async (context) => {
  const number = nextNumber();
  const fax = await goingFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByText('You can send it again once it has finished.').waitFor();
  webConsole.gateway.emulator.complete(fax.provider_sid ?? '', { cost: 19 });
  await details(page).getByRole('button', { name: 'Ask the provider' }).click();
  await rowOf(page, number.shown).getByText('Delivered').waitFor();
  await details(page).getByText('Delivered: the provider confirms one page.').waitFor();
});

test('a fax is sent again to another number, whose last digits are asked for when it is new', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByText('confirmed', { exact: true }).waitFor();
  await page.keyboard.press('r');
  const form = page.getByRole('form', { name: 'Send again' });
  await form.getByText(/Last delivered to this number/u).waitFor();
  const field = form.getByLabel('Fax number');
  await field.fill('123');
  await form
    .getByText(/not a fax number|incomplete/iu)
    .first()
    .waitFor();
  await expectAccessible(page);
  await field.fill('+1 503 555 0142');
  await form.getByText('No fax has been sent to this number before.').waitFor();
  await form.getByRole('button', { name: 'Send again' }).click();
  await form.getByText('These do not match the last four digits of the number.').waitFor();
  await form.getByLabel('Retype the last four digits').fill('0142');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await details(page).getByRole('heading', { name: '+1 503 555 0142' }).waitFor();
  await rowOf(page, '+1 503 555 0142').getByText('Waiting').waitFor();
  const again = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(again).toMatchObject({ to: '+15035550142', resend_of: fax.id });
  await details(page).getByRole('button', { name: 'the first fax' }).click();
  await details(page).getByRole('heading', { name: number.shown }).waitFor();
});

test('a number that is almost a known one is pointed out, and taken with one press', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByText('confirmed', { exact: true }).waitFor();
  await page.keyboard.press('r');
  const form = page.getByRole('form', { name: 'Send again' });
  await form.getByLabel('Fax number').fill(`${number.e164.slice(0, -4)}9${number.e164.slice(-3)}`);
  await form.getByText(/It is almost/u).waitFor();
  await form.getByRole('button', { name: /^Use / }).click();
  await form.getByText(/Last delivered to this number/u).waitFor();
});

test('the report opens as a document, is saved as a PDF and printed', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const { page } = await webConsole.open(context, {
    path: `/sent/${fax.id}`,
    script: `window.print = () => {
      window.printed = document.querySelectorAll('body > div > img').length;
      window.dispatchEvent(new Event('afterprint'));
    }`,
  });
  await details(page).getByText('Report', { exact: true }).waitFor();
  await details(page).getByRole('button', { name: 'Open' }).first().click();
  const report = page.getByRole('dialog', { name: 'Report' });
  await report.getByRole('img', { name: 'Report, Page 1' }).waitFor();
  await expectAccessible(page);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    report.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect((await readFile(await saved.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.keyboard.press('Escape');
  await expect.poll(() => report.count()).toBe(0);
  await page.keyboard.press('p');
  await expect.poll(() => page.evaluate('window.printed')).toBe(1);
  expect(await page.locator('body > div > img').count()).toBe(0);
});

test('a failed fax says why and which pages are confirmed', async (context) => {
  const number = nextNumber();
  const fax = await goingFax(webConsole, number.e164);
  await endFax(webConsole, fax, 'Busy');
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await rowOf(page, number.shown).getByText('Failed').waitFor();
  await details(page).getByRole('button', { name: 'Send again' }).waitFor();
  await expectAccessible(page);
});

test('who may only read sees no actions, and no documents without that permission', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const key = await webConsole.keyWith('fax:read');
  const { page } = await webConsole.open(context, { as: { key }, path: `/sent/${fax.id}` });
  await details(page).getByText('You do not have permission to open documents.').waitFor();
  expect(await details(page).getByRole('button', { name: 'Send again' }).count()).toBe(0);
  expect(await details(page).getByRole('button', { name: 'Print' }).count()).toBe(0);
});

test('a fax that is gone says so and leads back to the list', async (context) => {
  const { page, complaints } = await webConsole.open(context, {
    path: '/sent/01900000-0000-7000-8000-00000000ffff',
  });
  complaints.allow('404 GET /fax/');
  await details(page).getByRole('heading', { name: 'Fax not found' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect.poll(() => details(page).count()).toBe(0);
});

test('a small window shows list and fax beside each other, a magnified one the fax alone', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const path = `/sent/${fax.id}`;
  const { page } = await webConsole.open(context, { path, viewport: { width: 1024, height: 700 } });
  await rowOf(page, number.shown).waitFor();
  await details(page).getByRole('button', { name: 'Send again' }).waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 720, height: 450 });
  await page.reload();
  await details(page).getByRole('button', { name: 'Send again' }).waitFor();
  expect(await page.getByRole('grid').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await rowOf(page, number.shown).waitFor();
});
