import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueRoot } from '../../server/adapters/certificates/issue.ts';
import type { Identity } from '../../server/adapters/certificates/port.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { expectAccessible } from './console-app.ts';
import { type DesktopApp, launch, missing } from './desktop-app.ts';
import { type InPage, onEachKind, onlyStandin, untilShown } from './each-kind.ts';
import { chooseOther, OtherComputer, signedBy } from './other-computer.ts';

onEachKind('a window on a Faxdesk whose name a known authority confirms', (kind) => {
  let root: Identity;
  let folder: string;
  let gateway: TestGateway;
  let other: OtherComputer;
  let app: DesktopApp;
  // Chromium takes its roots from the system; the stand-in those that Node has.
  const env = () => ({ NODE_EXTRA_CA_CERTS: join(folder, 'root.crt') });
  beforeAll(async () => {
    if (missing(kind) !== null) return;
    root = await issueRoot('Known Authority', systemClock.now());
    folder = mkdtempSync(join(tmpdir(), 'faxdesk-authority-'));
    writeFileSync(join(folder, 'root.crt'), root.certificate);
    gateway = await startTestGateway();
    other = await OtherComputer.start(gateway.url, 0, await signedBy(root));
    app = await launch(kind, { env: env() });
    await app.console();
  });
  afterAll(async () => {
    await app?.close();
    await other?.stop();
    await gateway?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const shownOrigin = async () =>
    (await app.console()).evaluate(() => (globalThis as unknown as InPage).location.origin);

  /** The same address with another certificate, and the application started again. */
  async function startAgain(authority: Identity): Promise<void> {
    await app.close({ keepData: true });
    const { port } = other;
    await other.stop();
    other = await OtherComputer.start(gateway.url, port, await signedBy(authority));
    app = await launch(kind, { appData: app.appData, env: env() });
  }

  it('is opened once a person has confirmed the name', async (context) => {
    onlyStandin(kind, context);
    await chooseOther(app, other.address);
    const page = await untilShown(app, `Is localhost:${other.port} the Faxdesk of your office?`);
    await page.getByText('Known Authority confirms that this computer has that name.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect.poll(shownOrigin).toBe(other.address);
  });

  it('rule (desktop): is opened again with each certificate that the authority signs for its name, and with no other', async (context) => {
    onlyStandin(kind, context);
    await startAgain(root);
    await expect.poll(shownOrigin).toBe(other.address);
    await startAgain(await issueRoot('Known Authority', systemClock.now()));
    await untilShown(app, 'has a different certificate');
  });
});
