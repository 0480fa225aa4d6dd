import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { entryOf, INSTALLER, writeFeed } from '../setup/update-feed.ts';
import type { DesktopApp } from './desktop-app.ts';
import { onEachKind, onlyStandin, sharedApp } from './each-kind.ts';
import type { Notification, Tray } from './standin/parts.ts';

const VERSION = '999.0.0';
const FILE = `Faxdesk-${VERSION}-linux-x86_64.AppImage`;

/** The dialogs after *Help > Check for updates* was chosen once more. */
async function checkForUpdates(app: DesktopApp) {
  const count = () => app.evaluate(({ recorder }) => recorder.messageBoxes.length);
  const before = await count();
  const choose = () =>
    app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      const item = items?.find(({ label }) => label === 'Check for updates…');
      item?.click();
      return item !== undefined;
    });
  // The menu comes with the window.
  await expect.poll(choose).toBe(true);
  await expect.poll(count).toBe(before + 1);
  return app.evaluate(({ recorder }) => {
    const { message, detail, buttons } = recorder.messageBoxes.at(-1) ?? {};
    return { message, detail, buttons };
  });
}

onEachKind('a new version', (kind) => {
  const feed = mkdtempSync(join(tmpdir(), 'faxdesk-feed-'));
  afterAll(() => rmSync(feed, { recursive: true }));
  const shared = sharedApp(kind, { env: { FAXDESK_UPDATES: feed } });

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

onEachKind('a computer without a place for new versions', (kind) => {
  const shared = sharedApp(kind);

  it('looks for none, and says so', async (context) => {
    onlyStandin(kind, context);
    const { message, buttons } = await checkForUpdates(shared.app);
    expect(message).toContain('does not look for new versions');
    expect(buttons).toEqual(['OK']);
  });
});
