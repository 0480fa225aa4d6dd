import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { mountSmallDisk, type SmallDisk } from '../setup/small-disk.ts';
import { expectAccessible, testConsole } from './console.ts';
import { BRIDGE } from './desktop-bridge.ts';

const bar = (page: Page) => page.getByRole('banner').getByRole('status');
/** The gateway checks every two seconds what stopped working; how soon the bar shows it is not asserted on a busy machine. */
const SOON = { timeout: 30_000 };
const words = (page: Page) => bar(page).textContent();
const tray = (page: Page) => page.evaluate('noted.tray') as Promise<{ state: string; tooltip: string }>;

describe('the bar, the tray and System', () => {
  const webConsole = testConsole({ settings: { INBOUND_ENABLED: 'true' } }, ({ gateway }) =>
    gateway.makeBackup(),
  );

  test('are green together, and say together that the provider is away and that it is back', async (context) => {
    const { gateway } = webConsole;
    const { page } = await webConsole.open(context, { path: '/system', script: BRIDGE });
    await expect.poll(() => words(page)).toBe('Sending and receiving work');
    await page.getByText('Everything is working').waitFor();
    await expect.poll(() => tray(page)).toMatchObject({ state: 'normal', tooltip: 'Faxdesk' });
    await gateway.emulator.refuseConnections();
    await gateway.send();
    await gateway.processAll();
    await expect.poll(() => words(page), SOON).toBe('Provider unreachable');
    await expect.poll(() => page.getByText('Everything is working').count(), SOON).toBe(0);
    await page.getByText('The fax provider has not answered since').waitFor();
    await expect.poll(() => tray(page)).toMatchObject({ state: 'broken' });
    await expectAccessible(page);
    await gateway.emulator.acceptConnections();
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    await expect.poll(() => words(page), SOON).toBe('Sending and receiving work');
    await page.getByText('Everything is working').waitFor();
    await expect.poll(() => tray(page)).toMatchObject({ state: 'normal' });
  });

  test('say together that faxes cannot come in because the provider refuses the account', async (context) => {
    const { gateway } = webConsole;
    const { page } = await webConsole.open(context, { path: '/system', script: BRIDGE });
    await page.getByText('Everything is working').waitFor();
    gateway.emulator.setFault({ kind: 'unauthorized', method: 'GET', path: /\/faxes\/?$/u, count: 1 });
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    await expect.poll(() => words(page), SOON).toBe('Provider refuses our account');
    await page.getByText('The provider does not accept the account in the settings.').waitFor();
    await expect.poll(() => page.getByText('Everything is working').count()).toBe(0);
    await expect.poll(() => tray(page)).toMatchObject({ state: 'broken' });
    gateway.clock.advance(MINUTE);
    await gateway.processAll();
    await expect.poll(() => words(page), SOON).toBe('Sending and receiving work');
  });
});

describe('without a backup', () => {
  const webConsole = testConsole({ hasBackup: false });

  test('nothing is green until one is made', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system', script: BRIDGE });
    await expect.poll(() => words(page)).toBe('No recent backup');
    await page.getByText('There is no backup yet.').waitFor();
    expect(await page.getByText('Everything is working').count()).toBe(0);
    await expect.poll(() => tray(page)).toMatchObject({ state: 'attention', tooltip: 'No recent backup' });
    await webConsole.gateway.makeBackup();
    await expect.poll(() => words(page), { timeout: 5_000 }).toBe('Sending works');
    await page.getByText('Everything is working').waitFor();
    await expect.poll(() => tray(page)).toMatchObject({ state: 'normal' });
  });
});

describe('with a backup of last week', () => {
  const webConsole = testConsole(async () => {
    const clock = new ManualClock();
    const earlier = await startTestGateway({ clock });
    await earlier.stop();
    clock.advance(8 * DAY);
    return { clock, dataFolder: earlier.dataFolder, emulator: earlier.emulator };
  });

  test('nothing is green until there is a later one', async (context) => {
    const { page } = await webConsole.open(context, { path: '/system', script: BRIDGE });
    await expect.poll(() => words(page)).toBe('No recent backup');
    await page.getByText('The last backup is from November 21.').first().waitFor();
    expect(await page.getByText('Everything is working').count()).toBe(0);
    await webConsole.gateway.makeBackup();
    await expect.poll(() => words(page), SOON).toBe('Sending works');
  });
});

const disk = await mountSmallDisk(260);
const reason = 'unavailable' in disk ? disk.unavailable : null;

describe.skipIf(reason !== null)(`on a full disk${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  const { folder, fill, makeRoom, remove } = disk as SmallDisk;
  const webConsole = testConsole(
    async () => ({ dataFolder: join(folder, 'data') }),
    ({ gateway }) => gateway.makeBackup(),
  );
  afterAll(() => remove());

  test('the bar and the tray say that Faxdesk is not working properly', async (context) => {
    // The disk is still full when a try before this one failed.
    await makeRoom();
    const { page, complaints } = await webConsole.open(context, { path: '/sent', script: BRIDGE });
    complaints.allow('503 GET /health/ready');
    await expect.poll(() => words(page), SOON).toBe('Sending works');
    await fill(50 * 1024 * 1024);
    await expect.poll(() => words(page), SOON).toBe('Not working properly');
    await page.getByText('The disk is nearly full').first().waitFor();
    await expect.poll(() => tray(page)).toMatchObject({ state: 'broken' });
    await makeRoom();
    await expect.poll(() => words(page), SOON).toBe('Sending works');
    await expect.poll(() => page.getByText('The disk is nearly full').count()).toBe(0);
  });
});
