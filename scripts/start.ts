import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildConsoleIfStale } from './build-console.ts';
import { buildDesktop } from './build-desktop.ts';
import { buildGatewayIfStale } from './build-gateway.ts';
import { ROOT } from './steps.ts';

// Entry point of `npm start`: runs the desktop application where Electron and a screen are there, else the gateway
// alone.

const PACKAGE = join(ROOT, 'node_modules', 'electron');
const DOWNLOAD_MS = 60_000;
/** An application that fails within this time could not run here at all. */
const FALSE_START_MS = 15_000;

const words = process.argv.slice(2);
await buildConsoleIfStale();
const obstacle = noWindowReason() ?? (await openWindow());
if (obstacle !== null) await runHeadless(obstacle);

/** Returns one sentence on what a window lacks here; null when nothing does. */
function noWindowReason(): string | null {
  const option = words.find((word) => /^--(port|host|data|json)\b/u.test(word));
  if (option !== undefined) return `${option} is for the gateway alone, so it runs without a window.`;
  if (!hasDisplay()) return 'There is no display here, so the gateway runs without a window.';
  if (process.platform === 'linux' && process.getuid?.() === 0)
    return 'Electron does not run as root, so the gateway runs without a window.';
  if (!installed()) download();
  if (installed()) return null;
  return 'The Electron binary is not installed and cannot be downloaded here, so the gateway runs without a window.';
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

function distribution(): string {
  return process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(PACKAGE, 'dist');
}

function installed(): boolean {
  return existsSync(join(distribution(), 'version')) && existsSync(program());
}

function program(): string {
  switch (process.platform) {
    case 'darwin':
      return join(distribution(), 'Electron.app/Contents/MacOS/Electron');
    case 'win32':
      return join(distribution(), 'electron.exe');
    default:
      return join(distribution(), 'electron');
  }
}

/** The package's own installer, once: packages are installed without running scripts. */
function download(): void {
  const installer = join(PACKAGE, 'install.js');
  if (!existsSync(installer)) return;
  console.log('Looking for the Electron binary; this takes up to a minute.');
  spawnSync(process.execPath, [installer], { cwd: ROOT, timeout: DOWNLOAD_MS, stdio: 'ignore' });
}

/** Runs the application until it ends. A sentence when it could not run here, e.g. because its sandbox is not allowed. */
async function openWindow(): Promise<string | null> {
  await buildDesktop();
  const began = performance.now();
  const child = spawn(program(), [ROOT, ...words], { cwd: ROOT, stdio: 'inherit' });
  // The application receives Ctrl-C itself, and ends when the gateway has.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const failed = once(child, 'error').then(() => null);
  const ended = once(child, 'exit').then(([code, signal]) => (signal === null ? (code as number) : 0));
  const code = await Promise.race([ended, failed]);
  const falseStart = code !== 0 && performance.now() - began < FALSE_START_MS;
  if (falseStart) return 'Electron cannot run on this system, so the gateway runs without a window.';
  process.exitCode = code ?? 1;
  return null;
}

/** As `faxdesk start`, in this very process. */
async function runHeadless(reason: string): Promise<void> {
  console.error(reason);
  await buildGatewayIfStale();
  const commandLine = join(ROOT, 'server', 'faxdesk.mjs');
  process.argv.splice(1, process.argv.length - 1, commandLine, 'start', ...words);
  await import(pathToFileURL(commandLine).href);
}
