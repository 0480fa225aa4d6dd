import { expect, test } from 'vitest';
import { ImportsGateway, manifestOf } from '../api/imports-setup.ts';
import { ONE_PAGE } from '../api/inbound-setup.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { expectAccessible, testConsole } from './console.ts';
import { BRIDGE } from './desktop-bridge.ts';
import { finalPosition } from './final-position.ts';
import {
  arrive,
  details,
  list,
  nextSender,
  openDetails,
  RECEIVING,
  rowOf,
  shownPage,
  unreadIn,
  viewer,
} from './inbox-page.ts';
import { colleague, itemFrom, stateRegion } from './work-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

const PRINTED = `window.print = () => {
  window.printed = document.querySelectorAll('body > [class*="sheets"] img').length;
  window.dispatchEvent(new Event('afterprint'));
}`;

test('rule (screens): a received fax is handled by keyboard alone, and its screen passes axe in light and dark', async (context) => {
  const earlier = nextSender();
  await arrive(webConsole, { from: earlier.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await page.evaluate(PRINTED);
  await rowOf(page, earlier.shown).waitFor();
  const unread = () => unreadIn(page);
  await expect.poll(unread).toBeGreaterThan(0);
  const before = await unread();
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 3 });
  const row = rowOf(page, sender.shown);
  await expect.poll(() => row.textContent()).toMatch(/Unread.*3 pages/u);
  await page.getByText(`A fax from ${sender.shown} arrived, 3 pages.`).waitFor({ state: 'attached' });
  await expect.poll(unread).toBe(before + 1);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const picture = await shownPage(page);
  await expect.poll(() => row.textContent()).not.toContain('Unread');
  await expect.poll(unread).toBe(before);
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
    .toBe('Page 1 of 3');
  await page.keyboard.press('PageDown');
  await viewer(page).getByRole('group', { name: 'Page 2 of 3' }).waitFor();
  await shownPage(page);
  const isUpright = async () => {
    const place = await (await shownPage(page)).boundingBox();
    return place && place.height > place.width;
  };
  await expect.poll(isUpright).toBe(true);
  await page.keyboard.press('r');
  await expect.poll(isUpright).toBe(false);
  await expectAccessible(page);
  await page.keyboard.press('p');
  await expect.poll(() => page.evaluate('window.printed')).toBe(3);
  await page.keyboard.press('Shift+U');
  await expect.poll(() => row.textContent()).toContain('Unread');
  await expect.poll(unread).toBe(before + 1);
  await openDetails(page);
  await details(page).getByText('Unread', { exact: true }).waitFor();
  await details(page)
    .getByText(/, by Phaxio$/u)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'No fax selected' }).waitFor();
  await picture.waitFor({ state: 'detached' });
});

test('an imported document names the system it came from, and what came later under its operation ID', async (context) => {
  const imports = new ImportsGateway(webConsole.gateway);
  const told = { source_system: 'Lab bridge', source_received_at: '2026-11-20T09:30:00Z', pages: 4 };
  const manifest = manifestOf({ ...told, operation_id: 'Result 17' });
  await imports.imported(manifest);
  expect((await imports.import(manifest, ONE_PAGE)).status).toBe(409);
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const row = rowOf(page, 'Lab bridge');
  await expect.poll(() => row.textContent()).toMatch(/Unknown number.*Pages may be missing/u);
  await row.click();
  await viewer(page).getByRole('heading', { name: 'Lab bridge' }).waitFor();
  await shownPage(page);
  await openDetails(page);
  for (const text of [
    /, from Lab bridge$/u,
    'Result 17',
    'By the API key or sign-in it was imported with',
    'Another document arrived with the same operation ID',
    'The document was imported from Lab bridge. Its operation ID there is Result 17.',
    'The document was checked and stored. Pages may be missing: Lab bridge counted 4 pages, but only 2 arrived.',
  ])
    await details(page).getByText(text, { exact: true }).waitFor();
  await expect.poll(() => details(page).textContent()).toMatch(/Received there.*2026/u);
  await expectAccessible(page);
});

