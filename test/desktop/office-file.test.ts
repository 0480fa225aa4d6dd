import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { parsePort, readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { expectAccessible } from './console-app.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, untilShown } from './each-kind.ts';

onEachKind('a computer whose office has decided', (kind) => {
  let gateway: TestGateway;
  let address: string;
  let app: DesktopApp | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-office-'));
  const file = join(folder, 'desktop.json');

  beforeAll(async () => {
    if (missing(kind) !== null) return;
    // Certificates are checked by the computer's own clock.
    const clock = new ManualClock(new Date(systemClock.now()).toISOString());
    const settings = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };
    gateway = await startTestGateway({ clock, settings });
    address = `https://localhost:${parsePort((await readHttpsStatus(gateway)).addresses[0])}`;
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await gateway?.close();
  });

  /** Starts the application with what the file of the office says. */
  async function start(text: string): Promise<DesktopApp> {
    writeFileSync(file, text);
    return launch(kind, { env: { STANDIN_OFFICE_FILE: file } });
  }
  const decisions = async (more: object = {}) => {
    const { root } = await readHttpsStatus(gateway);
    return JSON.stringify({ gateway: address, certificate: root.fingerprint, ...more });
  };

  it('rule (desktop): opens the gateway of the office without a question, and runs none', async (context) => {
    if (kind === 'Electron') context.skip('the file of the office is where only an administrator writes');
    app = await start(await decisions({ start_at_login: true }));
    const page = await app.console();
    expect(new URL(page.url()).origin).toBe(address);
    expect(existsSync(app.dataFolder)).toBe(false);
    expect(await app.gatewayPid()).toBeNull();
    const labels = await app.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) =>
        (submenu?.items ?? []).map(({ label }) => label),
      ),
    );
    expect(labels).toContain('Save a problem report…');
    expect(labels).not.toContain('Use Faxdesk on another computer…');
    const asked = await page.evaluate(async () => {
      const { faxdesk } = globalThis as unknown as InPage;
      await faxdesk.setPreferences({ startAtLogin: false });
      await faxdesk.chooseGateway();
      return [(await faxdesk.preferences()).startAtLogin, await faxdesk.decidedByOffice?.()];
    });
    expect(asked).toEqual([true, ['gateway', 'startAtLogin']]);
    expect(new URL((await app.console()).url()).origin).toBe(address);
    const autostart = join(app.appData, 'autostart', 'faxdesk.desktop');
    expect(readFileSync(autostart, 'utf8')).toContain('--hidden');
  });

  it('goes nowhere else when another certificate is there, and offers no other computer', async (context) => {
    if (kind === 'Electron') context.skip('the file of the office is where only an administrator writes');
    const other = Array.from({ length: 32 }, () => 'AB').join(':');
    app = await start(JSON.stringify({ gateway: address, certificate: other }));
    const page = await untilShown(app, 'The other computer has a different certificate');
    await page.getByText('is not the one your office confirmed').waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Try again']);
    await expectAccessible(page);
  });

  it('rule (desktop): keeps the gateway of the window out of the network, whatever a person has set', async (context) => {
    if (kind === 'Electron') context.skip('the file of the office is where only an administrator writes');
    writeFileSync(file, JSON.stringify({ network: 'off' }));
    const own = { HOST: '0.0.0.0', HTTPS_ENABLED: 'true', HTTPS_PORT: '0', PRINT_TO_FAX: 'network' };
    app = await launch(kind, { env: { STANDIN_OFFICE_FILE: file, ...own } });
    await app.console();
    expect(new URL(app.gatewayUrl()).hostname).toBe('127.0.0.1');
    const headers = { 'X-API-Key': app.installationKey(), 'Content-Type': 'application/json' };
    const address = `${app.gatewayUrl()}/admin/settings`;
    const { settings } = (await (await fetch(address, { headers })).json()) as {
      settings: { name: string; value: unknown; source: string }[];
    };
    const found = (name: string) => settings.find((setting) => setting.name === name);
    expect(found('HTTPS_ENABLED')).toMatchObject({ value: false, source: 'office' });
    expect(found('PRINT_TO_FAX')).toMatchObject({ value: 'this_computer' });
    const body = JSON.stringify({ changes: { HTTPS_ENABLED: true } });
    expect((await fetch(address, { method: 'PUT', headers, body })).status).toBe(422);
    await app.close({ keepData: true });
    writeFileSync(file, '{}');
    app = await launch(kind, { appData: app.appData, env: { STANDIN_OFFICE_FILE: file } });
    await app.console();
    const again = await (await fetch(`${app.gatewayUrl()}/admin/settings`, { headers })).text();
    expect(again).toContain('"name":"HTTPS_ENABLED","value":true');
  });

  it('rule (desktop): starts no gateway while the file of the office cannot be read', async (context) => {
    if (kind === 'Electron') context.skip('the file of the office is where only an administrator writes');
    app = await start('{"gateway":');
    const page = await untilShown(app, 'Faxdesk cannot read the settings of your office');
    expect(await page.getByRole('button').allTextContents()).toEqual(['Save a problem report…']);
    expect(existsSync(app.dataFolder)).toBe(false);
    await expectAccessible(page);
  });
});
