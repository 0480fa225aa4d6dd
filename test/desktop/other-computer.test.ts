import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, onlyStandin, untilShown } from './each-kind.ts';
import { chooseOther, OtherComputer } from './other-computer.ts';

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
