import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildConsoleIfStale } from './build-console.ts';
import { buildForAccount, packedFolder, runBuilder } from './pack/builder.ts';
import { hashApplication, writeHashList } from './pack/hash-list.ts';
import { PackError } from './pack/pack-error.ts';
import {
  buildDebianPackage,
  buildTarball,
  canBuildDebianPackage,
  sizeOf,
} from './pack/server/build-archives.ts';
import { stageServer } from './pack/server/stage-server.ts';
import { assertAllSigned, assertSigned, requireSigning } from './pack/signing.ts';
import { NOTICES, stage } from './pack/stage.ts';
import { installerTargets, otherInstallers, readTarget, type Target } from './pack/target.ts';
import { writeUpdateEntries } from './pack/update-entry.ts';
import { readUpdateSigning, stageUpdateKeys, type UpdateSigning } from './pack/update-signing.ts';
import { ROOT } from './steps.ts';

// `npm run pack -- server` makes the package of the gateway for servers. `npm run pack` makes the installers of this system; `npm run pack -- --dir` an unpacked application, also for another
// system: `--platform win32|darwin|linux`, `--arch x64|arm64`, and `--electron <folder>` with Electron for it. `--notes <file>` has what is new in this release, and
// `--release` refuses installers that are not signed.

try {
  await pack();
} catch (error) {
  if (!(error instanceof PackError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function pack(): Promise<void> {
  const asked = readArguments();
  if (asked.server) {
    await packServer(asked);
    return;
  }
  const targets = asked.dir ? [readTarget(asked)] : installerTargets(asked);
  if (asked.release) for (const target of targets) requireSigning(target);
  const signing = readUpdateSigning();
  if (!asked.dir) for (const sentence of otherInstallers()) console.log(sentence);
  await buildConsoleIfStale();
  for (const target of targets) await packFor(target, asked, signing);
  console.log(`\nWhat was made lies in ${join(ROOT, 'out', 'packages')}.`);
}

async function packFor(target: Target, asked: PackArguments, signing: UpdateSigning): Promise<void> {
  const folder = join(ROOT, 'out', 'stage', `${target.platform}-${target.arch}`);
  await stage(target, folder, { quiet: true });
  await stageUpdateKeys(signing, folder);
  // Before electron-builder signs what is in the application.
  if (target.platform !== 'linux') await addService(target, join(folder, NOTICES), asked);
  const options = {
    stage: folder,
    output: join(ROOT, 'out', 'packages'),
    installers: !asked.dir,
    electron: asked.electron === undefined ? null : resolve(asked.electron),
    quiet: false,
    isRelease: asked.release,
  };
  await runBuilder(target, options);
  if (asked.dir) return;
  const packed = packedFolder(target, options.output);
  if (asked.release) await assertAllSigned(target, packed);
  const application = await hashApplication(target, packed);
  if (target.platform === 'win32') await buildForAccount(target, options);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const made = { folder: options.output, version };
  if (asked.release) await assertSigned(target, made);
  console.log(await writeHashList(target, made, application));
  const notes = asked.notes === undefined ? '' : await readFile(resolve(asked.notes), 'utf8');
  const entries = await writeUpdateEntries(target, { ...made, notes }, signing);
  for (const path of entries) console.log(path);
}

/** Adds the gateway that `faxdesk service` makes a service. Only a release needs one: other packages say that they have none. */
async function addService(target: Target, resources: string, asked: PackArguments): Promise<void> {
  const node = asked.node === undefined ? null : resolve(asked.node);
  const folder = join(resources, 'gateway');
  try {
    await stageServer(target, folder, { quiet: true, node });
  } catch (error) {
    if (asked.release || !(error instanceof PackError)) throw error;
    await rm(folder, { recursive: true, force: true });
    console.log(`${error.message} Packed without the gateway for a service.`);
  }
}

/** Makes the tarball and, where dpkg-deb is installed, the Debian package of the gateway without a window. */
async function packServer(asked: PackArguments): Promise<void> {
  const target = readTarget({ platform: 'linux', ...asked });
  await buildConsoleIfStale();
  const folder = join(ROOT, 'out', 'server', `${target.platform}-${target.arch}`);
  const node = asked.node === undefined ? null : resolve(asked.node);
  await stageServer(target, folder, { quiet: true, node });
  console.log(`${folder}: ${Math.round((await sizeOf(folder)) / 1e6)} MB`);
  if (asked.dir) return;
  const output = join(ROOT, 'out', 'packages');
  console.log(await buildTarball(target, folder, { output }));
  if (canBuildDebianPackage()) console.log(await buildDebianPackage(target, folder, { output }));
  else console.log('The Debian package is made where dpkg-deb is installed.');
}

interface PackArguments {
  /** The gateway for servers in place of the application. */
  server: boolean;
  dir: boolean;
  /** True to refuse what is not signed. */
  release: boolean;
  node?: string;
  platform?: string;
  arch?: string;
  electron?: string;
  /** File with what is new, as plain text. */
  notes?: string;
}

function readArguments(): PackArguments {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        dir: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        platform: { type: 'string' },
        arch: { type: 'string' },
        electron: { type: 'string' },
        node: { type: 'string' },
        notes: { type: 'string' },
      },
    });
    const unknown = positionals.find((word) => word !== 'server');
    if (unknown !== undefined)
      throw new PackError(`There is nothing named ${unknown} to pack; only: server.`);
    return { ...values, server: positionals.length > 0 };
  } catch (error) {
    throw new PackError(error instanceof Error ? error.message : String(error));
  }
}
