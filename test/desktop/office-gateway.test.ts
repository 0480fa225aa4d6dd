import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { parsePort, readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, untilShown } from './each-kind.ts';
import { chooseOther } from './other-computer.ts';

onEachKind('a window on a Faxdesk with an authority of its own', (kind) => {
  let gateway: TestGateway;
  let app: DesktopApp;
  let port: number;
  beforeAll(async () => {
    if (missing(kind) !== null) return;
    // Whoever connects looks at the computer's own clock.
    const clock = new ManualClock(new Date(systemClock.now()).toISOString());
    const settings = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };
    gateway = await startTestGateway({ clock, settings });
    port = parsePort((await readHttpsStatus(gateway)).addresses[0]);
    app = await launch(kind);
    await app.console();
  });
  afterAll(async () => {
    await app?.close();
    await gateway?.close();
  });

  const shownOrigin = async () =>
    (await app.console()).evaluate(() => (globalThis as unknown as InPage).location.origin);

  async function startAgain(): Promise<void> {
    await app.close({ keepData: true });
    app = await launch(kind, { appData: app.appData });
  }

  it('is opened once a person has compared the six words of its root', async () => {
    const { root, words } = await readHttpsStatus(gateway);
    await chooseOther(app, `localhost:${port}`);
    const page = await app.window();
    await page.getByRole('listitem').first().waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(words);
    expect(await page.getByText(root.fingerprint).isVisible()).toBe(false);
    await page.getByText('Show fingerprint').click();
    await page.getByText(root.fingerprint).waitFor();
    await page.getByRole('button', { name: 'They match' }).click();
    await expect.poll(shownOrigin).toBe(`https://localhost:${port}`);
  });

  it('goes there again when the root has signed another certificate', async () => {
    const { certificate } = await readHttpsStatus(gateway);
    await gateway.set({ HTTPS_NAMES: ['fax.office.example'] });
    expect((await readHttpsStatus(gateway)).certificate.fingerprint).not.toBe(certificate.fingerprint);
    await startAgain();
    await expect.poll(shownOrigin).toBe(`https://localhost:${port}`);
  });

  it('does not go where another root signed', async () => {
    await rm(join(gateway.dataFolder, 'https'), { recursive: true });
    await gateway.processAll();
    await startAgain();
    await untilShown(app, 'has a different certificate');
  });
});
