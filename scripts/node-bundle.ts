import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { ROOT } from './steps.ts';

/** What every bundle for Node has in common; it is written by {@link place}. */
export const NODE_BUNDLE: BuildOptions = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  absWorkingDir: ROOT,
  logLevel: 'warning',
};

/** What the gateway starts by its file, wherever it was built to. */
export const STARTED_BY_FILE = {
  entryPoints: {
    'document-worker': 'server/documents/pool/worker.ts',
    'database-check': 'server/db/check-entry.ts',
  },
  built: { './worker.ts': 'document-worker.mjs', './check-entry.ts': 'database-check.mjs' },
} as const;

/** Writes what was built, by a rename, so that a program that starts meanwhile reads a complete file. */
export async function place({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before !== null && Buffer.compare(before, contents) === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${process.pid}-${basename(path)}`);
  await writeFile(draft, contents);
  await rename(draft, path);
}

/**
 * The gateway finds its fonts, its release and its pages relative to its own source files. In the bundle each file still
 * names the path of its source; what of the gateway is started by its file is named in `built`, its source as the code names
 * it and the file that was built of it.
 */
export function keepPlaces(out: string, built: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        let text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.url') || !path.startsWith(join(ROOT, 'server') + sep)) return null;
        for (const [source, file] of Object.entries(built))
          text = text.replace(urlOf(source), urlOf(file).replace('import.meta.url', OF_BUNDLE));
        const source = relative(out, path).split(sep).join('/');
        const contents = text
          .replaceAll('import.meta.url', `new URL('${source}', import.meta.url).href`)
          .replaceAll(OF_BUNDLE, 'import.meta.url');
        return { contents, loader: 'ts' };
      });
    },
  };
}

const OF_BUNDLE = 'the-address-of-the-bundle';
const urlOf = (path: string) => `new URL('${path}', import.meta.url)`;
