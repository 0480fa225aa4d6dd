import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../steps.ts';
import { type LockedPackage, lockedPackages } from '../runtime-packages.ts';
import { closureOf } from './server-packages.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/iu;
const IMPORTED = /(?:from|import) '((?:@[^/']+\/)?[^./'][^/']*)/gu;
const RULE = '='.repeat(80);

/** Returns one text with the license of everything that the package for servers contains, Node.js and fonts among it. */
export async function licenseTexts(node: string | null): Promise<string> {
  const { packages } = await lockedPackages();
  const shipped = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true);
  const ofConsole = closureOf(packages, await importedBy('renderer'));
  const paths = [...new Set([...shipped, ...ofConsole])].sort();
  const texts = await Promise.all(paths.map(async (path) => licenseOf(path, packages[path] ?? {})));
  const fonts = await readFile(join(ROOT, 'resources/fonts/DroidSansFallbackFull-LICENSE.txt'), 'utf8');
  return [
    'Faxdesk contains the programs and fonts below, each under its own license.',
    ...(node === null ? [] : [`Node.js\n\n${node.trim()}`]),
    `Droid Sans Fallback (font)\n\n${fonts.trim()}`,
    ...texts.filter((text) => text !== null),
  ].join(`\n\n${RULE}\n`);
}

/** Returns name, version and license of a package; null when it is not installed here, as one for another system. */
async function licenseOf(path: string, { version, license }: LockedPackage): Promise<string | null> {
  const folder = join(ROOT, path);
  const names = await readdir(folder).catch(() => null);
  if (names === null) return null;
  const files = names.filter((name) => LICENSE_FILE.test(name)).sort();
  const texts = await Promise.all(files.map(async (name) => readFile(join(folder, name), 'utf8')));
  const name = path.split('node_modules/').at(-1);
  return [`${name} ${version ?? ''} (${license ?? 'see below'})`, ...texts.map((text) => text.trim())].join(
    '\n\n',
  );
}

/** Lists the packages that the sources of a folder import by name. */
async function importedBy(folder: string): Promise<string[]> {
  const files = await readdir(join(ROOT, folder), { recursive: true });
  const sources = files.filter((name) => /\.tsx?$/u.test(name));
  const texts = await Promise.all(sources.map(async (name) => readFile(join(ROOT, folder, name), 'utf8')));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name)))];
}
