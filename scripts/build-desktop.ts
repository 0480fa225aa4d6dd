import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import { ROOT } from './steps.ts';

/** The folder of the built application. It must be two folders below the root: `main/files.ts` counts on it. */
export const DESKTOP_OUT = join(ROOT, 'out', 'desktop');

const NODE: BuildOptions = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  packages: 'external',
  outdir: DESKTOP_OUT,
  outExtension: { '.js': '.mjs' },
  absWorkingDir: ROOT,
  logLevel: 'warning',
};

/** What is built of what. */
const BUILDS: BuildOptions[] = [
  {
    ...NODE,
    entryPoints: {
      main: 'main/index.ts',
      'gateway-process': 'main/gateway-process.ts',
      'document-process': 'main/document-process.ts',
      'document-worker': 'server/documents/pool/worker.ts',
    },
    plugins: [keepPlaces()],
  },
  {
    // A sandboxed preload is one script that can require nothing but electron.
    ...NODE,
    entryPoints: { preload: 'main/page/preload.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    packages: 'bundle',
    external: ['electron'],
  },
  {
    ...NODE,
    entryPoints: { local: 'main/page/local.ts', 'local-style': 'main/page/local.css' },
    entryNames: 'local',
    platform: 'browser',
    target: 'chrome140',
    format: 'iife',
    outExtension: {},
    packages: 'bundle',
  },
];

/** Builds the desktop application into `out/desktop`. Files that did not change are left alone. */
export async function buildDesktop(): Promise<void> {
  await mkdir(DESKTOP_OUT, { recursive: true });
  const results = await Promise.all(BUILDS.map((options) => build(options)));
  const files = results.flatMap(({ outputFiles }) => outputFiles ?? []);
  await Promise.all(files.map(place));
  const html = await readFile(join(ROOT, 'main/page/local.html'));
  await place({ path: join(DESKTOP_OUT, 'local.html'), contents: html });
}

/** By a rename, so that an application that starts meanwhile reads a complete file. */
async function place({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before !== null && Buffer.compare(before, contents) === 0) return;
  const draft = join(dirname(path), `.${process.pid}-${basename(path)}`);
  await writeFile(draft, contents);
  await rename(draft, path);
}

const WORKER = "new URL('./worker.ts', import.meta.url)";
const BUILT_WORKER = "new URL('document-worker.mjs', import.meta.url)";

/**
 * The gateway finds its fonts, its release and its pages relative to its own source files. In the bundle each file still
 * names the path of its source, and the worker thread is the one that was built beside it.
 */
function keepPlaces(): Plugin {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.url') || !path.startsWith(join(ROOT, 'server') + sep)) return null;
        const place = relative(DESKTOP_OUT, path).split(sep).join('/');
        const here = `new URL('${place}', import.meta.url).href`;
        const pieces = text.split(WORKER).map((piece) => piece.replaceAll('import.meta.url', here));
        return { contents: pieces.join(BUILT_WORKER), loader: 'ts' };
      });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const began = performance.now();
  await buildDesktop();
  console.log(`Built the desktop application in ${Math.round(performance.now() - began)} ms.`);
}
