import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { identityFileText, makeIdentity, recipientOf } from '../../server/platform/age/keys.ts';
import { eventually } from '../setup/eventually.ts';
import { readHttpsStatus } from '../setup/https-client.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { expectAccessible, testConsole } from './console.ts';
import { focusOn } from './every-screen.ts';

const webConsole = testConsole({ settings: { CLOUDONE_CALLBACK_TOKEN: '' } });

const LINES = 1200;

/** Line 1 is the oldest; each tenth is a warning, and one names a fax. */
async function writeLog(): Promise<void> {
  const folder = join(webConsole.gateway.dataFolder, 'logs');
  await mkdir(folder, { recursive: true });
  const lines = Array.from({ length: LINES }, (_, index) => {
    const number = index + 1;
    const time = new Date(Date.UTC(2026, 10, 20) + number * 1000).toISOString();
    const level = number % 10 === 0 ? 'warn' : 'info';
    const msg = number === 77 ? 'a fax was accepted' : `line ${number}`;
    const facts = number === 77 ? { pages: 3, file: 'referral.pdf' } : {};
    return `${JSON.stringify({ level, time, logger: 'gateway:outbound', ...facts, msg })}\n`;
  });
  await writeFile(join(folder, 'gateway.log'), lines.join(''));
}

const log = (page: Page) => page.getByRole('grid', { name: 'Log entries, newest first' });

describe('notices', () => {
  test('name who uses a deprecated part, and what to use instead', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system/notices' });
    await page.getByText('Nothing to change').waitFor();
    const made = await webConsole.gateway.request('POST', '/admin/api-keys', {
      json: { scopes: ['providers:read'], name: 'Old console' },
    });
    const { token } = (await made.json()) as { token: string };
    await webConsole.gateway.request('GET', '/plugins', { key: token });
    await page.reload();
    const plugins = page.getByRole('region', { name: 'The provider plugins of the API (/plugins)' });
    await plugins.getByText('GET and PUT /admin/settings').waitFor();
    await expect.poll(() => plugins.textContent()).toContain('API key: Old console');
    await expectAccessible(page);
  });
});

describe('health', () => {
  test('shows how the gateway is, what it holds and what it has to do', async (context) => {
    await webConsole.gateway.send();
    const { page } = await webConsole.open(context, { path: '/system' });
    await page.getByText('Everything is working').waitFor();
    await page.getByText(webConsole.gateway.url, { exact: true }).waitFor();
    await page.getByText(webConsole.gateway.dataFolder, { exact: true }).waitFor();
    const signing = await webConsole.gateway.request('GET', '/signing/keys');
    const { keys } = (await signing.json()) as { keys: { fingerprint: string }[] };
    await page.getByText(keys[0]?.fingerprint ?? 'none', { exact: true }).waitFor();
    const faxes = page.getByRole('region', { name: 'Faxes' });
    const receiving = page.getByRole('region', { name: 'Receiving' });
    await expect
      .poll(() => receiving.textContent())
      .toContain('ReceivingOffLast fax receivedNone yetLast fax deliveredNone yet');
    await expect.poll(() => faxes.textContent()).toContain('Waiting1');
    await expectAccessible(page);
    await webConsole.gateway.processAll();
    await page.keyboard.press('Shift+R');
    await faxes.getByText('Sending').waitFor();
  });

  test('shows what was refused of the notifications of providers, and since when', async (context) => {
    await webConsole.gateway.set({ INBOUND_ENABLED: true, PUBLIC_API_URL: 'https://fax.example.com' });
    const body = new URLSearchParams({ fax: '{"id":1,"status":"success"}' });
    const forged = await fetch(`${webConsole.gateway.url}/cloudone-inbound`, { method: 'POST', body });
    expect(forged.status).toBe(401);
    const { page, complaints } = await webConsole.open(context, { path: '/system' });
    // Receiving is turned off again under the open page.
    complaints.allow('404 GET /inbound/counts');
    await page.getByText('Needs attention').waitFor();
    await expect.poll(() => page.getByText('Everything is working').count()).toBe(0);
    await page.getByText('Notifications refused because the callback token is not set: 1 in all').waitFor();
    const reports = page.getByRole('region', { name: 'Provider reports' });
    await expect.poll(() => reports.textContent()).toContain('because the callback token is not set1, last');
    await expectAccessible(page);
    await page.goto(page.url().replace(/\/system.*$/u, '/settings/receiving'));
    await page.getByText('Phaxio: The callback token is missing').waitFor();
    await expectAccessible(page);
    await webConsole.gateway.set({ INBOUND_ENABLED: false, PUBLIC_API_URL: null });
  });
});

