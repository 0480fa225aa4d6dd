import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../../server/index.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { SEALED_KEY_MARK } from '../../shared/data-folder.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { eventually } from '../setup/eventually.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind } from './each-kind.ts';

const PLAIN_KEY = Buffer.alloc(32, 7).toString('base64');
const BOUNDS = { x: 40, y: 60, width: 1010, height: 720 };

/** The folder of an installation that ran without a window: its data key lies open. */
async function earlierInstallation(): Promise<string> {
  const appData = await mkdtemp(join(tmpdir(), 'faxdesk-desktop-'));
  const data = join(appData, 'Faxdesk', 'data');
  await mkdir(data, { recursive: true });
  await writeFile(join(data, 'data.key'), `${PLAIN_KEY}\n`, { mode: 0o600 });
  return appData;
}

/** The same data folder without a window. */
function headless(dataFolder: string): Promise<unknown> {
  return startGateway({
    boot: bootOptions(dataFolder, null),
    environment: {},
    logger: createLogger({ write: () => {} }),
  });
}

onEachKind('the application', (kind) => {
  let app: DesktopApp;
  beforeAll(async () => {
    if (missing(kind) === null) app = await launch(kind, { appData: await earlierInstallation() });
  });
  afterAll(() => app?.close());

  const keyFile = () => readFileSync(join(app.dataFolder, 'data.key'), 'utf8').trim();

  async function set(changes: object): Promise<object> {
    const page = await app.console();
    return page.evaluate((given) => (globalThis as unknown as InPage).faxdesk.setPreferences(given), changes);
  }

  it('signs the first owner in without a page seeing the installation key, and only the first', async () => {
    const page = await app.console();
    // The page signs in as it opens, and only the session of the last sign-in stays valid.
    await page.locator('h1, h2').first().waitFor();
    const signIn = () =>
      page.evaluate(() => (globalThis as unknown as InPage).faxdesk.signInFirstOwner('p'.repeat(43)));
    const me = () =>
      page.evaluate(
        async () => (await fetch('/auth/me', { headers: { 'X-Page-Token': 'p'.repeat(43) } })).status,
      );
    // Only the window may; its page may have done so already.
    expect((await fetch(`${app.gatewayUrl()}/auth/me`)).status).toBe(401);
    expect(await signIn()).toBe(true);
    expect(await me()).toBe(200);
    const headers = { 'X-API-Key': app.installationKey(), 'Content-Type': 'application/json' };
    const context = await fetch(`${app.gatewayUrl()}/auth/context`, { headers });
    const { policy_version } = (await context.json()) as { policy_version: number };
    const body = JSON.stringify({
      login: 'ada',
      display_name: 'Ada',
      expected_policy_version: policy_version,
    });
    const made = await fetch(`${app.gatewayUrl()}/auth/owner/enroll`, { method: 'POST', headers, body });
    expect(made.status, await made.clone().text()).toBe(200);
    expect(await signIn()).toBe(false);
  });

  it('starts at login where a person chose that', async () => {
    if (kind === 'stand-in' && process.platform === 'linux') {
      const entry = join(app.appData, 'autostart', 'faxdesk.desktop');
      await set({ startAtLogin: true });
      const text = await readFile(entry, 'utf8');
      expect(text).toMatch(/^Exec=".+" --hidden$/mu);
      // Desktops start no entry whose program is gone.
      expect(text).toContain(`\nTryExec=${process.execPath}\n`);
      await set({ startAtLogin: false });
      expect(existsSync(entry)).toBe(false);
    }
    expect(await set({})).toMatchObject({ startAtLogin: false });
  });

  it('remembers all of it at the next start, which login keeps in the tray until it is called', async () => {
    await app.console();
    await app.evaluate(
      ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
      BOUNDS,
    );
    expect(await set({ noticesNameSender: true })).toMatchObject({ gateway: { kind: 'own' } });
    const sealed = keyFile();
    if (kind === 'stand-in') expect(sealed.slice(0, SEALED_KEY_MARK.length)).toBe(SEALED_KEY_MARK);
    const files = ['window.json', 'preferences.json'].map((name) => join(app.userData, name));
    await eventually(() => expect(files.filter((file) => !existsSync(file))).toEqual([]));
    const isPrivate = (path: string) => process.platform === 'win32' || (statSync(path).mode & 0o077) === 0;
    const kept = ['data.key', 'faxdesk.sqlite', 'gateway.lock'].map((name) => join(app.dataFolder, name));
    expect([...files, app.dataFolder, ...kept].filter((path) => !isPrivate(path))).toEqual([]);
    await app.close({ keepData: true });
    if (kind === 'stand-in')
      await expect(headless(app.dataFolder)).rejects.toThrow(
        'sealed in the keychain of the desktop application',
      );

    app = await launch(kind, { appData: app.appData, words: ['--hidden'] });
    expect(await set({})).toMatchObject({ noticesNameSender: true });
    expect(keyFile()).toBe(sealed);
    const window = () =>
      app.evaluate(({ BrowserWindow }) => {
        const [it] = BrowserWindow.getAllWindows();
        return { visible: it?.isVisible(), bounds: it?.getNormalBounds() };
      });
    expect(await window()).toMatchObject(
      kind === 'stand-in' ? { visible: false, bounds: BOUNDS } : { visible: false },
    );
    await app.secondInstance();
    await expect.poll(async () => (await window()).visible).toBe(true);
  });
});
