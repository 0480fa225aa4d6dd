import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { DAY } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { focusOn } from './every-screen.ts';
import { letter, SendPage } from './send-page.ts';
import {
  deliveredFax,
  deliverFirst,
  details,
  endFax,
  heldFax,
  nextNumber,
  partlyDeliveredFax,
  reroutedFax,
  rowOf,
  sendingFax,
  unconfirmedFax,
} from './sent-page.ts';

const webConsole = testConsole();

/** Number of faxes accepted for a number. */
async function countSent(gateway: TestGateway, to: string): Promise<number> {
  const list = await gateway.request('GET', `/fax?to=${encodeURIComponent(to)}`);
  return ((await list.json()) as { items: unknown[] }).items.length;
}

test('a fax that needs confirmation is one question: the answer is recorded with who said so, and nothing is sent', async (context) => {
  const number = nextNumber();
  const fax = await unconfirmedFax(webConsole, number.e164);
  const sent = webConsole.gateway.emulator.counts.accepted;
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  const question = page.getByRole('region', { name: 'Did it arrive?' });
  await question.getByRole('button', { name: 'Yes, all pages' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('3');
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await question.getByText('Enter who you spoke to.').waitFor();
  await page.keyboard.type('Ana at the reception');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await details(page).getByText('Recorded as delivered by Mara Okafor: Ana at the reception').waitFor();
  await rowOf(page, number.shown).getByText('Delivered').waitFor();
  await expect.poll(() => question.count()).toBe(0);
  expect(await webConsole.gateway.fax(fax.id)).toMatchObject({ delivery_state: 'success' });
  expect(webConsole.gateway.emulator.counts.accepted).toBe(sent);
});

test('who says that pages are missing comes to sending them again, with those alone chosen', async (context) => {
  const number = nextNumber();
  const { id } = await partlyDeliveredFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${id}` });
  await details(page)
    .getByText(/^Phaxio confirmed only 1 of 3 pages\./u)
    .first()
    .waitFor();
  await page.keyboard.press('2');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ana at the reception');
  await page.keyboard.press('Enter');
  const rest = details(page).getByRole('button', { name: 'Send pages 2 to 3 again' });
  await expect.poll(() => rest.and(page.locator(':focus')).count()).toBe(1);
  await details(page).getByRole('button', { name: 'Send all pages again' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  const send = await new SendPage(page).opened();
  await send.row('letter (pages 2 to 3)').getByText('2 pages').waitFor();
  await send.drawn();
  await expectAccessible(page);
  await send.send.click();
  await page.waitForURL(/\/send\/./u);
  const again = await webConsole.gateway.fax(page.url().split('/').at(-1) ?? '');
  expect(again).toMatchObject({ resend_of: id, document: { pages: 2 } });
});

test('a held fax goes when it is let go; while sending is off it says why not', async (context) => {
  const number = nextNumber();
  const fax = await heldFax(webConsole, number.e164);
  await webConsole.gateway.set({ FAX_DISABLED: true });
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  const letGo = details(page).getByRole('button', { name: 'Send now' });
  await details(page).getByText('Sending is off. Turn it on first.').waitFor();
  await expect.poll(() => letGo.isDisabled()).toBe(true);
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
  await rowOf(page, number.shown).getByText('Canceled').waitFor();
  await expect.poll(() => details(page).getByRole('button', { name: 'Cancel fax' }).count()).toBe(0);
  await details(page).getByText('Nothing was sent. No charge.').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await rowOf(page, number.shown).getByText('No charge').waitFor();
  expect((await webConsole.gateway.fax(fax.id)).delivery_state).toBe('cancelled');
});

test('a scheduled fax says the day, is moved to another time and sent now', async (context) => {
  const { gateway } = webConsole;
  const number = nextNumber();
  const now = Math.max(Date.now(), gateway.clock.now());
  const at = (days: number) => `${new Date(now + days * DAY).toISOString().slice(0, 10)}T09:30`;
  const { id } = await gateway.send({ to: number.e164, send_at: `${at(3)}:00.000Z` });
  const { page } = await webConsole.open(context, { path: '/sent' });
  const row = rowOf(page, number.shown);
  await expect.poll(() => row.textContent()).toMatch(/\w{3},? \d+ \w+, .*30/u);
  await row.click();
  await page.keyboard.press('Escape');
  await row.click();
  await details(page).getByRole('button', { name: 'Change the time' }).click();
  const time = details(page).getByLabel('Send at');
  await expect.poll(() => time.inputValue()).toBe(at(3));
  await time.fill(at(5));
  await expectAccessible(page);
  await details(page).getByRole('button', { name: 'Save the time' }).click();
  await details(page)
    .getByText(/^Moved to another time. It will be sent on/u)
    .waitFor();
  expect((await gateway.fax(id)).send_at).toBe(`${at(5)}:00.000Z`);
  await details(page).getByRole('button', { name: 'Send now' }).click();
  await details(page).getByText('Sent now instead of at the scheduled time.').waitFor();
  // Not on Cancel fax, which one more press of Enter would hit.
  await expect.poll(() => focusOn(page)).toBe('button Add subject or reference');
  await gateway.processAll();
  await expect.poll(() => row.textContent()).toContain('Sending');
});

test('faxes that leave together say when and with which, and one of them is sent now with the others', async (context) => {
  const { gateway } = webConsole;
  const number = nextNumber();
  const contact = { name: 'Laboratory', fax_number: number.e164, send_together_minutes: 60 };
  await gateway.request('POST', '/contacts', { json: contact });
  const first = await gateway.send({ to: number.e164 });
  const second = await gateway.send({ to: number.e164 });
  const { page } = await webConsole.open(context, {
    path: `/sent/${second.id}`,
    prepare: (opened) => opened.clock.setFixedTime(gateway.clock.now()),
  });
  await details(page)
    .getByText(/^Will be sent together with 1 other fax at \d/u)
    .waitFor();
  await expectAccessible(page);
  await details(page).getByRole('button', { name: 'Send now' }).click();
  await details(page).getByText('Sent now instead of at the scheduled time.').waitFor();
  await gateway.processAll();
  await details(page)
    .getByText(/^Sending to Phaxio, in one call with other faxes/u)
    .waitFor();
  await details(page).getByRole('button', { name: 'Fax 1' }).click();
  await expect.poll(() => page.url()).toContain(first.id);
  expect(await gateway.fax(first.id)).toMatchObject({ together: { leaves_at: null, with: [second.id] } });
});

test('the provider is queried at once', async (context) => {
  const number = nextNumber();
  const fax = await sendingFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByText('You can send it again once it has finished.').waitFor();
  webConsole.gateway.emulator.complete(fax.provider_sid ?? '', { cost: 19 });
  await details(page).getByRole('button', { name: 'Ask the provider' }).click();
  await rowOf(page, number.shown).getByText('Delivered').waitFor();
  await details(page).getByText('Delivered: 1 page confirmed.').waitFor();
});

test('a delivered fax is sent again only on the Send screen, where all is filled in as it was sent', async (context) => {
  const { gateway } = webConsole;
  const number = nextNumber();
  await new MailboxPeople(gateway).addMailbox('cardiology', 'Cardiology');
  const answer = await gateway.sendForm(
    { to: number.e164, urgent: 'true', mailbox: 'Cardiology', titles: 'Referral' },
    [textFile('one\ftwo\n')],
  );
  const { id } = (await answer.json()) as Fax;
  await gateway.processAll();
  gateway.emulator.complete((await gateway.fax(id)).provider_sid ?? '', { pages: 2 });
  await gateway.request('POST', `/fax/${id}/refresh`);
  const first = await gateway.fax(id);
  const accepted = await countSent(gateway, number.e164);
  const { page } = await webConsole.open(context, { path: `/sent/${id}` });
  await details(page).getByText('confirmed', { exact: true }).first().waitFor();
  await details(page).getByRole('button', { name: 'Send again' }).dblclick();
  const send = await new SendPage(page).opened();
  await page.getByText(/^This fax was already delivered/u).waitFor();
  await page.getByText('If you send it again, they get it twice.').waitFor();
  await expect.poll(() => send.to.inputValue()).toBe(number.shown);
  await send.row('Referral').getByText('2 pages').waitFor();
  await send.row('Referral').getByText('letter.pdf').waitFor();
  await page.getByRole('button', { name: /^Sent for\s*Cardiology|^Cardiology\s*Sent for/u }).waitFor();
  await page.getByText('Now, by the provider, urgent').waitFor();
  await expect.poll(() => focusOn(page)).toMatch(/To/u);
  await send.drawn();
  await expectAccessible(page);
  expect(await countSent(gateway, number.e164), 'nothing leaves before Send is pressed').toBe(accepted);
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/send\/./u);
  const again = await gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(again).toMatchObject({
    to: number.e164,
    resend_of: id,
    urgent: true,
    mailbox: 'Cardiology',
    titles: ['Referral'],
    document: { pages: 2, sha256: first.document.sha256 },
  });
  await page.getByRole('link', { name: 'Show the first fax' }).click();
  await page.waitForURL(new RegExp(id, 'u'));
});

test('the second press of a double click that comes after the new screen leaves the keyboard where that begins', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await details(page).getByRole('button', { name: 'Send again' }).hover();
  await page.mouse.down();
  await page.mouse.up();
  await new SendPage(page).opened();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect.poll(() => focusOn(page)).toMatch(/To/u);
});

test('a fax goes again to another number, and the draft of before is saved for later', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('+1 503 555 0177');
  await send.add(letter('half-written.txt'));
  // Until the document is there, the number alone is what was saved.
  await expect.poll(() => send.titles()).toEqual(['half-written']);
  await send.kept();
  await page.goto(`/admin/ui/sent/${fax.id}`);
  await details(page).getByText('confirmed', { exact: true }).waitFor();
  await page.keyboard.press('r');
  await send.opened();
  await expect.poll(() => send.titles()).toEqual(['letter']);
  await send.number('+1 503 555 0142');
  await send.form.getByText('No fax was sent to this number before.').waitFor();
  await expect.poll(() => page.getByText('If you send it again, they get it twice.').count()).toBe(0);
  await page.getByRole('textbox', { name: 'Last four digits' }).fill('0142');
  await send.send.click();
  await page.waitForURL(/\/send\/./u);
  const again = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(again).toMatchObject({ to: '+15035550142', resend_of: fax.id });
  await page.keyboard.press('n');
  await send.opened();
  await page.getByRole('button', { name: /^Drafts/u }).click();
  await page.getByText('+1 503 555 0177, half-written').first().waitFor();
});

test('people who may not open the document read that they have to add it, with the rest filled in', async (context) => {
  const number = nextNumber();
  const fax = await deliveredFax(webConsole, number.e164);
  const key = await webConsole.keyWith('fax:read', 'fax:send');
  const { page, complaints } = await webConsole.open(context, { as: { key }, path: `/sent/${fax.id}` });
  complaints.allow('403 GET /fax/');
  await details(page).getByRole('button', { name: 'Send again' }).click();
  const send = await new SendPage(page).opened();
  await page.getByText('The document of this fax could not be loaded. Add it here again.').waitFor();
  await expect.poll(() => send.to.inputValue()).toBe(number.shown);
  await expectAccessible(page);
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
  await expect.poll(() => page.locator('body > div > img').count()).toBe(0);
});

test('a failed fax says why and which pages are confirmed', async (context) => {
  const number = nextNumber();
  const fax = await sendingFax(webConsole, number.e164);
  await endFax(webConsole, fax, 'Busy');
  const { page } = await webConsole.open(context, { path: `/sent/${fax.id}` });
  await rowOf(page, number.shown).getByText('Failed').waitFor();
  await details(page).getByText('not confirmed', { exact: true }).waitFor();
  await expect.poll(() => details(page).getByText('confirmed', { exact: true }).count()).toBe(0);
  await details(page).getByText('Busy.', { exact: true }).waitFor();
  // The provider's own error name is for people who look it up there.
  await expect.poll(() => details(page).getByText('lineError 42').isVisible()).toBe(false);
  await details(page).getByRole('button', { name: 'Details', exact: true }).click();
  await details(page).getByText('lineError 42').waitFor();
  await details(page).getByRole('button', { name: 'Send again' }).waitFor();
  await expectAccessible(page);
});

test('rule (crossings): a late delivery of an earlier attempt is on the screen while the fax goes on and after it is delivered', async (context) => {
  const number = nextNumber();
  const { id, provider_sid: first } = await reroutedFax(webConsole, number.e164);
  await deliverFirst(webConsole, first);
  const known = `Route “One” reported an earlier attempt as delivered later (ID ${first}).`;
  const { page } = await webConsole.open(context, { path: `/send/${id}` });
  await page.getByText(`${known} The fax may arrive twice.`, { exact: true }).first().waitFor();
  for (const sid of [first, (await webConsole.gateway.fax(id)).provider_sid])
    await page.getByText(`Phaxio accepted it (ID ${sid})`, { exact: true }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show in Sent' }).click();
  const warning = details(page).locator('[data-tone="warn"]').filter({ hasText: known });
  await warning.getByText('The fax may arrive twice.').waitFor();
  await endFax(webConsole, await webConsole.gateway.fax(id));
  await warning.getByText('The fax may have arrived twice.').waitFor();
  await rowOf(page, number.shown).getByText('Delivered').waitFor();
  await expectAccessible(page);
});

test('who may only read sees no actions, and no documents without that permission', async (context) => {
  const fax = await deliveredFax(webConsole, nextNumber().e164);
  const key = await webConsole.keyWith('fax:read');
  const { page } = await webConsole.open(context, { as: { key }, path: `/sent/${fax.id}` });
  await details(page).getByText('You do not have permission to open documents.').waitFor();
  await expect.poll(() => details(page).getByRole('button', { name: 'Send again' }).count()).toBe(0);
  await expect.poll(() => details(page).getByRole('button', { name: 'Print' }).count()).toBe(0);
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
  // A clock of twelve hours is longer than the one of this browser.
  const isCut =
    await page.evaluate(`[...document.querySelectorAll('[role=grid] [role=row]')].at(-1).querySelectorAll('[role=gridcell]').values()
    .filter((it) => it.checkVisibility()).toArray().slice(-1).map((it) => ((it.textContent = '12:58 PM'), it.scrollWidth > it.clientWidth))`);
  expect(isCut).toEqual([false]);
  await page.setViewportSize({ width: 720, height: 450 });
  await page.reload();
  await details(page).getByRole('button', { name: 'Send again' }).waitFor();
  await expect.poll(() => page.getByRole('grid').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await rowOf(page, number.shown).waitFor();
});
