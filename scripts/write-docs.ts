import { mkdir, writeFile } from 'node:fs/promises';
import { recordRelease } from './describe-changes.ts';
import { generatedPages } from './generated-pages.ts';

/** Writes the pages of `docs/` that come from definitions; with `--release` the contract of the API becomes that of this release. */
if (process.argv.includes('--release')) recordRelease();
const folder = new URL('../docs/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await generatedPages()))
  await writeFile(new URL(name, folder), text);
