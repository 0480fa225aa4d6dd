import { expect, test } from 'vitest';
import { expectAccessible, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550142';
const webConsole = testConsole({}, ({ gateway }) => markReached(gateway, KNOWN));

test('a cover page is chosen and filled in by keyboard, shown as page 1 and sent', async (context) => {
  const { page } = await webConsole.open(context, { path: '/send' });
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter());
  await send.drawn();
  await page.getByRole('button', { name: /^Cover page/u }).press('Enter');
  await page.getByRole('button', { name: /^No cover page Template/u }).press('Enter');
  await page.getByRole('option', { name: 'Confidential' }).press('Enter');
  await page.getByRole('textbox', { name: 'Attention' }).focus();
  await page.keyboard.type('Dr. Lind');
  await page.keyboard.press('Tab');
  await page.keyboard.type('As agreed by telephone.');
  await page.getByRole('button', { name: 'Cover page Confidential' }).waitFor();
  await page
    .getByRole('img', { name: /cover page/iu })
    .first()
    .waitFor();
  await expectAccessible(page);
  // The template and the words are kept with the draft.
  await send.kept();
  await page.reload();
  await send.opened();
  await page.getByRole('button', { name: 'Cover page Confidential' }).waitFor();
  await send.drawn();
  await send.pressSend();
  await page.waitForURL(/\/send\/./u);
  const fax = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(fax.document.pages).toBe(2);
  expect(fax.cover).toMatchObject({
    name: 'Confidential',
    fields: { attention: 'Dr. Lind', note: 'As agreed by telephone.', pages: '2' },
  });
  await page.goto(`${webConsole.gateway.url}/admin/ui/sent/${fax.id}`);
  const details = page.getByRole('complementary');
  await details.getByText('Attention: Dr. Lind').waitFor();
  await details.getByText('Note: As agreed by telephone.').waitFor();
});
