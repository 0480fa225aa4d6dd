import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../setup/eventually.ts';
import { type InPage, onEachKind, onlyStandin, sharedApp } from './each-kind.ts';

const folder = await mkdtemp(join(tmpdir(), 'faxdesk-documents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function document(name: string, text = '%PDF-1.4\n%%EOF\n'): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

onEachKind('the window', (kind) => {
  const shared = sharedApp(kind);

  describe('shows the console', () => {
    it('of the gateway that it started, from the origin of that gateway', async () => {
      const page = await shared.app.console();
      const { href } = await page.evaluate(() => ({ href: (globalThis as unknown as InPage).location.href }));
      expect(href).toContain(new URL(shared.app.gatewayUrl()).origin);
      await expect
        .poll(() => shared.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
        .toBe(true);
    });

    it('with the bridge and nothing else of the application', async () => {
      const page = await shared.page();
      const seen = await page.evaluate(() => {
        const it = globalThis as unknown as Record<string, unknown>;
        const names = ['require', 'process', 'module', 'ipcRenderer', 'electron', 'faxdeskApplication'];
        return { kinds: names.map((name) => typeof it[name]), frozen: Object.isFrozen(it['faxdesk']) };
      });
      expect(new Set(seen.kinds)).toEqual(new Set(['undefined']));
      expect(seen.frozen).toBe(true);
    });

    it('and gets the platform, the release and that the gateway runs', async () => {
      const page = await shared.page();
      const reported = await page.evaluate(async () => {
        const { faxdesk } = globalThis as unknown as InPage;
        const state = await new Promise((resolve) => faxdesk.onGateway(resolve));
        return { platform: faxdesk.platform, version: faxdesk.version, state };
      });
      expect(reported).toEqual({
        platform: process.platform,
        version: expect.stringMatching(/^\d+\.\d+/),
        state: 'running',
      });
    });
  });

  describe('takes documents of Send as fax', () => {
    it('from a second instance, which ends at once', async () => {
      const page = await shared.page();
      const path = await document('referral.pdf');
      expect(await shared.app.secondInstance(path)).toBe(0);
      const take = () => page.evaluate(() => (globalThis as unknown as InPage).faxdesk.takeFiles());
      const files = await eventually(async () => {
        const taken = await take();
        expect(taken).toHaveLength(1);
        return taken.map(({ name, type, bytes }) => ({ name, type, size: Object.keys(bytes).length }));
      });
      expect(files).toEqual([{ name: 'referral.pdf', type: 'application/pdf', size: 15 }]);
      expect(await take()).toEqual([]);
    });

    it('and by the address of a file, as Linux desktops name it', async () => {
      const page = await shared.page();
      const path = await document('lab result.pdf');
      expect(await shared.app.secondInstance(pathToFileURL(path).href)).toBe(0);
      const files = await eventually(async () => {
        const taken = await page.evaluate(() => (globalThis as unknown as InPage).faxdesk.takeFiles());
        expect(taken).toHaveLength(1);
        return taken;
      });
      expect(files[0]?.name).toBe('lab result.pdf');
    });

    it('and collects several, which a listening page is given once', async () => {
      const page = await shared.page();
      const paths = await Promise.all(['one.pdf', 'two.txt'].map((name) => document(name)));
      await page.evaluate(() => {
        const it = globalThis as unknown as InPage & { seen: string[] };
        it.seen = [];
        it.faxdesk.onFiles((files) => it.seen.push(...files.map(({ name }) => name)));
      });
      await shared.app.secondInstance(...paths);
      const seen = () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      await expect.poll(seen).toEqual(['one.pdf', 'two.txt']);
      const [path] = paths;
      await shared.app.evaluate(
        ({ app }, path) => void app.emit('open-file', { preventDefault() {} }, path),
        path,
      );
      await expect.poll(seen).toEqual(['one.pdf', 'two.txt', 'one.pdf']);
    });

    it('but neither folders nor what is too large, and says so', async (context) => {
      onlyStandin(kind, context);
      const path = join(folder, 'missing.pdf');
      await shared.app.evaluate(
        ({ app }, path) => void app.emit('open-file', { preventDefault() {} }, path),
        path,
      );
      const boxes = () =>
        shared.app.evaluate(({ recorder }) => recorder.messageBoxes.map(({ detail }) => detail));
      await expect.poll(boxes).toEqual(['missing.pdf: It could not be read.']);
    });
  });

  describe('stays where it belongs', () => {
    it('when a page leads elsewhere; only links to the web go to the browser', async () => {
      const page = await shared.page();
      const before = page.url();
      for (const target of ['https://example.com/', 'http://127.0.0.1:1/', 'faxdesk://new-fax']) {
        await page.evaluate((url) => {
          (globalThis as unknown as InPage).location.href = url;
        }, target);
        // The next one must not take its place before the application was asked.
        await page.evaluate(() => (globalThis as unknown as InPage).faxdesk.preferences());
      }
      expect(page.url()).toBe(before);
      if (kind === 'Electron') return;
      const opened = () =>
        shared.app.evaluate(({ recorder }) =>
          recorder.calls.filter(([name]) => name === 'shell.openExternal'),
        );
      await expect.poll(opened).toEqual([['shell.openExternal', 'https://example.com/']]);
    });

    it('when a page opens another window', async () => {
      const page = await shared.page();
      await page.evaluate(
        () =>
          void (globalThis as unknown as { open(url: string): object | null }).open('https://example.org/'),
      );
      expect(await shared.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
      if (kind === 'Electron') return;
      const asked = () =>
        shared.app.evaluate(({ recorder }) => recorder.calls.filter(([name]) => name === 'window.open'));
      await expect.poll(asked).toEqual([['window.open', 'https://example.org/', 'deny']]);
    });

    it('and requests nothing from any other origin', async () => {
      const page = await shared.page();
      const answer = await page.evaluate(() =>
        fetch('http://localhost:1/').then(
          () => 'answered',
          () => 'refused',
        ),
      );
      expect(answer).toBe('refused');
    });

    it('and is given no permission but those of the console', async (context) => {
      onlyStandin(kind, context);
      const origin = new URL((await shared.page()).url()).origin;
      const ask = (permission: string, from: string, media: string[] = []) =>
        shared.app.evaluate(
          ({ session }, { permission, from, media }) => {
            const own = session.fromPartition('persist:own') as unknown as {
              permissionRequest(...args: unknown[]): void;
              permissionCheck(...args: unknown[]): boolean;
            };
            const checked = own.permissionCheck(null, permission, from, { mediaType: media[0] });
            return new Promise<boolean[]>((resolve) =>
              own.permissionRequest(null, permission, (granted: boolean) => resolve([checked, granted]), {
                requestingUrl: from,
                mediaTypes: media,
              }),
            );
          },
          { permission, from, media },
        );
      expect(await ask('clipboard-sanitized-write', origin)).toEqual([true, true]);
      expect(await ask('loopback-network', origin)).toEqual([true, true]);
      expect(await ask('clipboard-sanitized-write', 'https://example.com')).toEqual([false, false]);
      // The camera alone, for the code of a card.
      expect(await ask('media', origin, ['video'])).toEqual([true, true]);
      expect(await ask('media', origin, ['audio'])).toEqual([false, false]);
      expect(await ask('media', origin, ['video', 'audio'])).toEqual([true, false]);
      expect(await ask('media', 'https://example.com', ['video'])).toEqual([false, false]);
      for (const permission of [
        'media',
        'geolocation',
        'notifications',
        'clipboard-read',
        'usb',
        'openExternal',
      ])
        expect(await ask(permission, origin)).toEqual([false, false]);
    });
  });

  describe('answers a page', () => {
    it('only when its arguments fit', async () => {
      const page = await shared.page();
      const refusals = await page.evaluate(async () => {
        const { faxdesk } = globalThis as unknown as InPage;
        const tries = [
          () => faxdesk.setPreferences({ gateway: { kind: 'own' } } as never),
          () => faxdesk.setTray({ state: 'party' } as never),
          () => faxdesk.showNotice({ title: 'A', body: '', open: 'https://example.com' }),
        ];
        return Promise.all(
          tries.map((work) =>
            work().then(
              () => 'answered',
              (error: Error) => error.message,
            ),
          ),
        );
      });
      for (const words of refusals) expect(words).toContain('do not fit');
    });

    it('only from its own origin', async () => {
      const page = await shared.page();
      const before = page.url();
      await shared.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.loadURL('data:text/html,<title>elsewhere</title>'),
      );
      await page.waitForURL(/^data:/u);
      const refusal = await page.evaluate(() =>
        (globalThis as unknown as InPage).faxdesk.preferences().then(
          () => 'answered',
          (error: Error) => error.message,
        ),
      );
      await shared.app.evaluate(
        ({ BrowserWindow }, url) => BrowserWindow.getAllWindows()[0]?.loadURL(url),
        before,
      );
      expect(refusal).toContain('This page may not ask for that.');
    });
  });
});
