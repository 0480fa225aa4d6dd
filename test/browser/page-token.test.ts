import { expect, test } from 'vitest';
import { MARA, testConsole } from './console.ts';
import { SendPage } from './send-page.ts';

const webConsole = testConsole();

test('the cookie of a session opens nothing for another program of this computer', async (context) => {
  const { page, context: browser } = await webConsole.open(context, { as: null });
  await page.getByLabel('Sign-in name').fill(MARA.login);
  await page.getByLabel('Password', { exact: true }).fill(MARA.password);
  await page.keyboard.press('Enter');
  await new SendPage(page).opened();
  // Browsers send it to every port of the host, so another program there may have it.
  const stolen = { Origin: webConsole.gateway.url };
  for (const address of ['/auth/me', '/fax', '/console/events', '/console/draft-key']) {
    const answer = await browser.request.get(address, { headers: stolen });
    expect([address, answer.status()]).toEqual([address, 401]);
  }
  // A reload and another window of the console are at home.
  await page.reload();
  await new SendPage(page).opened();
  const second = await browser.newPage();
  await second.goto('/admin/ui/sent');
  await second.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
});
