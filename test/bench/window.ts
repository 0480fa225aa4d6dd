import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { buildDesktop } from '../../scripts/build-desktop.ts';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { type DesktopApp, launch, missing } from '../desktop/desktop-app.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { kill, serve } from './served.ts';

const ROUNDS = 5;
/** The window loads its page while the gateway starts, and the console after it. */
const BAR = 5;
const SIGN_IN = 'h1, input';

/**
 * Time from the start of the desktop application, as it is packed, until its console shows the sign-in, against a gateway
 * alone until it is ready. On the stand-in: Electron's own start is not in it.
 */
export async function run(): Promise<Figure[]> {
  const reason = missing('stand-in');
  if (reason !== null) throw new Error(reason);
  await Promise.all([buildConsoleIfStale(), buildGatewayIfStale()]);
  await buildDesktop();
  const prepared = await launch('stand-in');
  await consoleOf(prepared);
  await prepared.close({ keepData: true });
  const { appData } = prepared;
  // The window's own installation opens with its keychain only.
  const dataFolder = join(appData, 'alone');
  await kill(await serve(dataFolder));
  const window = async () => {
    const began = performance.now();
    const app = await launch('stand-in', { appData });
    await consoleOf(app);
    const ms = performance.now() - began;
    await app.close({ keepData: true });
    return ms;
  };
  const alone = async () => {
    const served = await serve(dataFolder);
    await kill(served);
    return served.readyMs;
  };
  try {
    const [shown = [], ready = []] = await measureInTurns(ROUNDS, [window, alone]);
    return [
      {
        name: 'start of the window',
        ratio: ratioOf(shown, ready),
        bar: BAR,
        atMost: true,
        unit: 'of the gateway alone',
        detail: `${median(shown).toFixed(0)} ms, the gateway alone ${median(ready).toFixed(0)} ms; on the stand-in for Electron`,
      },
    ];
  } finally {
    await rm(appData, { recursive: true, force: true });
  }
}

async function consoleOf(app: DesktopApp): Promise<void> {
  const page = await app.console();
  await page.locator(SIGN_IN).first().waitFor();
}
