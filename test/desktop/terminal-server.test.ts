import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { parsePort, readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { SESSION_HOST } from '../setup/windows-registry.ts';
import { checkForUpdates } from './check-for-updates.ts';
import { expectAccessible } from './console-app.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, untilShown } from './each-kind.ts';

const NAME = 'Gateway of the Server';
const QUESTION = 'Which computer does this window connect to?';

onEachKind('an account of a terminal server', (kind) => {
  let gateway: TestGateway;
  let address: string;
  let app: DesktopApp | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-terminal-server-'));
  const file = join(folder, 'desktop.json');

  beforeAll(async () => {
    if (missing(kind) !== null) return;
    // Certificates are checked by the computer's own clock.
    const clock = new ManualClock(new Date(systemClock.now()).toISOString());
    const settings = {
      HTTPS_ENABLED: 'true',
      HTTPS_HOST: '127.0.0.1',
      HTTPS_PORT: '0',
      FAX_ORGANIZATION: NAME,
      HTTPS_ANNOUNCED: 'true',
    };
    gateway = await startTestGateway({ clock, settings });
    address = `https://localhost:${parsePort((await readHttpsStatus(gateway)).addresses[0])}`;
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    rmSync(file, { force: true });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await gateway?.close();
  });

  const start = (appData?: string) =>
    launch(kind, {
      ...(appData === undefined ? {} : { appData }),
      env: { STANDIN_OFFICE_FILE: file, STANDIN_REGISTRY: JSON.stringify(SESSION_HOST) },
    });
  const onlyThere = (context: { skip(reason?: string): never }) => {
    if (kind === 'Electron') context.skip('only the stand-in plays a terminal server');
  };

  it('rule (desktop): starts no gateway where the office has decided nothing, and opens the one that serves all', async (context) => {
    onlyThere(context);
    app = await start();
    const page = await untilShown(app, QUESTION);
    await page.getByText('This computer is a server for several people').waitFor();
    expect(await page.getByRole('button', { name: 'Use this computer' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0);
    await expectAccessible(page);
    const tooltip = () =>
      app?.evaluate(({ recorder }) => (recorder.trays[0] as { toolTip: string } | undefined)?.toolTip);
    expect(await tooltip()).toContain('not connected');
    await app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      items.find(({ label }) => label === 'Open data folder')?.click();
    });
    expect(await app.evaluate(({ recorder }) => recorder.messageBoxes.at(-1)?.message)).toBe(
      'This window does not show Faxdesk on this computer, so there is no data folder here.',
    );
    // A page that asks for it nevertheless gets none.
    await page.evaluate(async () => {
      const { faxdeskApplication } = globalThis as unknown as InPage;
      await faxdeskApplication.useGateway({ kind: 'own' });
      await faxdeskApplication.tryAgain();
    });
    expect(await app.gatewayPid()).toBeNull();
    expect(existsSync(app.dataFolder)).toBe(false);

    await (await untilShown(app, NAME)).getByRole('button', { name: NAME }).click();
    await page.getByText('If they match, this window shows Faxdesk on that computer.').waitFor();
    await page.getByRole('button', { name: 'They match' }).click();
    const { addresses } = await readHttpsStatus(gateway);
    expect(addresses).toContain(new URL((await app.console()).url()).origin);
    expect(existsSync(app.dataFolder)).toBe(false);

    const { appData } = app;
    await app.close({ keepData: true });
    app = await start(appData);
    expect(addresses).toContain(new URL((await app.console()).url()).origin);
  });

  it('shows the gateway that the office has decided without a question', async (context) => {
    onlyThere(context);
    const { root } = await readHttpsStatus(gateway);
    writeFileSync(file, JSON.stringify({ gateway: address, certificate: root.fingerprint }));
    app = await start();
    expect(new URL((await app.console()).url()).origin).toBe(address);
    expect(existsSync(app.dataFolder)).toBe(false);
  });

  it('rule (desktop): keeps the gateway that it had on the computer before, with its faxes', async (context) => {
    onlyThere(context);
    const before = await launch(kind);
    await before.console();
    const key = before.installationKey();
    await before.close({ keepData: true });
    app = await start(before.appData);
    const page = await app.console();
    expect(await app.gatewayPid()).not.toBeNull();
    expect(app.installationKey()).toBe(key);
    const isKept = await page.evaluate(() => (globalThis as unknown as InPage).faxdesk.keepsGateway?.());
    expect(isKept).toBe(true);
    expect(await page.evaluate(() => (globalThis as unknown as InPage).faxdesk.decidedByOffice?.())).toEqual(
      [],
    );
  });

  it('looks for no new versions, and a problem report says why', async (context) => {
    onlyThere(context);
    app = await start();
    await untilShown(app, QUESTION);
    const { message } = await checkForUpdates(app);
    expect(message).toContain('a server for several people, so Faxdesk installs no new versions');
    const report = join(folder, 'report.txt');
    await app.evaluate(({ recorder }, path) => recorder.saveDialogs.push(path), report);
    await (await app.window()).getByRole('button', { name: 'Save a problem report…' }).click();
    await expect.poll(() => existsSync(report)).toBe(true);
    expect(readFileSync(report, 'utf8')).toContain(
      'Computer for several people: yes: no gateway starts for this account',
    );
  });
});
