import { mkdir, writeFile } from 'node:fs/promises';
import { generatedPages } from './generated-pages.ts';

/** Writes the pages of `docs/` that come from definitions. */
const folder = new URL('../docs/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await generatedPages()))
  await writeFile(new URL(name, folder), text);
