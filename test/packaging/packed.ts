import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll, getRawHeader, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { runBuilder } from '../../scripts/pack/builder.ts';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { stage } from '../../scripts/pack/stage.ts';
import type { Architecture, Platform } from '../../scripts/pack/target.ts';
import { stageUpdateKeys, type UpdateSigning } from '../../scripts/pack/update-signing.ts';
import { ROOT } from '../../scripts/steps.ts';
import type { Skippable } from '../setup/tools.ts';
import { makeStubElectron } from './stub-electron.ts';

/** Paths below the output folder of electron-builder. */
const LAYOUT: Record<Platform, { folder: string; program: string; resources: string }> = {
  linux: { folder: 'linux-unpacked', program: 'faxdesk', resources: 'resources' },
  win32: { folder: 'win-unpacked', program: 'Faxdesk.exe', resources: 'resources' },
  darwin: { folder: 'mac-arm64', program: 'Faxdesk.app', resources: 'Faxdesk.app/Contents/Resources' },
};

/** Packages are installed once per lock. */
export const KEPT = join(ROOT, 'node_modules/.cache/packages');

export const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENOTCACHED|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH/u;

/** The application, packed on a stand-in for Electron's own files. */
export class PackedApp {
  readonly #folder: string;
  readonly #platform: Platform;

  constructor(folder: string, platform: Platform) {
    this.#folder = folder;
    this.#platform = platform;
  }

  /** A file beside the archive or the program. */
  path(...path: string[]): string {
    return join(this.#folder, 'packages', LAYOUT[this.#platform].folder, ...path);
  }

  get program(): string {
    return this.path(LAYOUT[this.#platform].program);
  }

  get resources(): string {
    return this.path(LAYOUT[this.#platform].resources);
  }

  get archive(): string {
    return join(this.resources, 'app.asar');
  }

  /** Every file and folder of the archive, with forward slashes and none in front. */
  list(): string[] {
    return listPackage(this.archive, { isPack: false }).map((path) => path.slice(1).replaceAll('\\', '/'));
  }

  /** Returns the SHA-256 of the archive's header, which the integrity check of Electron compares. */
  headerHash(): string {
    return createHash('sha256').update(getRawHeader(this.archive).headerString).digest('hex');
  }

  /** The files of the archive, and those beside it, as one folder. */
  extract(): string {
    const folder = join(this.#folder, 'extracted');
    extractAll(this.archive, folder);
    return folder;
  }

  /** By the name of the fuse, whether it is on. */
  async fuses(): Promise<Record<string, boolean>> {
    const wire = await getCurrentFuseWire(this.program);
    const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
    const state = (name: string) => wire[FuseV1Options[name as keyof typeof FuseV1Options]];
    return Object.fromEntries(names.map((name) => [name, state(name) === FuseState.ENABLE]));
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Packs the application, with the keys for new versions; a sentence when its packages cannot be fetched here. */
export async function pack(
  platform: Platform,
  arch: Architecture,
  signing: UpdateSigning = { privateKeys: [], publicKeys: [] },
): Promise<PackedApp | string> {
  const folder = await mkdtemp(join(tmpdir(), `faxdesk-${platform}-`));
  const target = { platform, arch };
  await buildConsoleIfStale();
  await makeStubElectron(platform, join(folder, 'electron'));
  try {
    await stage(target, join(folder, 'stage'), { quiet: true, kept: KEPT });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!(error instanceof PackError) || !NO_NETWORK.test(error.message)) throw error;
    return 'the packages of the application cannot be fetched without a network';
  }
  await stageUpdateKeys(signing, join(folder, 'stage'));
  await runBuilder(target, {
    stage: join(folder, 'stage'),
    output: join(folder, 'packages'),
    installers: false,
    electron: join(folder, 'electron'),
    quiet: true,
  });
  await rm(join(folder, 'stage'), { recursive: true });
  return new PackedApp(folder, platform);
}

/** The packed application; skips the running test when there is none. */
export function needPacked(context: Skippable, packed: PackedApp | string): PackedApp {
  return typeof packed === 'string' ? context.skip(packed) : packed;
}

/**
 * Returns the platform and architecture of a native file, such as `win32 x64`, from its first bytes; null for anything
 * else.
 */
export async function madeFor(path: string): Promise<string | null> {
  const bytes = await readFile(path);
  if (bytes.length < 64) return null;
  if (bytes.toString('latin1', 0, 4) === '\u007fELF')
    return `linux ${{ 62: 'x64', 183: 'arm64' }[bytes.readUInt16LE(18)]}`;
  if (bytes.readUInt32LE(0) === 0xfeed_facf)
    return `darwin ${{ 0x0100_0007: 'x64', 0x0100_000c: 'arm64' }[bytes.readUInt32LE(4)]}`;
  if (bytes.toString('latin1', 0, 2) === 'MZ')
    return `win32 ${{ 34404: 'x64', 43620: 'arm64' }[bytes.readUInt16LE(bytes.readUInt32LE(60) + 4)]}`;
  return null;
}
