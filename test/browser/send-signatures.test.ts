import { expect, test } from 'vitest';
import { signaturePicture, stampPicture } from '../fixtures/signature-picture.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550147';
const webConsole = testConsole({}, ({ gateway }) => markReached(gateway, KNOWN));

test('a signature is added in My settings and put on a page by keyboard alone, and the fax is sent with it', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  await page.getByText('You have no signatures or stamps yet.').waitFor();
  await page.getByRole('button', { name: 'Add signature or stamp…' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add signature' });
  const name = form.getByRole('textbox', { name: 'Short name' });
  await name.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Whole name');
  await expectAccessible(page);
  const chooser = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: 'Choose a picture…' }).press('Enter');
  await (await chooser).setFiles({
    name: 'signed.png',
    mimeType: 'image/png',
    buffer: await signaturePicture(),
  });
  await form.getByRole('img', { name: 'Picture signed.png' }).waitFor();
  await form.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove Whole name' }).waitFor();
  await expectAccessible(page);

  await page.goto('/admin/ui/send');
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0147');
  await send.add(letter('form.txt', 'Please sign below.\n'));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await edit.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change page 1' }).press('Enter');
  await dialog.getByRole('radio', { name: 'Stamp' }).press('Space');
  await dialog.getByText('You have no stamp yet.').waitFor();
  const place = dialog.getByRole('button', { name: 'Place on the page' });
  expect(await place.isDisabled()).toBe(true);
  await dialog.getByRole('radio', { name: 'Signature', exact: true }).press('Space');
  await dialog.getByRole('radio', { name: 'Whole name' }).waitFor();
  await place.press('Enter');
  const item = dialog.getByRole('button', { name: /^Signature 1, 35% from the left/u });
  await item.and(page.locator(':focus')).waitFor();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await dialog
    .getByRole('button', { name: /^Signature 1, 35% from the left.*31% wide/u })
    .first()
    .waitFor();
  await expectAccessible(page);
  await dialog.getByRole('switch', { name: 'Show as it is sent' }).press('Space');
  await dialog.getByRole('img', { name: /page 1/iu }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await send.kept();
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.waitForURL(/\/send\/./u);
  const fax = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(fax.edits).toMatchObject({ signatures: 1, stamps: 0, signed_by: 'Mara Okafor' });

  await page.goto('/admin/ui/my-settings');
  await page.getByRole('button', { name: 'Remove Whole name' }).press('Enter');
  await page.getByText('Remove “Whole name”?').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
  await page.getByText('You have no signatures or stamps yet.').waitFor();
});

test('a signature is drawn and a picture that is none is refused with the reason', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  await page.getByRole('button', { name: 'Add signature or stamp…' }).click();
  const form = page.getByRole('dialog', { name: 'Add signature' });
  await form.getByRole('textbox', { name: 'Short name' }).fill('Initials');
  const pad = form.getByRole('img', { name: 'Drawing area' });
  const { x, y, width, height } = (await pad.boundingBox())!;
  await page.mouse.move(x + width * 0.2, y + height * 0.7);
  await page.mouse.down();
  for (const [right, down] of [
    [0.4, 0.2],
    [0.6, 0.8],
    [0.8, 0.3],
  ] as const)
    await page.mouse.move(x + width * right, y + height * down, { steps: 5 });
  await page.mouse.up();
  await form.getByRole('button', { name: 'Clear' }).click();
  await page.mouse.move(x + width * 0.2, y + height * 0.5);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.8, y + height * 0.5, { steps: 5 });
  await page.mouse.up();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const list = await webConsole.gateway.request('GET', '/desk/signatures');
  expect(list.status).toBe(200);
  await page.getByRole('button', { name: 'Remove Initials' }).waitFor();

  await page.getByRole('button', { name: 'Add signature or stamp…' }).click();
  await form.getByRole('radio', { name: 'Stamp' }).check({ force: true });
  const stampForm = page.getByRole('dialog', { name: 'Add stamp' });
  await stampForm.getByRole('textbox', { name: 'Short name' }).fill('Paid');
  const chooser = page.waitForEvent('filechooser');
  await stampForm.getByRole('button', { name: 'Choose a picture…' }).click();
  await (await chooser).setFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await stampForm.getByText('a.png is not a PNG or JPEG picture. Choose another one.').waitFor();
  const second = page.waitForEvent('filechooser');
  await stampForm.getByRole('button', { name: 'Choose a picture…' }).click();
  await (await second).setFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: await stampPicture() });
  await stampForm.getByRole('img', { name: 'Picture b.jpg' }).waitFor();
  await stampForm.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Remove Paid' }).waitFor();
});
