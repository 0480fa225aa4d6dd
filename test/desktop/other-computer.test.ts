import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, onlyStandin, untilShown } from './each-kind.ts';
import { chooseOther, OtherComputer } from './other-computer.ts';

/** Time between two tries to reach the other computer, in ms. */
const RETRY_MS = 5_000;

/** In main: tries to reach the other computer, which the test makes in place of the clock. */
interface HeldRetries {
  retries: (() => void)[];
  setTimeout: (work: () => void, ms?: number) => unknown;
}

/** Returns a function with the number of tries that wait. */
async function holdRetries(app: DesktopApp): Promise<() => Promise<number>> {
  await app.evaluate((_, held) => {
    const it = globalThis as unknown as HeldRetries;
    const { setTimeout: start } = it;
    it.retries = [];
    it.setTimeout = (work, ms) => {
      if (ms !== held) return start(work, ms);
      it.retries.push(work);
      return start(() => {}, 0);
    };
  }, RETRY_MS);
  return () => app.evaluate(() => (globalThis as unknown as HeldRetries).retries.length);
}

const runRetries = (app: DesktopApp) =>
  app.evaluate(() => {
    for (const work of (globalThis as unknown as HeldRetries).retries.splice(0)) work();
  });

onEachKind('a window on the Faxdesk of another computer', (kind) => {
  let gateway: TestGateway;
  let other: OtherComputer;
  let app: DesktopApp;
  beforeAll(async () => {
    if (missing(kind) !== null) return;
    gateway = await startTestGateway();
    other = await OtherComputer.start(gateway.url);
    app = await launch(kind);
    await app.console();
  });
  afterAll(async () => {
    await app?.close();
    await other?.stop();
    await gateway?.close();
  });

  const tooltip = () => app.evaluate(({ recorder }) => (recorder.trays[0] as { toolTip: string }).toolTip);

  it('is not taken from a program that is not Faxdesk, and says why', async () => {
    await chooseOther(app, 'http://localhost');
    const page = await app.window();
    await page.getByRole('alert').getByText('Faxdesk cannot use that address').waitFor();
    await page.getByLabel('Address of the other computer').fill('https://localhost:1');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('Nothing at that address answers').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    expect((await app.console()).url()).not.toContain('https:');
    expect(await app.gatewayPid()).not.toBeNull();
  });

  it('is opened once a person has compared its certificate; then no gateway runs here', async () => {
    await chooseOther(app, other.address.replace('https://', ''));
    const page = await app.window();
    await page.getByText('Show fingerprint').click();
    await page.getByText(other.fingerprint).waitFor();
    await page.getByRole('button', { name: 'They match' }).click();
    await expect.poll(() => app.gatewayPid()).toBeNull();
    const shown = await app.console();
    const seen = await shown.evaluate(async () => {
      const { faxdesk, location } = globalThis as unknown as InPage;
      const health = await (await fetch('/health')).json();
      return {
        origin: location.origin,
        health,
        chosen: (await faxdesk.preferences()).gateway,
      };
    });
    const { address, fingerprint } = other;
    const chosen = { kind: 'other', address, fingerprint };
    expect(seen).toEqual({ origin: address, health: { status: 'ok' }, chosen });
    const own = () => (globalThis as unknown as InPage).faxdesk.restartGateway().then(String, String);
    await expect.poll(() => shown.evaluate(own)).toContain('Faxdesk on another computer');
    expect(
      await shown.evaluate(() => (globalThis as unknown as InPage).faxdesk.signInFirstOwner('p'.repeat(43))),
    ).toBe(false);
  });

  it('rule (desktop): shows the console again by itself once the other computer is back', async (context) => {
    onlyStandin(kind, context);
    const { address, port } = other;
    const waiting = await holdRetries(app);
    await other.stop();
    const answer = 'is not responding. Trying again every few seconds.';
    // As Electron reports a page that did not load.
    await app.evaluate(({ BrowserWindow }, url) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', url, true);
    }, `${address}/admin/ui/`);
    await untilShown(app, answer);
    await expect.poll(tooltip).toBe('Faxdesk is not connected');
    await expect.poll(waiting).toBe(1);
    await runRetries(app);
    // Tried, and away as before.
    await expect.poll(waiting).toBe(1);
    await untilShown(app, answer);
    await other.resume(port);
    await runRetries(app);
    const origin = () => (globalThis as unknown as InPage).location.origin;
    await expect.poll(async () => (await app.console()).evaluate(origin)).toBe(address);
    expect(await tooltip()).toBe('Faxdesk');
    expect(await waiting()).toBe(0);
  });

  it('goes there again after a start, but not to another certificate', async () => {
    await app.close({ keepData: true });
    const { port } = other;
    await other.stop();
    other = await OtherComputer.start(gateway.url, port);
    app = await launch(kind, { appData: app.appData });
    await untilShown(app, 'has a different certificate');
    expect(await app.gatewayPid()).toBeNull();
  });

  it('shows on the tray that it is not connected', async (context) => {
    onlyStandin(kind, context);
    const tray = () =>
      app.evaluate(({ recorder }) => {
        const { toolTip, image } = recorder.trays[0] as { toolTip: string; image: { path: string } };
        return { words: toolTip, icon: image.path.replace(/^.*\//u, '') };
      });
    await expect.poll(tray).toEqual({ words: 'Faxdesk is not connected', icon: 'broken-light.png' });
  });

  it('is left again for the gateway of this computer, from the menu', async () => {
    await app.evaluate(({ Menu }) => {
      const items = Menu.getApplicationMenu()?.items ?? [];
      const all = items.flatMap((item) => item.submenu?.items ?? []);
      all.find(({ label }) => label.includes('another computer'))?.click();
    });
    const page = await app.window();
    await page.getByRole('button', { name: 'Use this computer' }).click();
    await expect.poll(() => app.gatewayPid()).not.toBeNull();
    const address = () => (globalThis as unknown as InPage).location.href;
    await expect.poll(async () => (await app.console()).evaluate(address)).toContain('http://127.0.0.1');
  });
});