describe('other computers', () => {
  test('get the addresses to open, and what to install first', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system/computers' });
    await page.getByText('Other computers cannot open Faxdesk').waitFor();
    await expectAccessible(page);
    await webConsole.gateway.set({ HTTPS_ENABLED: true, HTTPS_HOST: '127.0.0.1', HTTPS_PORT: 0 });
    await page.reload();
    const { addresses, root, words } = await readHttpsStatus(webConsole.gateway);
    await page.getByText(addresses[0], { exact: true }).waitFor();
    await page.getByText(words.join(' '), { exact: true }).waitFor();
    expect(await page.getByText('in the local network').count()).toBe(0);
    await webConsole.gateway.set({ HTTPS_ANNOUNCED: true, FAX_ORGANIZATION: 'Screen Clinic' });
    await readHttpsStatus(webConsole.gateway);
    await page.reload();
    await page.getByText('in the local network as “Screen Clinic').waitFor();
    await webConsole.gateway.set({ HTTPS_ANNOUNCED: null, FAX_ORGANIZATION: null });
    await page.getByText(root.fingerprint, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'How to install it' }).click();
    await page.getByText('Trusted Root Certification Authorities').waitFor();
    await expectAccessible(page);
    const loading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Save root certificate' }).click();
    const download = await loading;
    expect(download.suggestedFilename()).toBe('faxdesk-root.crt');
    const saved = new X509Certificate(await readFile(await download.path()));
    expect(saved.fingerprint256).toBe(root.fingerprint);
    await webConsole.gateway.set({ HTTPS_ENABLED: null, HTTPS_HOST: null, HTTPS_PORT: null });
  });

  test('get the reason why they cannot connect', async (context) => {
    await webConsole.gateway.set({ HTTPS_ENABLED: true, HTTPS_PORT: 0, HTTPS_KEY_FILE: '/nowhere/fax.key' });
    const { page } = await webConsole.open(context, { path: '/system/computers' });
    await page.getByRole('alert').getByText('Set both HTTPS_CERTIFICATE_FILE').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Set it up' }).click();
    await page.getByRole('heading', { name: 'Other computers' }).waitFor();
    await webConsole.gateway.set({ HTTPS_ENABLED: null, HTTPS_PORT: null, HTTPS_KEY_FILE: null });
  });
});

test('an encrypted backup is restored with its identity, which is pasted or read from its file', async (context) => {
  await removeBackups();
  const identity = makeIdentity();
  const { gateway } = webConsole;
  const { page, complaints } = await webConsole.open(context, { path: '/system/backups' });
  complaints.allow('409 POST ');
  await page.getByText('Backups are not encrypted.').waitFor();
  await webConsole.gateway.set({ S3_BUCKET: 'faxes', S3_ENDPOINT_URL: 'http://127.0.0.1:9' });
  await page.reload();
  await page
    .getByText(
      'Documents in the bucket http://127.0.0.1:9/faxes/ are not in backups. Keep copies of the bucket as well.',
    )
    .waitFor();
  await webConsole.gateway.set({ S3_BUCKET: null, S3_ENDPOINT_URL: null });
  await gateway.set({ BACKUP_RECIPIENTS: [recipientOf(identity)] });
  await page.reload();
  await page.getByText('Backups are encrypted for 1 recipient.').waitFor();
  await page.getByRole('button', { name: 'Make a backup now' }).click();
  await page.getByText(/\.zip\.age · encrypted · /u).waitFor();
  await page.getByRole('button', { name: /^Restore faxdesk-/u }).click();
  const yes = page.getByRole('button', { name: 'Restore it' });
  await expect.poll(() => yes.isDisabled()).toBe(true);
  await expectAccessible(page);
  const field = page.getByLabel('Identity', { exact: true });
  await field.fill('no identity');
  await yes.click();
  await page.getByText('A backup cannot be restored from here.').waitFor();
  const text = identityFileText(identity, '2026-11-21T09:00:00.000Z');
  const file = { name: 'identity.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByLabel('Identity file', { exact: true }).setInputFiles(file);
  await expect.poll(() => field.inputValue()).toBe(text.trim());
  await gateway.set({ BACKUP_RECIPIENTS: [] });
  await removeBackups();
});

async function removeBackups(): Promise<void> {
  const answer = await (await webConsole.gateway.request('GET', '/console/backups')).json();
  for (const { name } of (answer as { items: { name: string }[] }).items)
    await eventually(async () => {
      const removed = await webConsole.gateway.request('DELETE', `/console/backups/${name}`);
      expect(removed.status).toBe(200);
    });
}

describe('backups', () => {
  beforeEach(removeBackups);

  test('are made, downloaded and removed', async (context) => {
    const { page, complaints } = await webConsole.open(context, { path: '/system/backups' });
    complaints.allow('409 POST ');
    await page.getByText('No backups yet').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Shift+B');
    await page.getByText('Complete', { exact: true }).waitFor();
    const loading = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download faxdesk-/u }).click();
    const download = await loading;
    expect(download.suggestedFilename()).toMatch(/^faxdesk-[\d-]+\.zip$/u);
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    await page.getByRole('button', { name: 'How to restore' }).click();
    await page.getByText(`--data "${webConsole.gateway.dataFolder}" --replace`).waitFor();
    await page.getByRole('button', { name: /^Restore faxdesk-/u }).click();
    await page.getByText(/^Replace everything in Faxdesk with the backup of .+\?$/u).waitFor();
    const keep = page.getByRole('button', { name: 'Keep everything as it is' });
    await expect.poll(() => keep.evaluate((button) => button.matches(':focus'))).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore it' }).click();
    await page.getByText('A backup cannot be restored from here.').waitFor();
    await keep.click();
    const asker = page.getByRole('button', { name: /^Restore faxdesk-/u });
    await expect.poll(() => asker.evaluate((button) => button.matches(':focus'))).toBe(true);
    await page.getByRole('button', { name: /^Remove faxdesk-/u }).click();
    await page.getByText(/^Permanently remove the backup/u).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: /^Remove faxdesk-/u }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('No backups yet').waitFor();
  });

  test('are removed one after the other by the keyboard, which stands on the next one', async (context) => {
    const { gateway } = webConsole;
    for (let made = 0; made < 3; made += 1) {
      gateway.clock.advance(MINUTE);
      await eventually(async () =>
        expect((await gateway.request('POST', '/console/backups')).status).toBe(202),
      );
    }
    const { page, complaints } = await webConsole.open(context, { path: '/system/backups' });
    complaints.allow('409 ');
    const removers = page.getByRole('button', { name: /^Remove faxdesk-/u });
    await expect.poll(() => removers.count()).toBe(3);
    await removers.first().press('Enter');
    for (let left = 2; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Remove it' }).press('Enter');
      await expect.poll(() => removers.count()).toBe(left);
      await expect.poll(() => removers.first().and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Remove it' }).press('Enter');
    await page.getByText('No backups yet').waitFor();
    await expect.poll(() => focusOn(page)).toBe('button Copy');
  });

  test('are for owners only to download', async (context) => {
    await webConsole.gateway.request('POST', '/console/backups');
    const key = await webConsole.keyWith('diagnostics:read');
    const { page } = await webConsole.open(context, { path: '/system/backups', as: { key } });
    await page.getByText('Only owners can download a backup').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Download/u }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Make a backup now' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Log', exact: true }).count()).toBe(0);
  });
});

