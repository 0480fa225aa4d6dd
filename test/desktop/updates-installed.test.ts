import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WAY_BACK_FILE } from '../../shared/data-folder.ts';
import type { CloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import { sendingSettings, startTestEmulator, textFile } from '../setup/gateway.ts';
import { entryOf, writeFeed } from '../setup/update-feed.ts';
import { checkForUpdates, chooseCheck } from './check-for-updates.ts';
import { type DesktopApp, launch } from './desktop-app.ts';
import { onEachKind, onlyStandin, untilShown } from './each-kind.ts';
import { buildFailingVersion, NEWER } from './newer-version.ts';
import type { Notification } from './standin/parts.ts';

const FILE = `Faxdesk-${NEWER}-win-x64.exe`;
const REPAIRED = '999.0.1';
const OWN = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;

onEachKind('an update', (kind) => {
  let feed: string;
  let emulator: CloudoneEmulator;
  let app: DesktopApp;

  beforeEach(async () => {
    feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
    writeFeed(feed, entryOf({ version: NEWER, file: FILE }));
    emulator = await startTestEmulator();
  });

  afterEach(async () => {
    await app?.close();
    await emulator.close();
    rmSync(feed, { recursive: true });
  });

  /** Starts the application, with the data of the one before. */
  async function start(
    { isNewer = false, main }: { isNewer?: boolean; main?: string } = {},
    appData?: string,
  ) {
    const version: Record<string, string> = isNewer ? { STANDIN_VERSION: NEWER } : {};
    app = await launch(kind, {
      env: { ...sendingSettings(emulator), FAXDESK_UPDATES: feed, ...version },
      ...(appData === undefined ? {} : { appData }),
      ...(main === undefined ? {} : { main }),
    });
  }

  function request(path: string, options: RequestInit = {}): Promise<Response> {
    const headers = { 'X-API-Key': app.installationKey() };
    return fetch(`${app.gatewayUrl()}${path}`, { ...options, headers });
  }

  async function send(): Promise<string> {
    const body = new FormData();
    body.append('to', '+12025550123');
    body.append('file', textFile());
    return ((await (await request('/fax', { method: 'POST', body })).json()) as { id: string }).id;
  }

  const stateOf = async (id: string) =>
    ((await (await request(`/fax/${id}`)).json()) as { delivery_state: string }).delivery_state;
  const notices = () =>
    app.evaluate(({ recorder }) => (recorder.notifications as Notification[]).map(({ title }) => title));
  const record = () =>
    JSON.parse(readFileSync(join(app.userData, 'update.json'), 'utf8')) as Record<string, object | null>;
  const isWayBackOpen = () => existsSync(join(app.dataFolder, WAY_BACK_FILE));

  it('rule (desktop): waits for the fax that is being sent, and the new version goes on with it', async (context) => {
    onlyStandin(kind, context);
    await start();
    await app.console();
    emulator.setFault({ kind: 'slow', method: 'POST' });
    const id = await send();
    await emulator.waitUntilHeld();
    await chooseCheck(app);
    await expect.poll(notices).toContain('The new version is about to be installed');
    expect(await stateOf(id)).toBe('submitting');
    emulator.release();
    expect(await app.ended).toBe(0);
    expect(app.output()).toContain(`the installer of version ${NEWER} was opened`);
    expect(record()).toMatchObject({
      underway: { from: OWN, to: NEWER, canRestore: true, hasStarted: false },
      kept: null,
    });
    expect(isWayBackOpen()).toBe(true);

    await start({ isNewer: true }, app.appData);
    await app.console();
    await expect.poll(notices).toContain(`Faxdesk was updated to ${NEWER}`);
    expect(isWayBackOpen()).toBe(false);
    expect(await stateOf(id)).toBe('in_progress');
    expect(emulator.counts.accepted).toBe(1);
    expect(record()).toMatchObject({ underway: null, kept: { version: NEWER } });
    expect(readdirSync(join(app.userData, 'kept-installer'))).toEqual([FILE]);
  });

  /** Publishes the version that runs, as it was before the newer one. */
  function publishOwn(): void {
    const file = `Faxdesk-${OWN}-win-x64.exe`;
    const bytes = Buffer.from('the installer before');
    const sha512 = createHash('sha512').update(bytes).digest('hex');
    const entry = entryOf({ version: OWN, file, size: bytes.length, sha512 });
    writeFileSync(join(feed, file), bytes);
    writeFileSync(join(feed, `${OWN}-linux-x64.json`), JSON.stringify(entry));
  }

  it('rule (desktop): that fails goes back to the version and data from before, and a fax that waits is sent once', async (context) => {
    onlyStandin(kind, context);
    const failing = await buildFailingVersion();
    await start();
    const { appData } = app;
    await app.console();
    publishOwn();
    emulator.setFault({ kind: 'rate-limited', method: 'POST', count: 10_000, retryAfter: '1' });
    const id = await send();
    await chooseCheck(app);
    expect(await app.ended).toBe(0);
    expect(isWayBackOpen()).toBe(true);
    // It was installed by hand, so that its installer came from the place.
    const kept = join(app.userData, 'kept-installer', `Faxdesk-${OWN}-win-x64.exe`);
    expect(record()).toMatchObject({ kept: { version: OWN, file: kept } });

    writeFileSync(kept, 'another program');
    await start({ isNewer: true, main: failing }, appData);
    let page = await untilShown(app, `Faxdesk ${NEWER} could not start`);
    expect(await page.locator('pre').innerText()).toContain('the migration of the newer version failed');
    await untilShown(app, `The kept installer of version ${OWN} is damaged.`);
    expect(await page.getByRole('button', { name: 'Go back' }).count()).toBe(0);
    writeFileSync(kept, 'the installer before');
    await page.getByRole('button', { name: 'Try again' }).click();
    page = await untilShown(app, `You can go back to version ${OWN}.`);
    const goBack = page.getByRole('button', { name: `Go back to version ${OWN}` });
    // The window may be gone before the click is answered.
    await goBack.click().catch((error: unknown) => {
      if (!page.isClosed()) throw error;
    });
    expect(await app.ended).toBe(0);
    expect(app.output()).toContain(`the installer of version ${OWN} was opened`);
    expect(isWayBackOpen()).toBe(true);

    emulator.clearFaults();
    await start({}, appData);
    await app.console();
    await expect.poll(notices).toContain(`Faxdesk is back at version ${OWN}`);
    await expect.poll(() => stateOf(id)).toBe('in_progress');
    expect(emulator.counts.accepted).toBe(1);
    expect(isWayBackOpen()).toBe(false);
    expect(readdirSync(app.dataFolder).filter((name) => name.startsWith('before_restore_'))).toHaveLength(1);
    const { message, buttons } = await checkForUpdates(app);
    expect(message).toBe(`Faxdesk ${NEWER} did not work on this computer, so it is not offered again.`);
    expect(buttons).toEqual(['OK']);
    expect(record()).toMatchObject({ underway: null, paused: NEWER, kept: { version: OWN } });
  });

  it('that fails without a kept installer says what to do, and the version before restores the data', async (context) => {
    onlyStandin(kind, context);
    const failing = await buildFailingVersion();
    await start();
    await app.console();
    const { appData } = app;
    await chooseCheck(app);
    expect(await app.ended).toBe(0);
    await start({ isNewer: true, main: failing }, appData);
    await untilShown(app, `There is no installer of version ${OWN} on this computer.`);
    // A repaired version may be the cure; the way back still leads to the version that worked.
    writeFeed(feed, entryOf({ version: REPAIRED, file: FILE }));
    await chooseCheck(app);
    expect(await app.ended).toBe(0);
    expect(record()).toMatchObject({ underway: { from: OWN, to: REPAIRED, canRestore: true } });
    await start({}, appData);
    await app.console();
    expect((await request('/health')).status).toBe(200);
    expect(isWayBackOpen()).toBe(false);
    expect(readdirSync(app.dataFolder).filter((name) => name.startsWith('before_restore_'))).toHaveLength(1);
  });
});
