import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import type { ShippedPackage } from './shipped-packages.ts';

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/iu;
const RULE = '='.repeat(80);

/** Returns one text with the license of everything that a program contains, fonts among it. `runtime` are texts of what runs it. */
export async function licenseTexts(
  packages: readonly ShippedPackage[],
  runtime: readonly string[],
): Promise<string> {
  const texts = await Promise.all(packages.map(licenseOf));
  const fonts = await readFile(join(ROOT, 'resources/fonts/DroidSansFallbackFull-LICENSE.txt'), 'utf8');
  return [
    'Faxdesk contains the programs and fonts below, each under its own license.',
    ...runtime,
    `Droid Sans Fallback (font)\n\n${fonts.trim()}`,
    ...texts,
  ].join(`\n\n${RULE}\n`);
}

/** Returns name, version and license of a package. */
async function licenseOf({ name, version, license, folder }: ShippedPackage): Promise<string> {
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const texts = await Promise.all(files.map(async (file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license ?? 'see below'})`, ...texts.map((text) => text.trim())].join('\n\n');
}