test('j and k read one fax after the other; the next one is drawn already, and nobody has got it', async (context) => {
  const [first, second] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: second.e164 });
  await arrive(webConsole, { from: first.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const asked: [method: string, url: string][] = [];
  page.on('request', (request) => {
    if (request.url().includes('.png')) asked.push([request.method(), request.url()]);
  });
  await rowOf(page, first.shown).click();
  await shownPage(page);
  const { id } = (
    await webConsole.gateway
      .request('GET', `/inbound?from_number=${encodeURIComponent(second.e164)}`)
      .then((answer) => answer.json() as Promise<[{ id: string }]>)
  )[0];
  await expect.poll(() => asked.some(([, url]) => url.includes(`/inbound/${id}/pages/1.png`))).toBe(true);
  const before = asked.splice(0);
  await page.keyboard.press('j');
  await viewer(page).getByRole('heading', { name: second.shown }).waitFor();
  const picture = await shownPage(page);
  const address = (await picture.getAttribute('data-src')) ?? '?';
  const methods = (list: typeof asked) => list.filter(([, url]) => url.endsWith(address)).map(([how]) => how);
  expect([methods(before), methods(asked)]).toEqual([['HEAD'], ['GET']]);
  await page.keyboard.press('k');
  await viewer(page).getByRole('heading', { name: first.shown }).waitFor();
});

