import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkForUpdates } from './check-for-updates.ts';
import { type DesktopApp, launch } from './desktop-app.ts';
import { onEachKind, onlyStandin } from './each-kind.ts';

const FROM_IMAGE = {
  STANDIN_PLATFORM: 'darwin',
  STANDIN_PROGRAM: '/Volumes/Faxdesk 0.1.0/Faxdesk.app/Contents/MacOS/Faxdesk',
  FAXDESK_UPDATES: '/srv/faxdesk',
};

onEachKind('an application that macOS runs from its disk image', (kind) => {
  const dialogs = (app: DesktopApp) =>
    app.evaluate(({ recorder }) => recorder.messageBoxes.map(({ message }) => message));

  it('is moved when the person wants it, before anything of it has begun', async (context) => {
    onlyStandin(kind, context);
    const app = await launch(kind, { env: FROM_IMAGE });
    try {
      const moves = () =>
        app.evaluate(
          ({ recorder }) => recorder.calls.filter(([name]) => name === 'app.moveToApplicationsFolder').length,
        );
      await expect.poll(moves).toBe(1);
      expect(await dialogs(app)).toEqual(['Move Faxdesk to Applications?']);
      expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
      expect(existsSync(app.dataFolder)).toBe(false);
    } finally {
      await app.close();
    }
  });

  it('starts without a question at the sign-in, and says why it gets no new versions', async (context) => {
    onlyStandin(kind, context);
    const app = await launch(kind, { env: FROM_IMAGE, words: ['--hidden'] });
    try {
      const { message, buttons } = await checkForUpdates(app);
      expect(message).toMatch(/^Faxdesk was opened from its disk image .* choose Move to Applications\.$/u);
      expect(buttons).toEqual(['OK']);
      expect(await dialogs(app)).not.toContain('Move Faxdesk to Applications?');
    } finally {
      await app.close();
    }
  });
});
