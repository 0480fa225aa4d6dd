import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'out/console');
const MARK = join(OUT, '.built-from');
const SOURCES = [
  'renderer',
  'shared',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-console.ts',
  ...readdirSync(join(ROOT, 'scripts'))
    .filter((name) => name.startsWith('console-'))
    .map((name) => `scripts/${name}`),
];
const PACKED = /\.(?:js|mjs|css|svg)$/u;

/** Builds the console into `out/console` unless what is there was made from the files as they are now. */
export async function buildConsoleIfStale(): Promise<boolean> {
  const state = sourceState();
  if (builtFrom() === state) return false;
  await asInProduction(async () => {
    const { build } = await import('vite');
    await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
  });
  await compressAssets();
  writeFileSync(MARK, state);
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

/** Names, sizes and times of all sources: cheaper to read than their contents. */
function sourceState(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const path = join(ROOT, source);
    const names = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' })
      : [''];
    for (const name of names.sort()) {
      const { size, mtimeMs } = statSync(join(path, name));
      hash.update(`${source}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

function builtFrom(): string | null {
  try {
    return readFileSync(MARK, 'utf8');
  } catch {
    return null;
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
