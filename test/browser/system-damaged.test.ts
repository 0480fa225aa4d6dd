import { expect, test } from 'vitest';
import { damageTable } from '../setup/damage-store.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole();

test('a damaged database is said on every screen and leads to the backups', async (context) => {
  const { id } = await webConsole.gateway.send();
  const { page, complaints } = await webConsole.open(context, { path: '/sent' });
  // While the gateway starts again, and what it says then.
  complaints.allow('net::ERR_CONNECTION', '503 GET ');
  await page.getByRole('grid').waitFor();
  // A running gateway may still have the page in memory.
  await webConsole.startGatewayAgain();
  await damageTable(webConsole.gateway.dataFolder, 'fax_history');
  const met = await webConsole.gateway.request('GET', `/fax/${id}/history`);
  expect(met.status).toBe(503);
  await page.reload();
  await page.getByText('Faxdesk is not working properly').waitFor();
  await page.getByText('The database is damaged, so Faxdesk writes nothing to it').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Open System' }).click();
  await page.getByText('Restore a backup: see System > Backups.').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Backups' }).click();
  await page.getByRole('button', { name: 'How to restore' }).click();
  await page.getByText('faxdesk restore').waitFor();
});
