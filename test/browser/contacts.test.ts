import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { callFor, lineSettings } from '../api/outbound-line-setup.ts';
import { startAmiEmulator } from '../setup/emulators/ami/index.ts';
import { needSlapd, READER, READER_PASSWORD } from '../setup/slapd.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, openDetails, rowOf } from './inbox-page.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: { INBOUND_ENABLED: 'true' } });

async function contact(fields: object): Promise<{ id: string; version: number }> {
  const answer = await webConsole.gateway.request('POST', '/contacts', { json: fields });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; version: number };
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Contacts by name' });
const row = (page: Page, name: string | RegExp) => grid(page).getByRole('row', { name });
const details = (page: Page) => page.getByRole('complementary', { name: 'Contact' });

test('the first contact is added, found, changed and removed with the keyboard alone', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/contacts' });
  // The event of the removal may arrive before the answer, and then the contact is requested once more.
  complaints.allow('404 GET /contacts/');
  await page.getByText('No contacts yet').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Shift+N');
  const dialog = page.getByRole('dialog', { name: 'Add contact' });
  await dialog.getByLabel('Name').waitFor();
  await page.keyboard.type('Bridge Pharmacy');
  await page.keyboard.press('Tab');
  await page.keyboard.type('555');
  await page.keyboard.press('Enter');
  await dialog.getByText('This number is incomplete or not valid.').waitFor();
  await dialog.getByLabel('Fax number').fill('(360) 555-0151');
  await dialog.getByText('+1 360 555 0151').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await details(page).getByRole('heading', { name: 'Bridge Pharmacy' }).waitFor();
  await row(page, /Bridge Pharmacy.*\+1 360 555 0151.*Not delivered yet/u).waitFor();
  await expectAccessible(page);

  await page.keyboard.press('e');
  const edit = page.getByRole('dialog', { name: 'Edit Bridge Pharmacy' });
  await edit.getByLabel('Organization').fill('Bridge Group');
  await edit.getByText('Block this number').click();
  await page.keyboard.press('Escape');
  await edit.waitFor({ state: 'hidden' });
  await page.keyboard.press('e');
  await edit.getByLabel('Organization').fill('Bridge Group');
  await page.keyboard.press('Enter');
  await details(page).getByText('Bridge Group').waitFor();
  await details(page).getByRole('button', { name: 'Remove…' }).click();
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Cancel');
  await details(page).getByRole('button', { name: 'Remove the contact' }).click();
  await page.getByText('No contacts yet').waitFor();
  await expect.poll(() => details(page).count()).toBe(0);
});

