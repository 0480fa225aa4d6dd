import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { keepSourceUrls, NODE_BUNDLE, STARTED_BY_FILE, writeChanged } from './node-bundle.ts';
import { ROOT } from './steps.ts';

/** The folder of the built application. It must be two folders below the root: `main/files.ts` counts on it. */
export const DESKTOP_OUT = join(ROOT, 'out', 'desktop');

const NODE: BuildOptions = { ...NODE_BUNDLE, packages: 'external', outdir: DESKTOP_OUT };

/** Outputs of the build and their entry points. */
const BUILDS: BuildOptions[] = [
  {
    ...NODE,
    entryPoints: {
      main: 'main/index.ts',
      'gateway-process': 'main/gateway-process.ts',
      'document-process': 'main/document-process.ts',
      'terminal-process': 'main/terminal-process.ts',
      ...STARTED_BY_FILE.entryPoints,
    },
    plugins: [keepSourceUrls(DESKTOP_OUT, STARTED_BY_FILE.built)],
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
  await Promise.all(files.map(writeChanged));
  const html = await readFile(join(ROOT, 'main/page/local.html'));
  await writeChanged({ path: join(DESKTOP_OUT, 'local.html'), contents: html });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const began = performance.now();
  await buildDesktop();
  console.log(`Built the desktop application in ${Math.round(performance.now() - began)} ms.`);
}
