import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { buildDesktop } from '../../scripts/build-desktop.ts';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { type DesktopApp, type LaunchOptions, launch, missing } from '../desktop/desktop-app.ts';
import { pack } from '../packaging/packed.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { kill, serve } from './served.ts';

const ROUNDS = 5;
/** The window loads its page while the gateway starts, and the console after it. */
const BAR = 5;
const SIGN_IN = 'h1, input';

/**
 * Time from the start of the desktop application, as it is built and as it is packed, until its console shows the sign-in,
 * against a gateway alone until it is ready. On the stand-in: Electron's own start is not in it.
 */
export async function run(): Promise<Figure[]> {
  const reason = missing('stand-in');
  if (reason !== null) throw new Error(reason);
  await Promise.all([buildConsoleIfStale(), buildGatewayIfStale()]);
  await buildDesktop();
  const packed = await pack('linux', 'x64');
  if (typeof packed === 'string') throw new Error(packed);
  const built = await prepareWindow({});
  const fromPackage = await prepareWindow({ main: join(packed.extract(), 'out/desktop/main.mjs') });
  // The window's own installation opens with its keychain only.
  const dataFolder = join(built.appData, 'alone');
  await kill(await serve(dataFolder));
  const alone = async () => {
    const served = await serve(dataFolder);
    await kill(served);
    return served.readyMs;
  };
  try {
    const measurements = [built.measure, fromPackage.measure, alone];
    const [builtMs = [], packedMs = [], aloneMs = []] = await measureInTurns(ROUNDS, measurements);
    const figureOf = (name: string, shownMs: readonly number[]): Figure => ({
      name,
      ratio: ratioOf(shownMs, aloneMs),
      bar: BAR,
      atMost: true,
      unit: 'of the gateway alone',
      detail: `${median(shownMs).toFixed(0)} ms, the gateway alone ${median(aloneMs).toFixed(0)} ms; on the stand-in for Electron`,
    });
    return [
      figureOf('start of the window', builtMs),
      figureOf('start of the window of the packed application', packedMs),
    ];
  } finally {
    for (const { appData } of [built, fromPackage]) await rm(appData, { recursive: true, force: true });
    await packed.close();
  }
}

/** Starts an application for the first time, which makes its installation. `measure` starts it again, in milliseconds. */
async function prepareWindow(options: LaunchOptions) {
  const prepared = await launch('stand-in', options);
  await consoleOf(prepared);
  await prepared.close({ keepData: true });
  const { appData } = prepared;
  const measure = async () => {
    const began = performance.now();
    const app = await launch('stand-in', { ...options, appData });
    await consoleOf(app);
    const ms = performance.now() - began;
    await app.close({ keepData: true });
    return ms;
  };
  return { appData, measure };
}

async function consoleOf(app: DesktopApp): Promise<void> {
  const page = await app.console();
  await page.locator(SIGN_IN).first().waitFor();
}
