import { mkdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { WITH_PACKAGES } from './build-gateway.ts';
import { keepSourceUrls, NODE_BUNDLE, STARTED_BY_FILE, writeChanged } from './node-bundle.ts';
import { ROOT } from './steps.ts';

/** The folder of the built application. It must be two folders below the root: `main/files.ts` counts on it. */
export const DESKTOP_OUT = join(ROOT, 'out', 'desktop');

const NODE: BuildOptions = { ...NODE_BUNDLE, packages: 'external', outdir: DESKTOP_OUT };

/** The processes of the application. */
const PROCESSES: BuildOptions = {
  ...NODE,
  entryPoints: {
    main: 'main/index.ts',
    'gateway-process': 'main/gateway-process.ts',
    'document-process': 'main/document-process.ts',
    'terminal-process': 'main/terminal-process.ts',
    ...STARTED_BY_FILE.entryPoints,
  },
  plugins: [keepSourceUrls(DESKTOP_OUT, STARTED_BY_FILE.built)],
};

/** The same with their packages, of which most code is never run. */
const PACKED_PROCESSES: BuildOptions = {
  ...PROCESSES,
  ...WITH_PACKAGES,
  packages: 'bundle',
  external: ['electron', ...WITH_PACKAGES.external],
  plugins: [...WITH_PACKAGES.plugins, ...(PROCESSES.plugins ?? [])],
};

/** Outputs of the build for the page and their entry points. */
const PAGES: BuildOptions[] = [
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
  await Promise.all((await outputs(PROCESSES)).map(writeChanged));
}

/** Builds the desktop application with its packages into `out/desktop` of a folder, as it is packed. */
export async function buildDesktopInto(folder: string): Promise<void> {
  const files = await outputs(PACKED_PROCESSES);
  const place = (path: string) => join(folder, relative(ROOT, path));
  await Promise.all(files.map(({ path, contents }) => writeChanged({ path: place(path), contents })));
}

async function outputs(processes: BuildOptions): Promise<Pick<OutputFile, 'path' | 'contents'>[]> {
  const results = await Promise.all([processes, ...PAGES].map((options) => build(options)));
  const html = await readFile(join(ROOT, 'main/page/local.html'));
  const page = { path: join(DESKTOP_OUT, 'local.html'), contents: html };
  return [...results.flatMap(({ outputFiles }) => outputFiles ?? []), page];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const began = performance.now();
  await buildDesktop();
  console.log(`Built the desktop application in ${Math.round(performance.now() - began)} ms.`);
}
