import { expect, test } from 'vitest';
import { expectAccessible, MARA, testConsole } from './console.ts';
import { letter, markReached, SendPage } from './send-page.ts';

const KNOWN = '+12025550142';
const webConsole = testConsole({}, ({ gateway }) => markReached(gateway, KNOWN));

test('what new faxes begin with, and a phrase, are set by keyboard and used on Send', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  const cover = page.getByRole('button', { name: /Cover page/u });
  await cover.press('Enter');
  await page.getByRole('option', { name: 'Confidential' }).press('Enter');
  await page.getByRole('textbox', { name: 'Your name on cover pages' }).fill('Mara Okafor, front desk');
  const header = page.getByRole('textbox', { name: 'Your name in the header line' });
  await header.fill('Mara Okafor, Department of Cardiology');
  await page.getByText('there is room for “Mara Okafor, Department of Cardiol”').waitFor();
  await header.fill('Dr. Okafor');
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await page.getByText('Saved. Your next fax begins so.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'New phrase…' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'New phrase' });
  await form.getByRole('textbox', { name: 'Short name' }).fill('Call back');
  await expectAccessible(page);
  await form.getByRole('textbox', { name: 'Text' }).fill('Please call us back today.');
  await form.getByRole('button', { name: 'Save phrase' }).press('Enter');
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change Call back' }).waitFor();
  await expectAccessible(page);

  await page.goto('/admin/ui/send');
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter());
  await page.getByRole('button', { name: 'Cover page Confidential' }).press('Enter');
  await page.getByRole('textbox', { name: 'Note' }).fill('The results are here.');
  await page.getByRole('button', { name: 'Phrases' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Call back' }).press('Enter');
  const note = 'The results are here.\nPlease call us back today.';
  await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe(note);
  await send.drawn();
  await send.pressSend();
  await page.waitForURL(/\/send\/./u);
  const fax = await webConsole.gateway.fax(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  expect(fax).toMatchObject({ cover: { fields: { note } }, header_name: 'Dr. Okafor' });
  expect(fax.cover?.fields['from']).toMatch(/^Mara Okafor, front desk/u);

  await page.goto('/admin/ui/my-settings');
  await page.getByRole('button', { name: 'Delete Call back' }).press('Enter');
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByText('You have no phrases yet.').waitFor();
});

test('the preview on Send follows the name in the header line', async (context) => {
  const { page } = await webConsole.open(context, { path: '/my-settings' });
  const lines: (string | undefined)[] = [];
  page.on('response', async (response) => {
    if (!/\/fax\/preview(?:\/[0-9a-f-]+(?:\/redraw)?)?(?:\?.*)?$/u.test(response.url())) return;
    const preview = (await response.json().catch(() => null)) as { header?: { text: string } } | null;
    if (preview?.header) lines.push(preview.header.text);
  });
  const setName = async (name: string) => {
    await page.getByRole('textbox', { name: 'Your name in the header line' }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.getByText('Saved. Your next fax begins so.').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Send', exact: true }).press('Enter');
  };
  await setName('Dr. Okafor');
  const send = await new SendPage(page).opened();
  await send.number('(202) 555-0142');
  await send.add(letter());
  await send.drawn();
  await expect.poll(() => lines.at(-1), { timeout: 20_000 }).toContain('Dr. Okafor +1 202 555 0100');
  await page.getByRole('button', { name: `${MARA.name}: account` }).press('Enter');
  await page.getByRole('menuitem', { name: 'My settings' }).press('Enter');
  await setName('');
  await send.drawn();
  const office = 'Example Clinic +1 202 555 0100';
  await expect.poll(() => lines.at(-1), { timeout: 20_000 }).toContain(office);
});
