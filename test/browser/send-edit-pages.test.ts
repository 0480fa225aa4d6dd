import { expect, test } from 'vitest';
import type { Fax } from '../setup/gateway.ts';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const webConsole = testConsole();

test('pages are left out, turned and moved by keyboard, and the fax sends what the preview shows', async (context) => {
  await markReached(webConsole.gateway, '+12025550142');
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter('three.txt', 'one\ftwo\fthree\n'));
  const edit = page.getByRole('button', { name: 'Edit pages' });
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 20_000 }).toBe(true);
  await edit.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit pages' });
  await dialog.getByRole('button', { name: 'Leave out Page 2' }).press('Enter');
  await dialog.getByText('Page 2, left out').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Up: Page 3' }).press('Enter');
  await dialog.getByRole('button', { name: 'Turn Page 3' }).press('Enter');
  await dialog.getByText('Page 3, turned 90°').waitFor();
  await dialog.getByRole('button', { name: 'Leave out Page 1' }).press('Enter');
  await dialog.getByRole('button', { name: 'Undo' }).press('Enter');
  await dialog.getByRole('button', { name: 'Leave out Page 1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 20_000 }).toBe(true);
  await send.kept();
  await page.reload();
  await new SendPage(page).opened();
  await page.getByText('2 pages').first().waitFor();
  await expect.poll(() => edit.isEnabled().catch(() => false), { timeout: 20_000 }).toBe(true);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect
    .poll(async () => {
      const list = await webConsole.gateway.request('GET', '/fax?to=%2B12025550142');
      const { items } = (await list.json()) as { items: Fax[] };
      return items[0] && { pages: items[0].document.pages, edits: items[0].edits };
    })
    .toMatchObject({ pages: 2, edits: { original: { pages: 3 }, turned: 1, moved: true } });
});
