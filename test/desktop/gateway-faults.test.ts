import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { SEALED_KEY_MARK } from '../../shared/data-folder.ts';
import { eventually } from '../setup/eventually.ts';
import type { DesktopApp } from './desktop-app.ts';
import { type InPage, onEachKind, sharedApp, untilShown, watchWords } from './each-kind.ts';

/** Ends the gateway's process as a crash does; resolves when another one runs, or none is to come. */
async function kill(app: DesktopApp): Promise<void> {
  const pid = await eventually(async () => (await app.gatewayPid()) ?? expect.unreachable('no gateway'));
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => app.gatewayPid()).not.toBe(pid);
}

function stateOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { faxdesk } = globalThis as unknown as InPage;
    return new Promise<string>((resolve) => {
      const stop = faxdesk.onGateway((state) => resolve(state));
      stop();
    });
  });
}

onEachKind('a gateway that crashes', (kind) => {
  const shared = sharedApp(kind);

  it('is started again on its port; the window says so meanwhile and keeps what was typed', async () => {
    const page = await shared.page();
    const before = shared.app.gatewayUrl();
    await page.evaluate(() => {
      (globalThis as unknown as { draft: string }).draft = 'typed';
    });
    const said = await watchWords(page, 'is restarting');
    await kill(shared.app);
    const asked = page.evaluate(async () => (await fetch('/health')).status);
    await said();
    expect(await asked, 'a request of that time waits for the gateway').toBe(200);
    await page.getByText('is restarting').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (globalThis as unknown as { draft: string }).draft)).toBe('typed');
    expect(shared.app.gatewayUrl()).toBe(before);
    await expect.poll(() => stateOf(page)).toBe('running');
  });

  it('is given up after three times, and started by a person, with its log and diagnostics to save', async () => {
    const page = await shared.page();
    for (let restarts = 1; restarts <= 3; restarts += 1) await kill(shared.app);
    await page.getByRole('heading', { name: 'Faxdesk could not start' }).waitFor();
    expect(await page.locator('pre').innerText()).toContain('the gateway is ready');
    expect(await shared.app.gatewayPid()).toBeNull();
    if (kind === 'stand-in') await expectConsoleIntact(shared.app, page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForFunction(() => (globalThis as unknown as InPage).location.href.includes('/admin/ui/'));
  });
});

/** Checks what a person sees beside the page, and the diagnostics they save. */
async function expectConsoleIntact(app: DesktopApp, page: Page): Promise<void> {
  const tray = await app.evaluate(
    ({ recorder }) => (recorder.trays as { toolTip: string; image: { path: string } }[])[0],
  );
  expect(tray?.toolTip).toContain('stopped');
  expect(tray?.image.path).toContain('broken');
  const file = join(app.appData, 'diagnostics.txt');
  await app.evaluate(({ recorder }, path) => void recorder.saveDialogs.push(path), file);
  await page.getByRole('button', { name: 'Save a problem report' }).click();
  const text = await eventually(() => readFile(file, 'utf8'));
  expect(text).toContain('Gateway: failed');
  expect(text).toContain('ended by itself (9)');
  expect(text).toContain('the gateway is ready');
  for (const left of [app.installationKey(), app.dataFolder, app.gatewayUrl() ?? 'http://127'])
    expect(text).not.toContain(left);
}

describe('the page shown without a gateway', () => {
  onEachKind('when the gateway cannot start at all', (kind) => {
    const shared = sharedApp(kind, { env: { HOST: 'no host at all' } });

    it('says why at once and starts nothing again until a person requests it', async () => {
      const page = await untilShown(shared.app, 'HOST must be a host name or an address');
      expect(await shared.app.gatewayPid()).toBeNull();
      if (kind === 'Electron') return;
      await writeFile(
        join(shared.app.dataFolder, 'data.key'),
        `${SEALED_KEY_MARK}c2VhbGVkIGVsc2V3aGVyZQ==\n`,
      );
      await page.getByRole('button', { name: 'Try again' }).click();
      await untilShown(shared.app, 'did not release the key');
      expect(await shared.app.gatewayPid()).toBeNull();
    });

    it('runs no script but its own', async () => {
      const page = await shared.app.window();
      const ran = await page.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: {
            createElement(name: string): { textContent: string };
            body: { append(it: object): void };
          };
        };
        const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.body.append(script);
        return { ran: 'ran' in globalThis, bridge: 'faxdesk' in globalThis };
      });
      expect(ran).toEqual({ ran: false, bridge: false });
    });
  });
});
