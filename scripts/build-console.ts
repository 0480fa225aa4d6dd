import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { BUILD_MARK, builtFrom, sourceState } from '../server/platform/built-code.ts';
import { helpSources } from './console-help-list.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'out/console');
const SOURCES = [
  'renderer',
  'shared',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-console.ts',
  ...helpSources(),
  ...readdirSync(join(ROOT, 'scripts'))
    .filter((name) => name.startsWith('console-'))
    .map((name) => `scripts/${name}`),
];
const PACKED = /\.(?:js|mjs|css|svg)$/u;

/** Builds the console into `out/console` unless what is there was made from the files as they are now. */
export async function buildConsoleIfStale(): Promise<boolean> {
  const state = sourceState(SOURCES);
  if (builtFrom(OUT) === state) return false;
  await asInProduction(async () => {
    const { build } = await import('vite');
    await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
  });
  await compressAssets();
  writeFileSync(join(OUT, BUILD_MARK), state);
  return true;
}

/** NODE_ENV is `test` in a test run, and then the slow development builds of libraries would be bundled. */
async function asInProduction(work: () => Promise<void>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

/** Compressed copies beside each asset, so that the gateway does not compress while it answers. */
async function compressAssets(): Promise<void> {
  const folder = join(OUT, 'assets');
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const name of readdirSync(folder).filter((it) => PACKED.test(it))) {
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, quality));
    writeFileSync(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
  }
}

if (import.meta.main) await buildConsoleIfStale();
