import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { entryOf, INSTALLER, signedEntry, writeFeed } from '../setup/update-feed.ts';
import { checkForUpdates, chooseCheck } from './check-for-updates.ts';
import { launch } from './desktop-app.ts';
import { onEachKind, onlyStandin, sharedApp } from './each-kind.ts';
import { buildWithKey } from './newer-version.ts';
import type { Notification, Tray } from './standin/parts.ts';

const VERSION = '999.0.0';
const FILE = `Faxdesk-${VERSION}-linux-x86_64.AppImage`;

onEachKind('a new version', (kind) => {
  const feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
  afterAll(() => rmSync(feed, { recursive: true }));
  const shared = sharedApp(kind, { env: { FAXDESK_UPDATES: feed } });

  it('is not offered before the system has checked its publisher, and its download is kept', async (context) => {
    onlyStandin(kind, context);
    const { app } = shared;
    const entry = entryOf({ version: VERSION, file: FILE });
    writeFeed(feed, entry);
    writeFileSync(join(feed, `latest-darwin-${process.arch}.json`), JSON.stringify(entry));
    // A packed application on a Mac, whose programs this computer does not have.
    const pretend = (isPackaged: boolean, value: string) =>
      app.evaluate(
        ({ app }, changes) => {
          Object.assign(app, { isPackaged: changes.isPackaged });
          Object.defineProperty(process, 'platform', { value: changes.value });
        },
        { isPackaged, value },
      );
    await pretend(true, 'darwin');
    try {
      const { message, buttons } = await checkForUpdates(app);
      expect(message).toContain('could not check who published the new version');
      expect(buttons).toEqual(['OK']);
      const kept = readdirSync(join(app.userData, 'updates'));
      expect(kept).toEqual([expect.stringMatching(/\.part\.AppImage$/u)]);
    } finally {
      await pretend(false, process.platform);
    }
  });

  it('is offered with its notes in the menu, the tray and a notice, and its installer is shown', async (context) => {
    onlyStandin(kind, context);
    const { app } = shared;
    writeFeed(feed, entryOf({ version: VERSION, file: FILE }));
    const shown = await checkForUpdates(app);
    expect(shown.message).toBe(`Faxdesk ${VERSION} is ready to install.`);
    expect(shown.detail).toContain('Faxes are easier to find.');
    expect(shown.buttons).toEqual(['Show installer', 'Later']);
    const seen = await app.evaluate(({ recorder }) => ({
      tray: (recorder.trays as Tray[])[0]?.menu?.getMenuItemById('update')?.label,
      notices: (recorder.notifications as Notification[]).map(({ title }) => title),
      files: recorder.calls.filter(([name]) => name === 'shell.showItemInFolder').map(([, path]) => path),
    }));
    const path = join(app.userData, 'updates', FILE);
    expect(seen.tray).toBe(`Faxdesk ${VERSION} is ready…`);
    expect(seen.notices).toContain(`Faxdesk ${VERSION} is ready`);
    expect(seen.files).toEqual([path]);
    expect(readFileSync(path)).toEqual(INSTALLER);
  });
});

onEachKind('an application with a key of its makers', (kind) => {
  const feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
  afterAll(() => rmSync(feed, { recursive: true }));

  it('says that a version comes from others, and offers the one of its makers', async (context) => {
    onlyStandin(kind, context);
    const app = await launch(kind, { env: { FAXDESK_UPDATES: feed }, main: await buildWithKey() });
    try {
      await app.console();
      writeFeed(feed, entryOf({ version: VERSION, file: FILE }));
      const refused = await checkForUpdates(app);
      expect(refused.message).toContain('does not come from the makers of this Faxdesk');
      expect(refused.buttons).toEqual(['OK']);
      expect(existsSync(join(app.userData, 'updates'))).toBe(false);
      writeFeed(feed, signedEntry(entryOf({ version: VERSION, file: FILE })));
      expect(await checkForUpdates(app)).toMatchObject({
        message: `Faxdesk ${VERSION} is ready to install.`,
      });
    } finally {
      await app.close();
    }
  });
});