test('the keys of the work queue work on the fax that is open, and rows say who owns it and how it stands', async (context) => {
  await colleague(webConsole, 'Jonas Tveit');
  const [first, second, third] = [nextSender(), nextSender(), nextSender()];
  for (const { e164 } of [third, second, first]) await arrive(webConsole, { from: e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const row = ({ shown }: { shown: string }) => expect.poll(() => rowOf(page, shown).textContent());
  const open = ({ shown }: { shown: string }) =>
    viewer(page).getByRole('heading', { level: 2, name: shown }).waitFor();
  await row(first).toContain('Waiting for an owner');
  await rowOf(page, first.shown).click();
  await open(first);
  await stateRegion(page).getByText('Nobody').waitFor();
  await page.keyboard.press('o');
  await stateRegion(page)
    .getByRole('button', { name: /^Acknowledge/u })
    .waitFor();
  await row(first).toContain('Assigned');
  await page.keyboard.press('e');
  await row(first).toContain('Acknowledged');
  await open(first);
  await page.keyboard.press('j');
  await open(second);
  await stateRegion(page).getByText('Nobody').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Assign to' }).waitFor();
  await page.keyboard.type('jt');
  await page.keyboard.press('Enter');
  await open(third);
  await row(second).toContain('Assigned');
  await rowOf(page, second.shown).getByRole('img', { name: 'Jonas Tveit' }).waitFor();
  await page.keyboard.press('d');
  await page.getByRole('textbox', { name: 'Note when done' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.type('Filed.');
  await page.keyboard.press('Enter');
  await row(third).toContain('Done');
  await page.keyboard.press('u');
  await row(third).toContain('Waiting for an owner');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Shortcuts on this screen' });
  for (const name of ['Take it', 'Assign it to a person', 'Mark as unread'])
    await help.getByText(name).waitFor();
});

test('a change that is refused while the next fax is open already leads back, with what was typed', async (context) => {
  const other = await colleague(webConsole, 'Nils Aas');
  const [first, second] = [nextSender(), nextSender()];
  for (const { e164 } of [second, first]) await arrive(webConsole, { from: e164 });
  const { page, complaints } = await webConsole.open(context, { path: '/inbox' });
  complaints.allow('409 ');
  const { id, version } = await itemFrom(webConsole, first.shown);
  const { promise: isHeld, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/work/${id}/done`, async (route) => {
    await isHeld;
    await route.continue();
  });
  await rowOf(page, first.shown).click();
  await stateRegion(page).getByText('Nobody').waitFor();
  await page.keyboard.press('d');
  await page.keyboard.type('Filed.');
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('heading', { level: 2, name: second.shown }).waitFor();
  await expect.poll(() => rowOf(page, first.shown).textContent()).toContain('Marking as done…');
  const json = { principal_id: other.id, version };
  expect((await webConsole.gateway.request('POST', `/work/${id}/assign`, { json })).status).toBe(200);
  answer();
  await viewer(page).getByRole('heading', { level: 2, name: first.shown }).waitFor();
  await page
    .getByText(/^Installation key assigned this fax to Nils Aas (?:.* )?at \d.* Mark it as done anyway\?$/u)
    .waitFor();
  const note = page.getByRole('textbox', { name: 'Note when done' });
  await expect.poll(() => note.inputValue()).toBe('Filed.');
  await note.and(page.locator(':focus')).waitFor();
  await note.press('Enter');
  await expect.poll(async () => (await itemFrom(webConsole, first.shown)).state_key).toBe('done');
});

test('a fax that comes in while the list is read again stands in it', async (context) => {
  const [earlier, sender] = [nextSender(), nextSender()];
  await arrive(webConsole, { from: nextSender().e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  const unread = () => unreadIn(page);
  await expect.poll(unread).toBeGreaterThan(0);
  const before = await unread();
  await arrive(webConsole, { from: earlier.e164 });
  await expect.poll(unread).toBe(before + 1);
  await rowOf(page, earlier.shown).waitFor();
  await page.keyboard.press('Alt+1');
  await page.getByRole('heading', { level: 1, name: 'New fax' }).waitFor();
  const answered = Promise.withResolvers<void>();
  const isOld = Promise.withResolvers<void>();
  await page.route(/\/inbound\/page\?/u, async (route) => {
    const response = await route.fetch();
    answered.resolve();
    await isOld.promise;
    await route.fulfill({ response });
  });
  await page.keyboard.press('Alt+2');
  await answered.promise;
  await arrive(webConsole, { from: sender.e164 });
  await expect.poll(unread).toBe(before + 2);
  const arrived = page.waitForResponse(/\/inbound\/page\?/u);
  isOld.resolve();
  await arrived;
  await rowOf(page, earlier.shown).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await rowOf(page, sender.shown).waitFor();
});

test('what is read stays where it is while faxes come in', async (context) => {
  for (let count = 0; count < 14; count += 1) await arrive(webConsole, { from: nextSender().e164 });
  const { page } = await webConsole.open(context, { path: '/inbox', viewport: { width: 1024, height: 500 } });
  await list(page).getByRole('row').nth(8).waitFor();
  await page.keyboard.press('j');
  for (let count = 0; count < 9; count += 1) await page.keyboard.press('ArrowDown');
  const read = list(page).locator('[role=row][data-active]');
  const [before, text] = [await finalPosition(read), await read.textContent()];
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  await page.getByText(`A fax from ${sender.shown} arrived, 1 page.`).waitFor({ state: 'attached' });
  expect(await finalPosition(read)).toEqual(before);
  await expect.poll(async () => (await read.textContent())?.slice(0, 20)).toBe(text?.slice(0, 20));
});

test('the desktop window counts new faxes in the tray and shows a notice without the sender', async (context) => {
  const { page } = await webConsole.open(context, {
    path: '/sent',
    script: BRIDGE,
  });
  await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
  const tray = () => page.evaluate('noted.tray') as Promise<{ state: string; newFaxes: number }>;
  await expect.poll(async () => (await tray()).state).toBe('new');
  const { newFaxes } = await tray();
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164, pages: 2 });
  const notices = () => page.evaluate('noted.notices');
  await expect.poll(notices).toEqual([expect.objectContaining({ title: 'New fax', body: '2 pages' })]);
  expect(JSON.stringify(await notices())).not.toContain(sender.e164.slice(-4));
  await expect.poll(async () => (await tray()).newFaxes).toBe(newFaxes + 1);
  await page.evaluate('noted.command({ open: noted.notices[0].open })');
  await viewer(page).getByRole('heading', { name: sender.shown }).waitFor();
  await expect.poll(async () => (await tray()).newFaxes).toBe(newFaxes);
  const broken = { from: nextSender().e164, pages: 3, notification: { fax: { num_pages: 5 } } };
  await arrive(webConsole, broken);
  await expect
    .poll(notices)
    .toContainEqual(expect.objectContaining({ title: 'New fax', body: '3 pages; more may be missing' }));
});

test('a request to the sender of a fax that may lack pages is filled in, and an earlier draft is kept', async (context) => {
  const sender = nextSender();
  const notification = { fax: { num_pages: 5 } };
  await arrive(webConsole, { from: sender.e164, pages: 3, notification });
  const { page } = await webConsole.open(context, { path: '/send' });
  await page.getByRole('combobox', { name: 'To' }).fill('+1 202 555 0142');
  await page.getByRole('link', { name: /^Inbox/u }).click();
  await rowOf(page, sender.shown).getByText('Pages may be missing').click();
  const problem = 'Pages may be missing: Phaxio counted 5 pages, but only 3 arrived.';
  await viewer(page).getByText(problem).waitFor();
  await openDetails(page);
  await details(page).getByText(problem).first().waitFor();
  await expectAccessible(page);
  const sentBefore = await webConsole.gateway.request('GET', '/fax').then((answer) => answer.text());
  await viewer(page).getByRole('button', { name: 'Ask the sender again' }).click();
  await expect.poll(() => page.getByRole('combobox', { name: 'To' }).inputValue()).toBe(sender.shown);
  await page.getByText('Please send your fax again', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Drafts (1)' }).waitFor();
  const sentAfter = await webConsole.gateway.request('GET', '/fax').then((answer) => answer.text());
  expect(sentAfter).toBe(sentBefore);
});

test('there is no request to the sender while their number is unknown', async (context) => {
  const mark = nextSender();
  const notification = { fax: { num_pages: 2, from_number: null } };
  await arrive(webConsole, { from: mark.e164, to: '+12025550178', notification });
  const { page } = await webConsole.open(context, { path: '/inbox?q=2025550178' });
  await rowOf(page, 'Unknown number').click();
  await viewer(page).getByText('The sender’s number is unknown').waitFor();
  expect(await viewer(page).getByRole('button', { name: 'Ask the sender again' }).isDisabled()).toBe(true);
});

test('a fax in no mailbox is moved to one from its details', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('ward', 'Ward');
  const sender = nextSender();
  await arrive(webConsole, { from: sender.e164 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, sender.shown).click();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await openDetails(page);
  await details(page).getByText('This fax is in no mailbox').waitFor();
  await details(page).getByRole('button', { name: 'To mailbox' }).click();
  await page.getByRole('option', { name: 'Ward' }).click();
  await expectAccessible(page);
  await details(page).getByRole('button', { name: 'Move', exact: true }).click();
  await details(page)
    .getByText(/ moved the fax from no mailbox to Ward\.$/u)
    .first()
    .waitFor();
  await details(page).getByText('This fax is in no mailbox').waitFor({ state: 'detached' });
  await rowOf(page, sender.shown).getByText('Ward').waitFor();
});

test('the number rules are applied to older faxes from the mailboxes', async (context) => {
  const people = new MailboxPeople(webConsole.gateway);
  await people.addMailbox('refills', 'Refills');
  await arrive(webConsole, { from: nextSender().e164, to: '+12025550177' });
  await people.addRule('+12025550177', 'refills');
  const { page } = await webConsole.open(context, { path: '/access/mailboxes' });
  await page.getByRole('button', { name: 'Apply to older faxes' }).click();
  await page.getByText(/^Moved: 1\. Without a mailbox/u).waitFor();
  await expectAccessible(page);
});

test('a fax counts as read after a while in view or an action on it, not while somebody skims', async (context) => {
  const senders = [nextSender(), nextSender(), nextSender()] as const;
  for (const { e164 } of senders.toReversed()) await arrive(webConsole, { from: e164 });
  const { page } = await webConsole.open(context, {
    path: '/inbox',
    prepare: (it) => it.clock.install(),
  });
  const [skimmed, read, printed] = senders.map(({ shown }) => rowOf(page, shown));
  await printed?.waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  const open = async (sender: { shown: string }) => {
    await page.keyboard.press('j');
    await viewer(page).getByRole('heading', { level: 2, name: sender.shown }).waitFor();
  };
  await page.keyboard.press('j');
  await skimmed?.click();
  await viewer(page).getByRole('heading', { level: 2, name: senders[0].shown }).waitFor();
  await page.clock.runFor(1_400);
  await open(senders[1]);
  // Its time begins with its pages, which a busy computer shows after its name.
  const textAfterWhile = async () => {
    await page.clock.runFor(1_600);
    return read?.textContent();
  };
  await expect.poll(textAfterWhile).not.toContain('Unread');
  await expect.poll(() => skimmed?.textContent()).toContain('Unread');
  await open(senders[2]);
  await page.keyboard.press('r');
  await expect.poll(() => printed?.textContent()).not.toContain('Unread');
});

test('where reading is shared, what one person read is read for the next', async (context) => {
  const sender = nextSender();
  const earlier = nextSender();
  await arrive(webConsole, { from: earlier.e164 });
  await arrive(webConsole, { from: sender.e164 });
  const key = await webConsole.keyWith('inbound:list', 'inbound:read', 'inbound:document');
  const { page: other } = await webConsole.open(context, { path: '/inbox', as: { key } });
  await expect.poll(() => rowOf(other, sender.shown).textContent()).toContain('Unread');
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, earlier.shown).click();
  await expect.poll(() => rowOf(page, earlier.shown).textContent()).not.toContain('Unread');
  await expect
    .poll(() => rowOf(other, earlier.shown).textContent(), { message: 'reading is personal' })
    .toContain('Unread');
  await webConsole.gateway.set({ INBOUND_READING: 'shared' });
  await expect.poll(() => rowOf(other, earlier.shown).textContent()).not.toContain('Unread');
  await rowOf(page, sender.shown).click();
  await expect.poll(() => rowOf(page, sender.shown).textContent()).not.toContain('Unread');
  await expect.poll(() => rowOf(other, sender.shown).textContent()).not.toContain('Unread');
  await rowOf(other, sender.shown).click();
  await openDetails(other);
  await details(other)
    .getByText(/^Mara Okafor read it/u)
    .waitFor();
  await webConsole.gateway.set({ INBOUND_READING: null });
});
