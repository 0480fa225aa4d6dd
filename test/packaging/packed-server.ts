import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsoleIfStale } from '../../scripts/build-console.ts';
import { PackError } from '../../scripts/pack/pack-error.ts';
import { buildDebianPackage, buildTarball } from '../../scripts/pack/server/build-archives.ts';
import { stageServer } from '../../scripts/pack/server/stage-server.ts';
import { KEPT, NO_NETWORK } from './packed.ts';

const TARGET = { platform: 'linux', arch: 'x64' } as const;
/** Quick and large: the files live for a minute. */
const COMPRESSION = ['-Zgzip', '-z1'];

/** Packages of the gateway for servers. */
export interface ServerPackages {
  /** The staged folder. */
  readonly stage: string;
  /** Debian packages by their release. */
  readonly files: Readonly<Record<string, string>>;
  /** The tarball of the first one. */
  readonly tarball: string;
  close(): Promise<void>;
}

/** Packs the gateway for servers under these releases; a sentence when its packages cannot be fetched here. */
export async function packServers(releases: readonly string[]): Promise<ServerPackages | string> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-packed-'));
  const close = async () => rm(folder, { recursive: true, force: true });
  const stage = join(folder, 'stage');
  await buildConsoleIfStale();
  try {
    await stageServer(TARGET, stage, { quiet: true, kept: KEPT, node: null });
  } catch (error) {
    await close();
    if (!(error instanceof PackError) || !NO_NETWORK.test(error.message)) throw error;
    return 'the packages of the gateway cannot be fetched without a network';
  }
  const files: Record<string, string> = {};
  let tarball: string | null = null;
  for (const release of releases) {
    const manifest = join(stage, 'package.json');
    const content = JSON.parse(await readFile(manifest, 'utf8')) as object;
    await writeFile(manifest, JSON.stringify({ ...content, version: release }));
    tarball ??= await buildTarball(TARGET, stage, { output: folder, level: 1 });
    files[release] = await buildDebianPackage(TARGET, stage, { output: folder, compression: COMPRESSION });
  }
  return { stage, files, tarball: tarball ?? '', close };
}
