import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { extractFile, listPackage, statFile } from '@electron/asar';

// `node scripts/pack/sizes.ts --installers <folder>` compares the installers there with their bars. With the folder `resources` of a packed
// application alone it prints what makes that large.

const MB = 1e6;
const deflated = promisify(deflateRaw);

/** Largest installers in MB: docs/packaging.md says why some cannot meet the 130 of the others. */
const BARS: readonly (readonly [end: RegExp, bar: number])[] = [
  [/-everyone\.exe$/u, 160],
  [/\.msi$/u, 200],
  [/\.(?:dmg|zip)$/u, 240],
  [/\.(?:exe|AppImage|deb|rpm)$/u, 130],
];

interface InstallerSize {
  readonly name: string;
  readonly bytes: number;
  /** In bytes. */
  readonly bar: number;
}

/** Returns the installers of the desktop application in a folder with their sizes and bars, by name. */
export async function installerSizes(folder: string): Promise<InstallerSize[]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('Faxdesk-')).sort();
  const sizes = names.map(async (name) => {
    const bar = BARS.find(([end]) => end.test(name))?.[1];
    const { size: bytes } = await stat(join(folder, name));
    return bar === undefined ? [] : [{ name, bytes, bar: bar * MB }];
  });
  return (await Promise.all(sizes)).flat();
}

/** Parts of the application by their files; the first that fits counts. */
const PARTS: readonly (readonly [name: string, files: RegExp])[] = [
  ['Node.js', /\/bin\/node(?:\.exe)?$/u],
  ['Pictures (sharp with libvips)', /\/node_modules\/(?:@img|sharp)\//u],
  ['Console, with its pages compressed for browsers', /\/out\/console\//u],
  ['Programs of the application, with their packages', /\/out\//u],
  ['Fonts', /\/resources\/fonts\/|\/node_modules\/dejavu-fonts-ttf\//u],
  ['PDFs (pdfium)', /\/node_modules\/@embedpdf\//u],
  ['SQLite', /\/node_modules\/better-sqlite3\//u],
  ['Everything else', /^/u],
];

interface PartSize {
  readonly name: string;
  /** True for the gateway beside the archive. */
  readonly isService: boolean;
  readonly bytes: number;
  /** Bytes of its files, each compressed by deflate. */
  readonly compressed: number;
}

/** Measures the parts of a packed application in its folder of resources, or of the gateway in its own, the largest first. */
export async function partSizes(resources: string): Promise<PartSize[]> {
  const sizes = new Map<string, PartSize>();
  for await (const { path, content } of filesOf(resources)) {
    const isService = path.startsWith('/gateway/');
    const [name] = PARTS.find(([, files]) => files.test(path)) ?? [path];
    const before = sizes.get(`${isService} ${name}`) ?? { name, isService, bytes: 0, compressed: 0 };
    const { length } = await deflated(content, { level: 9 });
    sizes.set(`${isService} ${name}`, {
      ...before,
      bytes: before.bytes + content.length,
      compressed: before.compressed + length,
    });
  }
  return [...sizes.values()].sort((a, b) => b.compressed - a.compressed);
}

/** Reads the files of the archive, and those beside it. */
async function* filesOf(resources: string): AsyncGenerator<{ path: string; content: Buffer }> {
  const archive = join(resources, 'app.asar');
  const packed = existsSync(archive) ? listPackage(archive, { isPack: false }) : [];
  for (const path of packed) {
    const name = path.slice(1);
    if ('files' in statFile(archive, name)) continue;
    yield { path: path.replaceAll('\\', '/'), content: extractFile(archive, name) };
  }
  const beside = await readdir(resources, { recursive: true, withFileTypes: true });
  for (const entry of beside.filter((it) => it.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(resources.length).replaceAll('\\', '/');
    if (!name.startsWith('/app.asar')) yield { path: name, content: await readFile(path) };
  }
}

const inMb = (bytes: number) => (bytes / MB).toFixed(1);

async function printParts(resources: string): Promise<void> {
  console.log('| Part | MB | Compressed (deflate) |\n|---|---|---|');
  for (const { name, isService, bytes, compressed } of await partSizes(resources))
    console.log(`| ${isService ? 'For the service: ' : ''}${name} | ${inMb(bytes)} | ${inMb(compressed)} |`);
}

async function compareInstallers(folder: string): Promise<void> {
  const sizes = await installerSizes(folder);
  for (const { name, bytes, bar } of sizes)
    console.log(
      `${name}: ${inMb(bytes)} MB, at most ${inMb(bar)} MB${bytes > bar ? ', which it is over' : ''}`,
    );
  if (sizes.length === 0) console.log(`There are no installers in ${folder}.`);
  if (sizes.length === 0 || sizes.some(({ bytes, bar }) => bytes > bar)) process.exitCode = 1;
}

if (import.meta.main) {
  const [first = '', folder] = process.argv.slice(2);
  await (folder === undefined ? printParts(first) : compareInstallers(folder));
}
