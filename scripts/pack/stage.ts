import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildDesktopInto } from '../build-desktop.ts';
import { ROOT } from '../steps.ts';
import { billOfMaterials, purlOf } from './bill-of-materials.ts';
import { desktopPackages } from './desktop-packages.ts';
import { installOnce } from './kept-packages.ts';
import { licenseTexts } from './license-texts.ts';
import { PackError } from './pack-error.ts';
import { runNpm } from './run.ts';
import { shippedPackages } from './shipped-packages.ts';
import type { Target } from './target.ts';

/** Build outputs shipped beside the packages. */
const SHIPPED = [
  'out/console',
  'resources/api-examples.json',
  'resources/fonts',
  'resources/icons',
  'resources/telephony',
  'LICENSE',
];

export interface StageOptions {
  readonly quiet: boolean;
  /** Folder that caches installed packages; without it they are always installed anew. */
  readonly kept?: string;
}

/** Drawings and files that only the packing itself needs. */
const NOT_SHIPPED = [/\/resources\/icons\/(source|app\.ic|document\.ic)/u, /\/\.[^/]*$/u];

/** Files of packages that only compilers, browsers and readers use. */
const NOT_RUN = [
  /\.(?:map|[cm]?ts|md|markdown|flow|tsbuildinfo|gypi?|h|cc|cpp)$/u,
  /(?:^|\/)(?:test|tests|__tests__|bench|benchmark|examples?|docs|\.github)\//u,
  /^better-sqlite3\/(?:deps|src)\//u,
  /^(?:@embedpdf\/pdfium|fontkit)\/dist\/(?:index\.)?browser/u,
  /^swagger-ui-dist\/(?:log\.|swagger-ui\.js|swagger-ui-es-|swagger-ui-standalone-)/u,
  /^dejavu-fonts-ttf\/(?:status\.txt|fontconfig\/|ttf\/DejaVu(?:Math|Serif|SansCondensed|Sans-|SansMono-))/u,
  /^\.(?:bin\/|package-lock\.json$)/u,
  /^@scarf\//u,
  /^@img\/sharp-(?:wasm32|freebsd-wasm32|webcontainers-wasm32)\//u,
];

/**
 * Makes the folder that is packed for a target: the built application, its resources, and the packages it runs on with the
 * binaries of that target only. Throws PackError when the packages cannot be had.
 */
export async function stage(target: Target, folder: string, options: StageOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await addPackages(target, folder, { ...(await desktopPackages()), ...options, name: 'desktop' });
  await buildDesktopInto(folder);
  for (const path of SHIPPED) await ship(path, folder);
  await addNotices(target, folder);
}

/** Texts that lie beside the archive of the application, where people can open them. */
export const NOTICES = 'notices';

async function addNotices(target: Target, folder: string): Promise<void> {
  const packages = await shippedPackages(target, folder, ['renderer', 'main']);
  const version = electronVersion();
  const license = await readFile(join(ROOT, 'node_modules/electron/LICENSE'), 'utf8');
  const runtime = [
    `Electron ${version}\n\n${license.trim()}\n\nThe licenses of Chromium are in LICENSES.chromium.html.`,
  ];
  const purl = purlOf('electron', version);
  await mkdir(join(folder, NOTICES));
  await writeFile(join(folder, NOTICES, 'THIRD-PARTY-LICENSES.txt'), await licenseTexts(packages, runtime));
  await writeFile(
    join(folder, NOTICES, 'sbom.cdx.json'),
    await billOfMaterials(packages, [{ type: 'framework', name: 'electron', version, purl }]),
  );
}

/** Returns the version of Electron that the application is packed with. */
export function electronVersion(): string {
  const manifest = readFileSync(join(ROOT, 'node_modules/electron/package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

interface PackageOptions extends StageOptions {
  readonly manifest: object;
  readonly lock: object;
  /** Of the program, for the cache. */
  readonly name: string;
}

/**
 * Puts `package.json`, its lock and the packages of the target into a folder, without the files that only compilers read. Throws
 * PackError when the packages cannot be had.
 */
export async function addPackages(target: Target, folder: string, options: PackageOptions): Promise<void> {
  await writeFile(join(folder, 'package.json'), json(options.manifest));
  await writeFile(join(folder, 'package-lock.json'), json(options.lock));
  const install = () => installPackages(target, folder, options);
  const name = `${options.name}-${target.platform}-${target.arch}`;
  if (options.kept === undefined) await install();
  else await installOnce(folder, { kept: options.kept, name, install });
  await removeUnused(join(folder, 'node_modules'));
  await keepOwnPrebuild(target, folder);
}

async function installPackages(
  { platform, arch }: Target,
  folder: string,
  options: { quiet: boolean },
): Promise<void> {
  const forTarget = [`--os=${platform}`, `--cpu=${arch}`, ...(platform === 'linux' ? ['--libc=glibc'] : [])];
  const still = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'];
  const { code, output } = await runNpm(['ci', '--omit=dev', ...still, ...forTarget], { folder, ...options });
  if (code === 0) return;
  throw new PackError(
    `The packages for ${platform} ${arch} could not be installed. Check the network and try again.\n${output}`,
  );
}

async function removeUnused(packages: string): Promise<void> {
  const entries = await readdir(packages, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((it) => !it.isDirectory())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(packages.length + 1).replaceAll('\\', '/');
    if (NOT_RUN.some((pattern) => pattern.test(name))) await rm(path);
  }
}

/** better-sqlite3 brings its binaries for all systems. */
async function keepOwnPrebuild({ platform, arch }: Target, folder: string): Promise<void> {
  const prebuilds = join(folder, 'node_modules/better-sqlite3/prebuilds');
  const own = `${platform}-${arch}.node`;
  const names = await readdir(prebuilds);
  if (!names.includes(own)) throw new PackError(`better-sqlite3 has no binary for ${platform} ${arch}.`);
  for (const name of names.filter((it) => it !== own)) await rm(join(prebuilds, name), { recursive: true });
}

/** Copies a build or a folder of resources to the same place in a folder, without drawings. */
export async function ship(path: string, folder: string): Promise<void> {
  await cp(join(ROOT, path), join(folder, path), {
    recursive: true,
    filter: (source) => !NOT_SHIPPED.some((pattern) => pattern.test(source.replaceAll('\\', '/'))),
  });
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
