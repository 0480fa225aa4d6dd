import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const webConsole = testConsole();

test('pages are left out, turned and moved by keyboard, and the fax sends what the preview shows', async (context) => {
  await markReached(webConsole.gateway, '+12025550142');
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // A preview that is drawn anew ends the one before, whose picture may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter('three.txt', 'one\ftwo\fthree\n'));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await edit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit pages' });
  await dialog.getByRole('button', { name: 'Leave out page 2' }).press('Enter');
  await dialog.getByText('Page 2, left out').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Up: page 3' }).press('Enter');
  await dialog.getByRole('button', { name: 'Turn page 3' }).press('Enter');
  await dialog.getByText('Page 3, turned 90°').waitFor();
  await dialog.getByRole('button', { name: 'Leave out page 1' }).press('Enter');
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
  await dialog.getByRole('button', { name: 'Leave out page 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await send.kept();
  await page.reload();
  await new SendPage(page).opened();
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect
    .poll(async () => {
      const list = await webConsole.gateway.request('GET', '/fax?to=%2B12025550142');
      const { items } = (await list.json()) as { items: Fax[] };
      return items[0] && { pages: items[0].document.pages, edits: items[0].edits };
    })
    .toMatchObject({ pages: 2, edits: { original: { pages: 3 }, turned: 1, moved: true } });
});

/** Share of black dots in a part of the first page of the result. */
async function blackShare(png: Buffer, box: { x: number; y: number; width: number; height: number }) {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  let [black, all] = [0, 0];
  for (let y = Math.ceil(box.y * info.height); y < (box.y + box.height) * info.height; y++)
    for (let x = Math.ceil(box.x * info.width); x < (box.x + box.width) * info.width; x++) {
      all++;
      if ((data[y * info.width + x] ?? 255) < 128) black++;
    }
  return black / all;
}

test('boxes, a text, a check mark and a cut are put on a page by keyboard, changed, removed and undone', async (context) => {
  await markReached(webConsole.gateway, '+12025550143');
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0143');
  await send.add(letter('one.txt', 'one two three\n'.repeat(40)));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await edit.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change page 1' }).press('Enter');
  await page.getByRole('dialog', { name: 'Page 1 of one' }).waitFor();
  const place = dialog.getByRole('button', { name: 'Place on the page' });
  await place.press('Enter');
  const box = dialog.getByRole('button', {
    name: 'Black box 1, 35% from the left, 13% from the top',
    exact: false,
  });
  await box.and(page.locator(':focus')).waitFor();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  for (let i = 0; i < 6; i++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+ArrowRight');
  await dialog
    .getByRole('button', {
      name: 'Black box 1, 25.2% from the left, 12% from the top, 30% wide, 10% high',
      exact: true,
    })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await place.and(page.locator(':focus')).waitFor();
  const drawing = dialog.getByRole('application', { name: 'Page' });
  const widthOf = async () => (await drawing.boundingBox())?.width ?? 0;
  const whole = await widthOf();
  await dialog.getByRole('button', { name: 'Zoom in' }).press('Enter');
  await expect.poll(async () => Math.abs((await widthOf()) - 1.5 * whole)).toBeLessThan(20);
  await dialog.getByText('150%').waitFor();
  await dialog.getByRole('button', { name: 'Zoom out' }).press('Enter');
  await dialog.getByText('100%').waitFor();
  await dialog.getByRole('radio', { name: 'Text' }).press('Space');
  expect(await place.isDisabled()).toBe(true);
  await dialog.getByRole('textbox', { name: 'Text to put on the page' }).fill('Refill approved');
  await place.press('Enter');
  await dialog
    .getByRole('button', { name: /^Text “Refill approved”, 50% from the left.*size 12/u })
    .first()
    .waitFor();
  await dialog.getByRole('radio', { name: 'Check mark' }).press('Space');
  await place.press('Enter');
  await expectAccessible(page);
  await page.keyboard.press('Delete');
  await expect.poll(() => dialog.getByRole('button', { name: /^Check mark 1/u }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
  await dialog
    .getByRole('button', { name: /^Check mark 1/u })
    .first()
    .waitFor();
  await dialog.getByRole('switch', { name: 'Show as it is sent' }).press('Space');
  await dialog.getByRole('img', { name: /page 1/iu }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await send.kept();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect
    .poll(async () => {
      const list = await webConsole.gateway.request('GET', '/fax?to=%2B12025550143');
      const { items } = (await list.json()) as { items: Fax[] };
      return items[0]?.edits;
    })
    .toMatchObject({ redacted: 1, texts: 1, ticks: 1 });
});

test('a box is drawn, dragged and sized by mouse, and the preview is black there and nowhere else', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.add(letter('drawn.txt', 'one\n'));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  await edit.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Change page 1' }).click();
  const sheet = dialog.getByRole('application');
  await sheet
    .getByRole('img')
    .evaluate(async (it: unknown) => (it as { decode: () => Promise<void> }).decode());
  const at = await sheet.boundingBox();
  if (at === null) throw new Error('no page');
  const point = (x: number, y: number) => [at.x + x * at.width, at.y + y * at.height] as const;
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  };
  await drag(point(0.2, 0.2), point(0.4, 0.3));
  await drag(point(0.3, 0.25), point(0.4, 0.35));
  await drag(point(0.499, 0.4), point(0.6, 0.4));
  const item = sheet.locator('[data-item]');
  await expect
    .poll(() => item.getAttribute('aria-label'))
    .toMatch(/^Black box 1, (29\.\d|30|30\.\d)% from the left, (29\.\d|30|30\.\d)% from the top/u);
  await dialog.getByText('Show as it is sent').click();
  await dialog.getByRole('img', { name: /page 1/iu }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const shown = page.waitForRequest((request) => /\/[^/]*\/1\.png/u.test(request.url()));
  await page.reload();
  const bytes = await page.evaluate(async (address) => {
    const answer = await fetch(address);
    return [...new Uint8Array(await answer.arrayBuffer())];
  }, (await shown).url());
  const png = Buffer.from(bytes);
  expect(await blackShare(png, { x: 0.32, y: 0.31, width: 0.15, height: 0.07 })).toBe(1);
  expect(await blackShare(png, { x: 0.1, y: 0.6, width: 0.8, height: 0.3 })).toBe(0);
});

test('chosen pages become a draft of their own or a document of their own, and no page is in both', async (context) => {
  const { page, complaints } = await webConsole.open(context, { path: '/send' });
  // A preview that is drawn anew ends the one before, whose picture may just have been asked for.
  complaints.allow('404 GET /fax/preview/');
  const send = await new SendPage(page).opened();
  await send.add(letter('four.txt', 'one\ftwo\fthree\ffour\n'));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 60_000 }).toBe(true);
  // No frame is drawn for a while: keys that are held for the dialog reach a control of it nonetheless.
  await page.evaluate('window.requestAnimationFrame = () => 0');
  await edit.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Choose page 2' }).press('Space');
  await dialog.getByRole('checkbox', { name: 'Choose page 4' }).press('Space');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send separately' }).press('Enter');
  await dialog.getByText('Page 4, left out').waitFor();
  await dialog.getByRole('checkbox', { name: 'Choose page 3' }).press('Space');
  await dialog.getByRole('button', { name: 'Make own document' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => page.getByRole('row', { name: 'four' }).count()).toBe(2);
  await page.getByRole('button', { name: 'Drafts (1)' }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /four, 2 pages/u })
    .first()
    .press('Enter');
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => page.getByRole('row', { name: 'four' }).count()).toBe(1);
});
