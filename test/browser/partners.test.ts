import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { renderSVG } from 'uqr';
import { expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startFakePartner } from '../setup/fake-partner.ts';
import { DAY } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole();

const grid = (page: Page) => page.getByRole('grid', { name: 'Partners, newest first' });
const details = (page: Page) => page.getByRole('complementary', { name: 'Partner' });
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement?.textContent');

test('a partner is added by its card, gets a code, returns one and is removed', async (context) => {
  const { gateway } = webConsole;
  const partner = await startFakePartner('Riverside Pharmacy', '+12025550143');
  const { page, complaints } = await webConsole.open(context, { path: '/contacts' });
  complaints.allow('404 GET /direct/');
  complaints.allow('409 GET /direct/card');
  complaints.allow('400 POST /direct/peers');
  complaints.allow('503 POST /direct/peers/');
  try {
    await page.getByRole('button', { name: 'Partners' }).click();
    await page.getByText('Direct delivery is off').waitFor();
    await page.getByRole('link', { name: 'Open Settings' }).waitFor();
    await expectAccessible(page);
    await gateway.set({ DIRECT_DELIVERY_ENABLED: true, DIRECT_ALLOW_PRIVATE_PEERS: true });
    await page.reload();
    await page.getByText('The card is not complete').waitFor();
    await gateway.set({
      DIRECT_ORGANIZATION: 'North Clinic',
      DIRECT_FAX_NUMBER: '+12025550101',
      PUBLIC_API_URL: gateway.url,
    });
    await page.reload();
    await page.getByText('No partners yet').waitFor();
    await page.getByRole('button', { name: 'Our card' }).click();
    const card = page.getByRole('dialog', { name: 'Our card' });
    await card.getByRole('img', { name: 'Card as a QR code' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await page.keyboard.press('Shift+N');
    const adding = page.getByRole('dialog', { name: 'Add partner' });
    await adding.getByLabel('Card of the partner').fill('faxdesk-card:nothing');
    await adding.getByRole('button', { name: 'Check card' }).click();
    await adding.getByText('This is not a card of Faxdesk. Copy the whole card.').waitFor();
    await adding.getByLabel('Card of the partner').fill(partner.cardText());
    await adding.getByRole('button', { name: 'Check card' }).click();
    const checked = page.getByRole('dialog', { name: 'Is this the partner?' });
    await checked.getByText('+1 202 555 0143').waitFor();
    await checked.getByText(partner.url).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await details(page).getByRole('heading', { name: 'Riverside Pharmacy' }).waitFor();
    await grid(page)
      .getByRole('row', { name: /Riverside Pharmacy.*\+1 202 555 0143.*Not verified/u })
      .waitFor();
    await expectAccessible(page);

    await details(page).getByRole('button', { name: 'Fax them a code' }).click();
    await page.getByRole('button', { name: 'Fax the code' }).click();
    await details(page).getByText('A code was faxed to them.').waitFor();
    await details(page).getByRole('link', { name: 'Show the fax' }).waitFor();

    await details(page).getByRole('button', { name: 'Type the code that they faxed' }).click();
    const typing = page.getByRole('dialog', { name: 'Code from Riverside Pharmacy' });
    await page.keyboard.type('48213 90576');
    await page.keyboard.press('Enter');
    await typing.getByText('Direct delivery is off at Riverside Pharmacy').waitFor();
    partner.acceptCodes(new Date(gateway.clock.now() + 365 * DAY).toISOString());
    await page.keyboard.press('Enter');
    await typing.waitFor({ state: 'hidden' });
    await details(page).getByText('They checked your number.').waitFor();
    await expectAccessible(page);

    await details(page).getByText('No document has gone directly yet.').waitFor();
    const answer = await gateway.request('GET', '/direct/card');
    const own = (await answer.json()) as { card: { signing_key: string; exchange_key: string } };
    const time = new Date(gateway.clock.now()).toISOString();
    expect(await partner.deliver(gateway.url, own.card, textPdf(1), { time })).toMatchObject({ status: 200 });
    await page.reload();
    const recent = details(page).getByRole('region', { name: 'Last documents' });
    await recent.getByText('Arrived, receipt signed').waitFor();
    expect(await recent.getByRole('link', { name: /^Received / }).getAttribute('href')).toMatch(/\/inbox\//u);
    await expectAccessible(page);

    await details(page).getByRole('button', { name: 'Remove…' }).click();
    await expect.poll(() => focused(page)).toBe('Keep');
    await details(page).getByRole('button', { name: 'Remove partner' }).click();
    await details(page).getByText('You removed this partner.').waitFor();
    await details(page).getByRole('button', { name: 'Add again…' }).waitFor();
  } finally {
    await partner.close();
  }
});

/** A picture of a QR code as a phone takes it: a little turned, on gray, as JPEG. */
async function photoOf(text: string): Promise<Buffer> {
  const svg = renderSVG(text, { ecc: 'L', border: 4 });
  return sharp(Buffer.from(svg))
    .resize(900)
    .rotate(4, { background: '#ddd' })
    .jpeg({ quality: 70 })
    .toBuffer();
}

test('a card is saved as a file, and read from a file, a picture and the camera', async (context) => {
  const { gateway } = webConsole;
  const partner = await startFakePartner('Harbor Imaging', '+12025550144');
  await gateway.set({
    DIRECT_DELIVERY_ENABLED: true,
    DIRECT_ALLOW_PRIVATE_PEERS: true,
    DIRECT_ORGANIZATION: 'North Clinic',
    DIRECT_FAX_NUMBER: '+12025550101',
    PUBLIC_API_URL: gateway.url,
  });
  const photo = await photoOf(partner.cardText());
  const { page } = await webConsole.open(context, { path: '/contacts/partners' });
  const checked = page.getByRole('dialog', { name: 'Is this the partner?' });
  const again = async () => {
    await checked.getByText('Harbor Imaging').waitFor();
    await checked.getByRole('button', { name: 'Another card' }).click();
  };
  try {
    await page.getByRole('button', { name: 'Our card' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save as file' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('faxdesk-card.txt');
    const own = await gateway.request('GET', '/direct/card');
    const { text } = (await own.json()) as { text: string };
    expect((await readFile(await saved.path(), 'utf8')).trim()).toBe(text);
    await page.keyboard.press('Escape');

    // An empty list offers the same button a second time.
    await page.getByRole('button', { name: 'Add partner' }).first().click();
    const adding = page.getByRole('dialog', { name: 'Add partner' });
    const input = adding.getByLabel('File or picture of the card');
    const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    await input.setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank });
    await adding.getByText('There is no card in blank.png.').waitFor();
    await expectAccessible(page);
    await input.setInputFiles({
      name: 'card.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(partner.cardText()),
    });
    await again();
    await input.setInputFiles({ name: 'card.jpg', mimeType: 'image/jpeg', buffer: photo });
    await again();
    await page.evaluate(`(${showToCamera})('data:image/jpeg;base64,${photo.toString('base64')}')`);
    await adding.getByRole('button', { name: 'Scan with the camera' }).press('Enter');
    await again();
    await expect.poll(() => page.evaluate('window.camera.getTracks()[0].readyState')).toBe('ended');
    await page.evaluate(
      'navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotFoundError"); }',
    );
    await adding.getByRole('button', { name: 'Scan with the camera' }).press('Enter');
    await adding.getByText('No camera was found.').waitFor();
    await expectAccessible(page);
  } finally {
    await partner.close();
  }
});

/** Puts a camera that shows this picture in the place of that of the computer. */
const showToCamera = `async (address) => {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  const draw = () => canvas.getContext('2d').drawImage(picture, 0, 0);
  draw();
  setInterval(draw, 100);
  navigator.mediaDevices.getUserMedia = async () => (window.camera = canvas.captureStream(10));
}`;