test('another person’s changes come to the list and to what is typed, and a number has one contact', async (context) => {
  const orchard = await contact({ name: 'Orchard Dental', fax_number: '+15035550133' });
  await contact({ name: 'Cedar Ridge Imaging', fax_number: '+15415550190', blocked: true });
  const { page, complaints } = await webConsole.open(context, { path: `/contacts/${orchard.id}` });
  complaints.allow('409 PATCH /contacts/');
  await details(page).getByRole('heading', { name: 'Orchard Dental' }).waitFor();
  await page.keyboard.press('e');
  const edit = page.getByRole('dialog', { name: 'Edit Orchard Dental' });
  await edit.getByLabel('Fax number').fill('541 555 0190');
  await edit.getByText('Cedar Ridge Imaging has this number.').waitFor();
  await edit.getByRole('button', { name: 'Show that contact' }).waitFor();
  await edit.getByLabel('Fax number').fill('503 555 0134');
  await webConsole.gateway.request('PATCH', `/contacts/${orchard.id}`, {
    json: { name: 'Orchard Dental Care', version: 1 },
  });
  await row(page, /Orchard Dental Care/u).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else changed this contact').waitFor();
  await page.getByRole('button', { name: 'Load their changes' }).click();
  await expect
    .poll(() => page.getByRole('dialog').getByLabel('Name').inputValue())
    .toBe('Orchard Dental Care');
  await page.getByRole('dialog').getByLabel('Fax number').fill('503 555 0134');
  await page.getByRole('button', { name: 'Save' }).click();
  await row(page, /Orchard Dental Care.*\+1 503 555 0134/u).waitFor();
  await page.getByRole('button', { name: 'blocked' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?state=blocked');
  await row(page, /Cedar Ridge Imaging.*Blocked/u).waitFor();
  await expect.poll(() => row(page, /Orchard/u).count()).toBe(0);
});

test('an address book comes in with every line that is left out, and goes out again', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/contacts' });
  complaints.allow('400 POST /contacts/import');
  await contact({ name: 'Known Clinic', fax_number: '+12065550120' });
  await page.getByRole('button', { name: 'Import…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  const csv = 'Name,Fax\nLee Park,206-555-0110\nShort,555\nKnown Clinic North,2065550120\n';
  const choose = async (name: string, text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('no-book.csv', 'a,b\n1,2\n');
  await dialog.getByText('The first line has no column “Fax number”').or(dialog.getByRole('alert')).waitFor();
  await choose('book.csv', csv);
  await dialog.getByText('Lee Park, +1 206 555 0110. New.').waitFor();
  await dialog.getByText('1 contact to add').waitFor();
  await dialog.getByText('"555" is not a complete fax number.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /Contacts that already exist/u }).click();
  await page.getByRole('option', { name: 'Update them from the file' }).click();
  await dialog.getByText('1 contact to update').waitFor();
  await dialog.getByText('Known Clinic North, +1 206 555 0120. Changes name.').waitFor();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText('1 added, 1 updated.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await row(page, /Known Clinic North/u).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export', exact: true }).click();
  expect((await coming).suggestedFilename()).toBe('contacts.csv');
});

test('a name that is typed on the send screen becomes its number, and a blocked one cannot be sent to', async (context) => {
  await contact({ name: 'Mill Valley Cardiology', organization: 'Mill Group', fax_number: '+19715550183' });
  await contact({ name: 'Millstone Pharmacy', fax_number: '+15035550126', blocked: true });
  const { page } = await webConsole.open(context, { path: '/send' });
  const to = page.getByRole('combobox', { name: 'To' });
  // Opened while there is nothing to show yet.
  await to.click();
  await page.keyboard.type('mill');
  const options = page.getByRole('option');
  await expect.poll(() => options.count()).toBe(2);
  await options.nth(1).getByText('Blocked').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => to.inputValue()).toBe('+1 971 555 0183');
  await expect.poll(() => options.count()).toBe(0);
  await page.getByText('Mill Valley Cardiology ·').waitFor();
  await expect.poll(() => page.getByText('Retype the last four digits').count()).toBe(0);
  await to.fill('503 555 0126');
  await page
    .getByRole('region', { name: 'New fax' })
    .getByText('Faxes to this number are blocked in the contacts.')
    .waitFor();
  await page.getByText('This number is blocked').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => options.count()).toBe(0);
  await expectAccessible(page);
  await to.fill('nobody at all');
  await page.getByText('Choose a contact, or enter a fax number.').waitFor();
});

test('a fax to a contact is begun from it, in the draft with its documents, unless its number is blocked', async (context) => {
  await contact({ name: 'Harbor Freight', fax_number: '+12065550142' });
  await contact({ name: 'Harbor Freight North', fax_number: '+12065550143', blocked: true });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter());
  await page.getByRole('link', { name: 'Contacts' }).click();
  await row(page, /Harbor Freight North/u).click();
  await details(page).getByText('No fax can be sent to this number.').waitFor();
  await expect.poll(() => details(page).getByRole('button', { name: 'New fax' }).count()).toBe(0);
  await row(page, /^Harbor Freight [+]/u).click();
  await details(page).getByRole('button', { name: 'New fax' }).click();
  await expect.poll(() => send.to.inputValue()).toBe('+1 206 555 0142');
  await page.getByText('Harbor Freight ·').waitFor();
  await page.getByText('letter.txt').first().waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

test('the name stands on received and sent faxes, and a number is saved as a contact from there', async (context) => {
  const { gateway } = webConsole;
  await arrive(webConsole, { from: '+13605550141', pages: 1 });
  const { page } = await webConsole.open(context, { path: '/inbox' });
  await rowOf(page, '+1 360 555 0141').click();
  await openDetails(page);
  await page.getByRole('button', { name: 'Save as contact…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as contact' });
  await expect.poll(() => dialog.getByLabel('Fax number').inputValue()).toBe('+1 360 555 0141');
  await dialog.getByLabel('Name').fill('Lakeside Family Medicine');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Lakeside Family Medicine' }).waitFor();
  await page.getByRole('grid').getByText('Lakeside Family Medicine').waitFor();
  await page.getByRole('link', { name: 'Show the contact' }).click();
  await details(page).getByRole('heading', { name: 'Lakeside Family Medicine' }).waitFor();
  const fax = await gateway.send({ to: '+13605550141' });
  await page.goto(`/admin/ui/sent/${fax.id}`);
  await page.getByRole('heading', { name: 'Lakeside Family Medicine' }).waitFor();
  await page.getByRole('link', { name: 'Show the contact' }).waitFor();
});

test('a contact says how its number is called since earlier calls taught it, until that is forgotten', async (context) => {
  const { gateway } = webConsole;
  const engine = await startAmiEmulator(() => gateway.clock.now());
  context.onTestFinished(() => engine.close());
  const to = '+13605550162';
  const { id } = await contact({ name: 'Fir Street Dental', fax_number: to });
  const { page } = await webConsole.open(context, { path: `/contacts/${id}` });
  await details(page).getByRole('heading', { name: 'Fir Street Dental' }).waitFor();
  const learned = details(page).getByRole('region', { name: 'Phone line' });
  await expect.poll(() => learned.count()).toBe(0);
  await gateway.set({ ...lineSettings(engine), TELEPHONY_PORT: engine.port });
  const { call } = await callFor({ gateway, engine }, to);
  engine.deliver(call, { mode: 'audio' });
  // Heard while the contact is open.
  await learned.getByText('Calls use audio, without T.38.').waitFor();
  await learned.getByText(/^Starting .+, calls use the best settings again\.$/u).waitFor();
  await expectAccessible(page);
  await learned.getByRole('button', { name: 'Reset to the best settings' }).click();
  await learned.waitFor({ state: 'detached' });
  await page
    .getByText('The settings were reset. The next call uses the best ones.')
    .waitFor({ state: 'attached' });
  await page.goto('/admin/ui/send');
  await page.getByRole('combobox', { name: 'To' }).fill('360 555 0162');
  await page.getByText('Now, by the phone line, normal priority').waitFor();
  await gateway.set({ FAX_BACKEND: 'cloudone' });
});

test('a contact says how each route did to its number, and which one is best and why', async (context) => {
  const { gateway } = webConsole;
  const { id } = await contact({ name: 'Harbor Imaging', fax_number: '+12025550144' });
  const { page } = await webConsole.open(context, { path: `/contacts/${id}` });
  const routes = details(page).getByRole('region', { name: 'Routes in the last 90 days' });
  await details(page).getByRole('heading', { name: 'Harbor Imaging' }).waitFor();
  expect(await routes.count()).toBe(0);
  await markReached(gateway, '+12025550144');
  await page.reload();
  await routes.getByText('Phaxio delivered 1 of 1 in 30 days').waitFor();
  expect(await routes.getByRole('listitem').count()).toBe(0);
  const route = { name: 'Second account', backend: 'cloudone', prefixes: ['+1202'] };
  expect((await gateway.request('POST', '/routing/routes', { json: route })).status).toBe(201);
  await markReached(gateway, '+12025550144');
  await page.reload();
  await routes.getByText(/^Phaxio: 1 delivered, .*\$0\.07 a page$/u).waitFor();
  await routes.getByText(/^Second account: 1 delivered, .*\$0\.07 a page$/u).waitFor();
  await expectAccessible(page);
});

test('contacts of a tag are listed, and a contact is shown to the people of a mailbox alone', async (context) => {
  const { gateway } = webConsole;
  const { policy_version } = (await (await gateway.request('GET', '/auth/me')).json()) as {
    policy_version: number;
  };
  const json = { label: 'Laboratory', expected_policy_version: policy_version };
  expect((await gateway.request('POST', '/access/mailboxes', { json })).status).toBe(200);
  await contact({ name: 'Tagged Clinic', fax_number: '+12025550171', tags: ['Cardiology'] });
  const { id } = await contact({ name: 'Other Clinic', fax_number: '+12025550172', opted_out: true });
  const { page } = await webConsole.open(context, { path: '/contacts' });
  await page.getByRole('button', { name: 'tag', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Cardiology (1)' }).click();
  await row(page, /Tagged Clinic/u).waitFor();
  await expect.poll(() => row(page, /Other Clinic/u).count()).toBe(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'no faxes wanted' }).click();
  await row(page, /Other Clinic.*No faxes wanted/u).click();
  await details(page).getByRole('heading', { name: 'Other Clinic' }).waitFor();
  // A narrow window with open details cuts no title.
  await page.setViewportSize({ width: 1024, height: 700 });
  const isCut = () =>
    page.evaluate(
      '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector("h1"))',
    );
  await expect.poll(isCut).toBe(false);
  await page.keyboard.press('e');
  const edit = page.getByRole('dialog', { name: 'Edit Other Clinic' });
  await edit.getByRole('button', { name: /Seen by/u }).click();
  await page.getByRole('option', { name: 'People of Laboratory' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await details(page).getByText('People of Laboratory').waitFor();
  expect(await (await gateway.request('GET', `/contacts/${id}`)).json()).toMatchObject({
    owner_mailbox: 'Laboratory',
  });
});

test('a number goes on the opt-out list and off it again with the keyboard alone', async (context) => {
  await contact({ name: 'Harbor Clinic', fax_number: '+12025550181', opted_out: true });
  const { page, complaints } = await webConsole.open(context, { path: '/contacts' });
  complaints.allow('400 POST /contacts/opt-outs');
  await page.getByRole('button', { name: 'Opt-out list' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Opt-out list' });
  await dialog.getByText('Harbor Clinic · the contact opted out').waitFor();
  await expect.poll(() => dialog.getByLabel('Fax number').evaluate((it) => it.matches(':focus'))).toBe(true);
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await dialog.getByText('That fax number is incomplete or not valid.').waitFor();
  await dialog.getByLabel('Fax number').fill('(202) 555-0182');
  await page.keyboard.press('Tab');
  await page.keyboard.type('By phone');
  await page.keyboard.press('Enter');
  await dialog.getByText(/added by .+ · By phone/u).waitFor();
  await expectAccessible(page);
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Add the numbers of a CSV file' }).press('Enter');
  const csv = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('Fax\n+12025550183\n12\n') };
  await (await chooser).setFiles([csv]);
  await dialog.getByText('Line 3: “12” is no complete fax number.').waitFor();
  await dialog.getByPlaceholder('Find a number').fill('0182');
  await expect.poll(() => dialog.getByRole('listitem').filter({ hasText: '0183' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Take off… +1 202 555 0182' }).press('Enter');
  await dialog.getByRole('button', { name: 'Yes, take it off' }).press('Enter');
  await dialog.getByText('No number on the list matches.').waitFor();
  await page.setViewportSize({ width: 1024, height: 700 });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
});

test('two contacts are merged by keyboard after what they become is shown', async (context) => {
  const kept = await contact({ name: 'Elm Clinic', fax_number: '+16175550111', tags: ['cardiology'] });
  await contact({ name: 'Elm Street Clinic', fax_number: '+16175550112', tags: ['north'], blocked: true });
  const { page } = await webConsole.open(context, { path: `/contacts/${kept.id}` });
  await details(page).getByRole('button', { name: 'Merge…' }).press('Enter');
  const choosing = page.getByRole('dialog', { name: 'Merge another contact into Elm Clinic' });
  await choosing.getByRole('textbox', { name: 'Other contact' }).waitFor();
  await page.keyboard.type('elm');
  const found = choosing.getByRole('button', { name: 'Elm Street Clinic' });
  await found.waitFor();
  // A found contact can be chosen while the answer to the next letters is on its way.
  const isAnswered = Promise.withResolvers<void>();
  await page.route('**/contacts?q=elm+s*', (route) => isAnswered.promise.then(() => route.fallback()));
  const isAsked = page.waitForRequest('**/contacts?q=elm+street*');
  await page.keyboard.type(' street');
  await isAsked;
  await found.press('Enter');
  const result = page.getByRole('dialog', { name: 'What Elm Clinic becomes' });
  await result.getByText('+1 617 555 0112 (new)').waitFor();
  isAnswered.resolve();
  await result.getByText(/cardiology/u).waitFor();
  await result.getByText(/It is blocked afterwards/u).waitFor();
  await result.getByText(/you cannot undo this/u).waitFor();
  await expectAccessible(page);
  expect((await webConsole.gateway.request('GET', `/contacts/${kept.id}`)).status).toBe(200);
  await result.getByRole('button', { name: 'Merge them' }).press('Enter');
  await result.waitFor({ state: 'detached' });
  await details(page).getByText('+1 617 555 0112').waitFor();
  await expect.poll(() => row(page, /Elm Street/u).count()).toBe(0);
});

test('the office directory is searched by keyboard on Contacts and on Send', async (context) => {
  const server = await needSlapd(context);
  try {
    await server.add({
      id: 'Nora Quist',
      attributes: {
        o: 'Harbor Radiology',
        facsimileTelephoneNumber: '(503) 555-0188',
        telephoneNumber: '503 555 0187',
      },
    });
    await webConsole.gateway.set({
      DIRECTORY_URL: server.url,
      DIRECTORY_USER: READER,
      DIRECTORY_PASSWORD: READER_PASSWORD,
    });
    const { page, complaints } = await webConsole.open(context, { path: '/contacts' });
    await page.getByRole('button', { name: 'Office directory' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Office directory' });
    await dialog.getByLabel('Name, organization or fax number').waitFor();
    await page.keyboard.type('nora harbor');
    await dialog.getByText('1 entry found').waitFor();
    await dialog.getByText('+1 503 555 0188 · Harbor Radiology').waitFor();
    await expectAccessible(page);
    // An entry that nothing matches, and a server that is away.
    await dialog.getByLabel('Name, organization or fax number').fill('nothing like it');
    await dialog.getByText('Nobody in the office directory matches.').waitFor();
    await dialog.getByLabel('Name, organization or fax number').fill('nora');
    await dialog.getByRole('button', { name: 'Add contact Nora Quist' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Save as contact' });
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Nora Quist');
    await expect.poll(() => form.getByLabel('Organization').inputValue()).toBe('Harbor Radiology');
    await form.getByLabel('Name').press('Escape');
    await dialog.getByLabel('Name, organization or fax number').waitFor();
    await page.keyboard.press('Escape');

    const send = await webConsole.open(context, { path: '/send' });
    await send.page.getByLabel('To', { exact: true }).fill('quist');
    const option = send.page.getByRole('option', { name: /Nora Quist.*Office directory/u });
    await option.waitFor();
    await send.page.keyboard.press('Enter');
    await expect.poll(() => send.page.getByLabel('To', { exact: true }).inputValue()).toContain('503');

    await server.stop();
    for (const window of [complaints, send.complaints]) window.allow('503 GET /contacts/directory');
    await page.getByRole('button', { name: 'Office directory' }).click();
    await dialog.getByLabel('Name, organization or fax number').fill('someone');
    await dialog.getByText(/^127\.0\.0\.1 refuses connections on port/u).waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).waitFor();
  } finally {
    await webConsole.gateway.set({ DIRECTORY_URL: null, DIRECTORY_USER: null, DIRECTORY_PASSWORD: null });
    await server.close();
  }
});