onEachKind('a new version with an installer', (kind) => {
  const feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
  afterAll(() => rmSync(feed, { recursive: true }));
  const file = `Faxdesk-${VERSION}-win-x64.exe`;
  const env = { FAXDESK_UPDATES: feed };

  it('rule (desktop): is installed after a backup and an ordered stop, and the application quits', async (context) => {
    onlyStandin(kind, context);
    writeFeed(feed, entryOf({ version: VERSION, file }));
    const app = await launch(kind, { env });
    try {
      await app.console();
      await chooseCheck(app);
      expect(await app.ended).toBe(0);
      expect(app.output()).toContain(`the installer of version ${VERSION} was opened`);
      const backups = readdirSync(join(app.dataFolder, 'backups'));
      expect(backups.filter((name) => /^faxdesk-[\d-]+\.zip$/u.test(name))).toHaveLength(1);
      // Left behind by a gateway that did not end by itself.
      expect(existsSync(join(app.dataFolder, 'gateway.json'))).toBe(false);
    } finally {
      await app.close();
    }
  });

  it('is not installed without a backup, and the gateway works on', async (context) => {
    onlyStandin(kind, context);
    writeFeed(feed, entryOf({ version: VERSION, file }));
    const app = await launch(kind, { env });
    try {
      await app.console();
      writeFileSync(join(app.dataFolder, 'backups'), 'no folder');
      const shown = await checkForUpdates(app);
      expect(shown.buttons).toEqual(['Install now', 'Show installer', 'Later']);
      expect(shown.detail).toContain('waits until no fax is being sent, closes Faxdesk, makes a backup');
      const said = () => app.evaluate(({ recorder }) => recorder.messageBoxes.at(-1)?.message);
      await expect
        .poll(said)
        .toMatch(
          /^The backup before the installation could not be made, so nothing was installed\. The backup folder .* cannot be created/u,
        );
      const calls = await app.evaluate(({ recorder }) => recorder.calls.map(([name]) => name));
      expect(calls).not.toContain('shell.openPath');
      const health = await fetch(new URL('/health', app.gatewayUrl()));
      expect(health.status).toBe(200);
    } finally {
      await app.close();
    }
  });
});

onEachKind('a new version of an AppImage', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-appimage-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const feed = join(folder, 'feed');
  const own = join(folder, 'Faxdesk-0.1.0-linux-x86_64.AppImage');
  const started = join(folder, 'started');
  const program = Buffer.from(`#!/bin/sh\necho "$0" >${started}\n`);
  const sha512 = createHash('sha512').update(program).digest('hex');
  /** The stand-in runs from the folder of Node. */
  const runsFrom = (path: string) => ({ APPIMAGE: path, APPDIR: dirname(process.execPath) });

  it('rule (desktop): takes the place of the one that runs, is started in it, and the older one is kept', async (context) => {
    onlyStandin(kind, context);
    writeFeed(feed, entryOf({ version: VERSION, file: FILE, size: program.length, sha512 }), program);
    writeFileSync(own, 'the version before', { mode: 0o755 });
    const left = join(folder, `.${basename(own)}.new`);
    writeFileSync(left, 'half of a version');
    const app = await launch(kind, { env: { FAXDESK_UPDATES: feed, ...runsFrom(own) } });
    try {
      await app.console();
      expect(existsSync(left)).toBe(false);
      await chooseCheck(app);
      expect(await app.ended).toBe(0);
      expect(readFileSync(own)).toEqual(program);
      await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8')).toBe(`${own}\n`);
      const record = JSON.parse(readFileSync(join(app.userData, 'update.json'), 'utf8')) as {
        kept: { version: string; file: string };
        underway: object;
      };
      expect(record.underway).toMatchObject({ to: VERSION, from: record.kept.version });
      expect(readFileSync(record.kept.file, 'utf8')).toBe('the version before');
      expect(readdirSync(folder).toSorted()).toEqual([basename(own), 'feed', 'started']);
    } finally {
      await app.close();
    }
  });

  it('is refused where its folder cannot be changed', async (context) => {
    onlyStandin(kind, context);
    writeFeed(feed, entryOf({ version: VERSION, file: FILE, size: program.length, sha512 }), program);
    const place = join(folder, 'missing', 'Faxdesk.AppImage');
    const app = await launch(kind, { env: { FAXDESK_UPDATES: feed, ...runsFrom(place) } });
    try {
      await app.console();
      const { detail, buttons } = await checkForUpdates(app);
      expect(detail).toContain(`cannot change the folder of Faxdesk (${join(folder, 'missing')})`);
      expect(buttons).toEqual(['OK']);
    } finally {
      await app.close();
    }
  });
});

onEachKind('an installation that this account cannot change', (kind) => {
  const feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
  afterAll(() => rmSync(feed, { recursive: true }));
  const env = { FAXDESK_UPDATES: feed, STANDIN_PROGRAM: join(feed, 'missing', 'faxdesk') };
  const shared = sharedApp(kind, { env });

  it('is not replaced, and the dialog says so', async (context) => {
    onlyStandin(kind, context);
    writeFeed(feed, entryOf({ version: VERSION, file: `Faxdesk-${VERSION}-win-x64.exe` }));
    const { detail, buttons } = await checkForUpdates(shared.app);
    expect(detail).toMatch(/^Your account cannot change the folder of Faxdesk/u);
    expect(buttons).toEqual(['OK']);
  });
});

onEachKind('a computer without a place for new versions', (kind) => {
  const shared = sharedApp(kind);

  it('looks for none, and says so', async (context) => {
    onlyStandin(kind, context);
    const { message, buttons } = await checkForUpdates(shared.app);
    expect(message).toContain('does not look for new versions');
    expect(buttons).toEqual(['OK']);
  });
});
