import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { PackError } from './pack-error.ts';
import { run } from './run.ts';
import { electronVersion, NOTICES } from './stage.ts';
import type { Target } from './target.ts';

interface BuilderOptions {
  /** The folder that {@link stage} made. */
  readonly stage: string;
  readonly output: string;
  /** False: only the unpacked application. */
  readonly installers: boolean;
  /** A folder with Electron for the target; null when it is to be found or fetched. */
  readonly electron: string | null;
  readonly quiet: boolean;
  /** True to fail rather than leave something unsigned. */
  readonly isRelease?: boolean;
}

const FLAGS = { win32: '--win', darwin: '--mac', linux: '--linux' };

/**
 * Packs a staged folder. On Windows it makes the installers for everyone, which bring the service. Throws PackError when electron-builder
 * fails.
 */
export async function runBuilder(target: Target, options: BuilderOptions): Promise<void> {
  const isForEveryone = options.installers && target.platform === 'win32';
  await build(target, options, [
    ...(options.installers ? [] : ['dir']),
    ...(isForEveryone ? ['nsis', 'msi'] : []),
    `--config=${isForEveryone ? 'electron-builder-everyone.yml' : 'electron-builder.yml'}`,
    `-c.extraResources.from=${join(options.stage, NOTICES)}`,
    '-c.extraResources.to=.',
    ...electronArgs(target, options.electron),
  ]);
}

/** Returns the folder with the application that `runBuilder` has packed. */
export function packedFolder({ platform, arch }: Target, output: string): string {
  const ofArch = (name: string) => (arch === 'x64' ? name : `${name}-${arch}`);
  if (platform === 'darwin') return join(output, ofArch('mac'), 'Faxdesk.app');
  return join(output, `${ofArch(platform === 'win32' ? 'win' : 'linux')}-unpacked`);
}

/**
 * Makes the installer of Windows for an account from the application that `runBuilder` has packed, without the gateway of the service: an
 * account must not change the program of a service. Throws PackError.
 */
export async function buildForAccount(target: Target, options: BuilderOptions): Promise<void> {
  const packed = packedFolder(target, options.output);
  await rm(join(packed, 'resources', 'gateway'), { recursive: true, force: true });
  await build(target, options, ['nsis', '--config=electron-builder.yml', `--prepackaged=${packed}`]);
}

/** Makes the packages of Linux on x64 from a folder with the packed application. Throws PackError. */
export async function buildLinuxPackages(packed: string, options: BuilderOptions): Promise<void> {
  const words = ['deb', 'rpm', '--config=electron-builder.yml', `--prepackaged=${packed}`];
  await build({ platform: 'linux', arch: 'x64' }, options, words);
}

async function build(target: Target, options: BuilderOptions, words: readonly string[]): Promise<void> {
  const args = [
    join(ROOT, 'node_modules/electron-builder/cli.js'),
    FLAGS[target.platform],
    ...words,
    `--${target.arch}`,
    '--publish=never',
    `-c.directories.app=${options.stage}`,
    `-c.directories.output=${options.output}`,
    `-c.electronVersion=${electronVersion()}`,
    // The packages of Linux name an address: the one of Faxdesk on their own computer.
    ...(target.platform === 'linux' ? ['-c.extraMetadata.homepage=http://localhost:8080/'] : []),
    ...signingArgs(target),
    ...(options.isRelease && target.platform !== 'linux' ? ['-c.forceCodeSigning=true'] : []),
  ];
  const { folder, quiet } = { folder: ROOT, quiet: options.quiet };
  const { code, output } = await run(process.execPath, args, { folder, quiet });
  if (code === 0) return;
  throw new PackError(
    `electron-builder could not pack for ${target.platform} ${target.arch}. It fetches Electron and its own tools from github.com once; check that this machine reaches it.${quiet ? `\n${output}` : ''}`,
  );
}

/** The Electron that was named, else the one that is installed when it is for the target, else electron-builder fetches it. */
function electronArgs({ platform, arch }: Target, named: string | null): string[] {
  const installed = join(ROOT, 'node_modules/electron/dist');
  const own =
    platform === process.platform && arch === process.arch && existsSync(join(installed, 'version'));
  const folder = named ?? (own ? installed : null);
  return folder === null ? [] : [`-c.electronDist=${folder}`];
}

/** macOS starts nothing unsigned on its newer processors; without a certificate it is signed for this computer only. */
function signingArgs({ platform }: Target): string[] {
  if (platform !== 'darwin') return [];
  if (process.platform !== 'darwin') return ['-c.mac.identity=null'];
  if (process.env['CSC_NAME'] || process.env['CSC_LINK']) return [];
  return ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false', '-c.mac.notarize=false'];
}
