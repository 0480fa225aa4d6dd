import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { InboundGateway } from '../api/inbound-setup.ts';
import { EncodedPages, KEY, PARTNER, sha256 } from '../api/outbound-encoded-setup.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { arrive, details, openDetails, RECEIVING, viewer } from './inbox-page.ts';
import { letter, SendPage } from './send-page.ts';

const webConsole = testConsole({ settings: RECEIVING });

let pages: Buffer;
let original: string;
beforeAll(async () => {
  const sender = await EncodedPages.start();
  await sender.contact({ encoded_pages: 'encrypted', shared_key: KEY });
  const sent = await sender.sendPages();
  pages = sent.pages;
  original = sent.fax.document.sha256 ?? '';
  await sender.close();
});

/** Takes pictures for people who look at the screens, into the folder that the environment names. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['ENCODED_PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 1024, height: 700 },
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${viewport.width}.png` });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a contact gets encrypted pages with a shared key, which is shown by its fingerprint alone', async (context) => {
  const { page } = await webConsole.open(context, { path: '/contacts' });
  await page.getByText('No contacts yet').waitFor();
  await page.keyboard.press('Shift+N');
  const dialog = page.getByRole('dialog', { name: 'Add contact' });
  await dialog.getByLabel('Name').fill('Orchard Clinic');
  await dialog.getByLabel('Fax number').fill('+1 503 555 0177');
  await dialog.getByRole('button', { name: /Encoded pages/u }).click();
  await page.getByRole('option', { name: 'Yes, encrypted' }).click();
  await dialog.getByText('for exactness and encryption, not for speed', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Encrypted pages need a shared key.').waitFor();
  await dialog.getByLabel('Shared key').fill('short');
  await dialog.getByText('The key is too short.', { exact: false }).waitFor();
  await dialog.getByLabel('Shared key').fill(KEY);
  await picture(page, 'contact-form');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const facts = page.getByRole('complementary', { name: 'Contact' });
  await facts.getByText(/^Fingerprint [0-9a-f]{4} [0-9a-f]{4}$/u).waitFor();
  await picture(page, 'contact-details');
  await page.keyboard.press('e');
  const edit = page.getByRole('dialog', { name: 'Edit Orchard Clinic' });
  await edit.getByText('Stored. Fingerprint').waitFor();
  expect(await edit.innerText()).not.toContain(KEY);
  await edit.getByRole('button', { name: 'Remove' }).click();
  await edit.getByText('Is removed when you save.').waitFor();
  await edit.getByRole('button', { name: 'Keep the stored key' }).click();
  await picture(page, 'contact-edit');
  await expectAccessible(page);
});

test('Send says what encoded pages are for, how many they are, and offers ordinary ones', async (context) => {
  const contact = { name: 'Cedar Imaging', fax_number: '+15035550178', encoded_pages: 'plain' };
  await webConsole.gateway.request('POST', '/contacts', { json: contact });
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.to.fill('+1 503 555 0178');
  await page.getByText('The pages carry the file itself').first().waitFor();
  await page.getByText('not for speed', { exact: false }).first().waitFor();
  await send.add(letter());
  const note = page.getByText(/^1 page, about .* on the line, in place of 1 ordinary page\.$/u);
  await note.waitFor();
  const [, encoded = ''] = /about (.*) on the line/u.exec(await note.innerText()) ?? [];
  const time = page.getByText(/^about /u).locator('b');
  expect(await time.innerText()).toBe(encoded);
  await picture(page, 'send');
  await expectAccessible(page);
  await page.getByText('Send ordinary pages this time').click();
  await page.getByText(/on the line, in place of/u).waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('switch').isChecked()).toBe(true);
  expect(await time.innerText()).not.toBe(encoded);
});

test('Send again keeps ordinary pages, and offers encrypted ones where the contact wants them by now', async (context) => {
  const { gateway } = webConsole;
  const contact = { name: 'Hill Lab', fax_number: '+15035550179', encoded_pages: 'plain' };
  const added = await gateway.request('POST', '/contacts', { json: contact });
  const { id: contactId } = (await added.json()) as { id: string };
  const { id } = await gateway.send({ to: contact.fax_number, page_form: 'ordinary' });
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid));
  gateway.clock.advance(2 * MINUTE);
  await gateway.processAll();
  const { page } = await webConsole.open(context, { path: `/send?resend=${id}` });
  const ordinary = page.getByRole('switch', { name: 'Send ordinary pages this time' });
  await ordinary.waitFor();
  await expect.poll(() => ordinary.isChecked()).toBe(true);
  const encrypted = { version: 1, encoded_pages: 'encrypted', shared_key: KEY };
  await gateway.request('PATCH', `/contacts/${contactId}`, { json: encrypted });
  await page.reload();
  await page.getByText('are sent encrypted only', { exact: false }).first().waitFor();
  await picture(page, 'send-again');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send encrypted pages' }).press('Enter');
  await page.getByText(/on the line, in place of 1 ordinary page\.$/u).waitFor();
});

test('the original of encrypted pages waits for its key and is then downloaded beside the pages', async (context) => {
  await arrive(webConsole, { from: PARTNER, document: pages });
  const [fax] = await new InboundGateway(webConsole.gateway).list();
  const { page } = await webConsole.open(context, { path: `/inbox/${fax?.id}` });
  const notice = viewer(page).getByText('The original file is encrypted');
  await notice.waitFor();
  await picture(page, 'inbox-locked');
  await expectAccessible(page);
  await Promise.all(
    Array.from({ length: 101 }, (_, i) => {
      const json = { name: `Ward ${i}`, fax_number: `+1503555${1000 + i}`, shared_key: `${KEY} ${i}` };
      return webConsole.gateway.request('POST', '/contacts', { json });
    }),
  );
  await viewer(page).getByRole('button', { name: 'Choose a contact…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Try the key of a contact' });
  // More contacts than one list shows.
  await dialog.getByLabel('Search the contacts with a key').fill('ward 99');
  await dialog.getByRole('button', { name: 'Contact' }).click();
  await expect.poll(() => page.getByRole('option').allTextContents()).toHaveLength(1);
  await page.getByRole('option', { name: /^Ward 99/u }).click();
  await dialog.getByRole('button', { name: 'Ward 99 Contact' }).waitFor();
  await dialog.getByLabel('Search the contacts with a key').fill('nobody');
  await dialog.getByText('No contact with a shared key matches.').waitFor();
  await dialog.getByLabel('Search the contacts with a key').fill('');
  await expectAccessible(page);
  await picture(page, 'inbox-choose');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  const contact = { name: 'Mill Valley', fax_number: PARTNER, shared_key: KEY };
  await webConsole.gateway.request('POST', '/contacts', { json: contact });
  await webConsole.gateway.processAll();
  await viewer(page).getByText('The pages carry the original file').waitFor();
  await openDetails(page);
  await details(page).getByText(original).waitFor();
  await picture(page, 'inbox-original');
  await expectAccessible(page);
  const link = viewer(page).getByRole('link', { name: 'Download original letter.pdf' }).first();
  const [saved] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(saved.suggestedFilename()).toBe('letter.pdf');
  const bytes = await readFile(await saved.path());
  expect(sha256(bytes)).toBe(original);
});
