import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Hex } from '../../server/platform/hash.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';

const webConsole = testConsole();

/** Sends a fax, lets its year pass and saves the archive. Returns its path. */
async function archived(): Promise<{ id: string; path: string }> {
  const { gateway } = webConsole;
  await gateway.set({ ARTIFACT_TTL_DAYS: 0 });
  const year = new Date(gateway.clock.now()).getUTCFullYear();
  const { id } = await gateway.send({ subject: 'Referral' });
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid));
  gateway.clock.advance(HOUR);
  await gateway.processAll();
  gateway.clock.advance(400 * DAY);
  const path = join(gateway.dataFolder, `faxdesk-${year}.zip`);
  const archive = await gateway.request('GET', `/archives/${year}`);
  await writeFile(path, Buffer.from(await archive.arrayBuffer()));
  return { id, path };
}

test('an archive is opened in the window, searched and read, and its faxes are removed after a second question', async (context) => {
  const { id, path } = await archived();
  const { page, complaints } = await webConsole.open(context, { path: '/system/archives' });
  await page.getByLabel('Archive to open').setInputFiles(path);
  await page.getByText('This installation', { exact: true }).waitFor();
  const listed = page.getByRole('list', { name: 'Faxes of the archive' });
  await page.getByLabel('Find in the archive').fill('nothing like it');
  await page.getByText('Faxes found: 0.').waitFor();
  await page.getByLabel('Find in the archive').fill('referral');
  await page.getByText('Faxes found: 1.').waitFor();
  await listed.getByRole('button', { name: /^Show the fax with/u }).press('Enter');
  await listed.getByText('History').waitFor();
  const saving = page.waitForEvent('download');
  await listed.getByRole('link', { name: 'Save the document' }).click();
  const saved = await readFile(await (await saving).path());
  const archive = await readFile(path);
  expect(archive.toString('latin1')).toContain(sha256Hex(saved));
  await expectAccessible(page);

  const altered = Buffer.from(archive);
  altered.write('Reforral', altered.indexOf('"Referral"') + 1);
  await page
    .getByLabel('Archive to open')
    .setInputFiles({ name: 'altered.zip', mimeType: 'application/zip', buffer: altered });
  await page.getByText('sent-00001.jsonl was altered.').waitFor();

  await page.getByLabel('Archive whose faxes are to be removed').setInputFiles(path);
  const removals = page.getByRole('list', { name: 'Removals' });
  await removals.getByText('To be removed: 1.').waitFor();
  await removals.getByRole('button', { name: /^Remove the faxes of/u }).press('Enter');
  await page.getByText('Remove 1 fax for good?').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove for good' }).press('Enter');
  await removals.getByText('Removing', { exact: true }).waitFor();
  await webConsole.gateway.processAll();
  await removals.getByText('Removed: 1 sent and 0 received faxes.').waitFor();
  await expectAccessible(page);

  complaints.allow('404 GET /fax/');
  await page.goto(`${webConsole.gateway.url}/admin/ui/sent/${id}`);
  await page
    .getByText(/^This fax was removed after it was archived\. It is in the archive of \d{4}\.$/u)
    .waitFor();
  await expectAccessible(page);
});
