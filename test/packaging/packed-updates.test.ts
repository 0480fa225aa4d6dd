import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAY_BACK_FILE } from '../../shared/data-folder.ts';
import { checkForUpdates, chooseCheck } from '../desktop/check-for-updates.ts';
import { type DesktopApp, launch, missing } from '../desktop/desktop-app.ts';
import { untilShown } from '../desktop/each-kind.ts';
import { makeFailing, NEWER } from '../desktop/newer-version.ts';
import type { Notification } from '../desktop/standin/parts.ts';
import type { Skippable } from '../setup/tools.ts';
import {
  entryOf,
  INSTALLER,
  MAKERS,
  OTHERS,
  serveFeed,
  signedEntry,
  writeFeed,
} from '../setup/update-feed.ts';
import { needPacked, type PackedApp, pack } from './packed.ts';

const OWN = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const FILE = `Faxdesk-${NEWER}-win-x64.exe`;
const OWN_FILE = `Faxdesk-${OWN}-win-x64.exe`;
const OWN_INSTALLER = Buffer.from('the installer of the version before');

let packed: PackedApp | string = 'it was not packed';
let root = '';
let folder: string;
let server: Awaited<ReturnType<typeof serveFeed>>;
let app: DesktopApp | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-packed-updates-'));
  server = await serveFeed(join(folder, 'feed'));
  packed = await pack('linux', 'x64', { privateKeys: [], publicKeys: [MAKERS.publicKey] });
  if (typeof packed !== 'string') root = packed.extract();
}, 300_000);

afterAll(async () => {
  await app?.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  if (typeof packed !== 'string') await packed.close();
});

/** Publishes the newer version, and the one that runs under its number. */
function publish(
  changes: Record<string, unknown> = {},
  keys = [MAKERS.privateKey],
  installer: Uint8Array = INSTALLER,
) {
  const feed = join(folder, 'feed');
  writeFeed(feed, signedEntry(entryOf({ version: NEWER, file: FILE, ...changes }), keys), installer);
  const sha512 = createHash('sha512').update(OWN_INSTALLER).digest('hex');
  const own = entryOf({ version: OWN, file: OWN_FILE, size: OWN_INSTALLER.length, sha512 });
  writeFileSync(join(feed, OWN_FILE), OWN_INSTALLER);
  writeFileSync(join(feed, `${OWN}-linux-x64.json`), JSON.stringify(signedEntry(own)));
}

describe('the packed application with the key of its makers', () => {
  function needStart(context: Skippable): void {
    needPacked(context, packed);
    if (process.platform !== 'linux') context.skip('its binaries are for Linux');
    const reason = missing('stand-in');
    if (reason !== null) context.skip(reason);
  }

  /** Starts what was taken out of the archive, with the data of the one before. */
  async function start(folderOfIt: string, version?: string): Promise<DesktopApp> {
    const appData = app?.appData;
    const env = {
      FAXDESK_UPDATES: server.address,
      ...(version === undefined ? {} : { STANDIN_VERSION: version }),
    };
    const main = join(folderOfIt, 'out/desktop/main.mjs');
    return (app = await launch('stand-in', { env, main, ...(appData === undefined ? {} : { appData }) }));
  }

  it('takes nothing that is older, from others, damaged or broken off', async (context) => {
    needStart(context);
    const running = await start(root);
    await running.console();
    const downloads = join(running.userData, 'updates');
    const present = () => (existsSync(downloads) ? readdirSync(downloads) : []);
    const message = async () => (await checkForUpdates(running)).message;

    publish({ version: '0.0.1' });
    expect(await message()).toBe('You have the newest version of Faxdesk.');
    publish({}, [OTHERS.privateKey]);
    expect(await message()).toContain('does not come from the makers of this Faxdesk');
    expect(present()).toEqual([]);
    publish({}, undefined, Buffer.from(INSTALLER).reverse());
    expect(await message()).toContain('arrived damaged and was thrown away');
    expect(present()).toEqual([]);

    publish();
    const part = () => present().find((name) => name.includes('.part.'));
    server.breakOff(100_000, () => statSync(join(downloads, part() ?? '')).size === 100_000);
    expect(await message()).toContain('could not be downloaded completely');
    expect(part()).toBeDefined();
    server.repair();
  }, 120_000);

  it('continues the download, installs the whole version, and goes back from it when its migration fails', async (context) => {
    needStart(context);
    let running = app ?? (await start(root));
    await chooseCheck(running);
    expect(await running.ended).toBe(0);
    expect(server.ranges).toContain('bytes=100000-');
    expect(running.output()).toContain(`the installer of version ${NEWER} was opened`);
    expect(readFileSync(join(running.userData, 'kept-installer', OWN_FILE))).toEqual(OWN_INSTALLER);

    // Stands in for the installer.
    const newer = join(folder, 'newer');
    cpSync(root, newer, { recursive: true });
    await makeFailing(join(newer, 'out/desktop'), { isPacked: true });
    running = await start(newer, NEWER);
    const page = await untilShown(running, `You can go back to version ${OWN}.`);
    await page
      .getByRole('button', { name: `Go back to version ${OWN}` })
      .click()
      .catch((error: unknown) => {
        if (!page.isClosed()) throw error;
      });
    expect(await running.ended).toBe(0);
    expect(running.output()).toContain(`the installer of version ${OWN} was opened`);

    running = await start(root);
    await running.console();
    const notices = () =>
      running.evaluate(({ recorder }) =>
        (recorder.notifications as Notification[]).map(({ title }) => title),
      );
    await expect.poll(notices).toContain(`Faxdesk is back at version ${OWN}`);
    expect(existsSync(join(running.dataFolder, WAY_BACK_FILE))).toBe(false);
    expect((await checkForUpdates(running)).message).toContain('so it is not offered again');
  }, 180_000);
});
