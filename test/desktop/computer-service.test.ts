import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { parsePort, readHttpsStatus } from '../setup/https-client.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { onEachKind, untilShown } from './each-kind.ts';

onEachKind('an account of a computer with a service', (kind) => {
  let gateway: TestGateway | undefined;
  let address: string;
  let app: DesktopApp | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-service-'));
  const file = join(folder, 'service.json');

  beforeAll(async () => {
    if (missing(kind) !== null) return;
    // Certificates are checked by the computer's own clock.
    const clock = new ManualClock(new Date(systemClock.now()).toISOString());
    const settings = { HTTPS_ENABLED: 'true', HTTPS_HOST: '127.0.0.1', HTTPS_PORT: '0' };
    gateway = await startTestGateway({ clock, settings });
    const { addresses, root } = await readHttpsStatus(gateway);
    address = `https://localhost:${parsePort(addresses[0])}`;
    const service = { data: '/var/fax', port: null, gateway: address, certificate: root.fingerprint };
    writeFileSync(file, JSON.stringify(service));
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await gateway?.close();
  });

  const start = (appData?: string) =>
    launch(kind, {
      ...(appData === undefined ? {} : { appData }),
      env: { STANDIN_SERVICE_FILE: file },
    });
  const onlyThere = (context: { skip(reason?: string): never }) => {
    if (kind === 'Electron') context.skip('the file of the service is where only an administrator writes');
  };

  it('keeps the gateway that it had before, with its faxes', async (context) => {
    onlyThere(context);
    const before = await launch(kind);
    await before.console();
    await before.close({ keepData: true });
    app = await start(before.appData);
    expect(new URL((await app.console()).url()).hostname).toBe('127.0.0.1');
    expect(await app.gatewayPid()).not.toBeNull();
    const page = await app.console();
    const facts = await page.evaluate(
      'Promise.all([window.faxdesk.keepsGateway(), window.faxdesk.hasService()])',
    );
    expect(facts).toEqual([true, true]);
  });

  it('rule (desktop): opens the gateway of the service without a question, and runs none', async (context) => {
    onlyThere(context);
    app = await start();
    expect(new URL((await app.console()).url()).origin).toBe(address);
    expect(existsSync(app.dataFolder)).toBe(false);
    expect(await app.gatewayPid()).toBeNull();
  });

  it('waits for a service that does not run', async (context) => {
    onlyThere(context);
    await gateway?.close();
    gateway = undefined;
    app = await start();
    await untilShown(app, 'Faxdesk on this computer is not responding');
    expect(await app.gatewayPid()).toBeNull();
  });
});