test('a problem report is saved from Health by keyboard', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/health' });
  const link = page.getByRole('link', { name: 'Save a problem report' });
  const loading = page.waitForEvent('download');
  await link.press('Enter');
  const download = await loading;
  expect(download.suggestedFilename()).toBe('faxdesk-problem.txt');
  expect(await readFile(await download.path(), 'utf8')).toMatch(/^Faxdesk problem report\n/u);
  await expectAccessible(page);
});

describe('the log', () => {
  test('is read to its end, and filtered by gravity and text', async (context) => {
    await writeLog();
    const { page } = await webConsole.open(context, { path: '/system/log' });
    await log(page).getByText(`Line ${LINES}.`, { exact: true }).waitFor();
    await expectAccessible(page);
    await log(page).focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return log(page).getByText('Line 1.', { exact: true }).count();
      })
      .toBe(1);
    await page.getByRole('button', { name: /Info and above/u }).click();
    await page.getByRole('option', { name: 'Warnings and above', exact: true }).click();
    await log(page).getByText('Line 1200.', { exact: true }).waitFor();
    await expect.poll(() => log(page).getByText('Info', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: /Warnings and above/u }).click();
    await page.getByRole('option', { name: 'Everything' }).click();
    await page.getByLabel('Search the log').fill('REFERRAL.PDF');
    await expect.poll(() => log(page).getByRole('row').count()).toBe(2);
    await log(page).getByText('A fax was accepted.').click();
    const line = page.getByRole('region', { name: 'This entry' });
    await line.getByText('referral.pdf').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Search the log').fill('nothing like this');
    await page.getByText('No matches').waitFor();
  });

  test('is downloaded whole', async (context) => {
    await writeLog();
    const { page } = await webConsole.open(context, { path: '/system/log' });
    const loading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the log' }).click();
    const text = await readFile(await (await loading).path(), 'utf8');
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(LINES);
  });
});

test('the interface for programs can be read from here', async (context) => {
  const { page } = await webConsole.open(context, { path: '/system/interface' });
  const link = page.getByRole('link', { name: 'API documentation' });
  await expect.poll(() => link.getAttribute('href')).toBe('/docs');
  await expectAccessible(page);
});
