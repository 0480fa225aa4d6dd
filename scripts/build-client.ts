import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { RELEASE } from '../server/config/release.ts';
import { contractTypes } from './client-types.ts';
import { writeChanged } from './node-bundle.ts';
import { ROOT, runProgram } from './steps.ts';

// `node scripts/build-client.ts` makes the package of the API client, and the file to install it from.

const NAME = '@faxdesk/client';
const SOURCE = join(ROOT, 'shared/client/package');
const OUT = join(ROOT, 'out/client');
/** Modules whose types are written out from the schemas. */
const BY_SCHEMA = [join(SOURCE, 'contract.ts'), join(ROOT, 'shared/errors/all.ts')];

/** Makes the package in `out/client`. Returns the file to install. */
export async function buildClient(): Promise<string> {
  await mkdir(OUT, { recursive: true });
  const texts: Readonly<Record<string, string>> = {
    'index.js': await bundleClient(),
    'index.d.ts': await declarations(),
    'package.json': `${JSON.stringify(MANIFEST, null, 2)}\n`,
    'README.md': await readFile(join(ROOT, 'shared/client/README.md'), 'utf8'),
    LICENSE: await readFile(join(ROOT, 'LICENSE'), 'utf8'),
  };
  for (const [name, text] of Object.entries(texts))
    await writeChanged({ path: join(OUT, name), contents: Buffer.from(text) });
  const packed = await runProgram('npm', ['pack', '--silent', OUT, '--pack-destination', OUT]);
  if (!packed) throw new Error('npm pack failed');
  return join(OUT, `${NAME.replace('@', '').replace('/', '-')}-${RELEASE}.tgz`);
}

const MANIFEST = {
  name: NAME,
  version: RELEASE,
  description: 'Send and receive faxes through a Faxdesk gateway',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  files: ['index.js', 'index.d.ts'],
};

/** Returns the code of the package as one module, without the schemas. */
export async function bundleClient(): Promise<string> {
  // Loaded here, because it is needed by nothing else of this script.
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [join(SOURCE, 'index.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    absWorkingDir: ROOT,
    logLevel: 'warning',
  });
  const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith('shared/'));
  if (foreign.length > 0) throw new Error(`the package would contain ${foreign.join(', ')}`);
  return outputFiles[0]?.text ?? '';
}

/** The types of all modules as one file. */
async function declarations(): Promise<string> {
  const folder = await mkdtemp(join(OUT, '.types-'));
  try {
    await emitDeclarations(folder);
    const entry = join(SOURCE, 'index.ts');
    const files = await declarationFiles(entry, folder);
    const exported = exportedNames(files.get(entry) ?? '');
    const bodies = [...files].filter(([path]) => path !== entry).map(([, text]) => withoutModules(text));
    const all = [...bodies, withoutModules(contractTypes())].join('\n');
    return `${all}\nexport { ${exported.join(', ')} };\n`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emitDeclarations(folder: string): Promise<void> {
  const config = {
    extends: relative(folder, join(ROOT, 'tsconfig.json')),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      typeRoots: [relative(folder, join(ROOT, 'node_modules/@types'))],
      rootDir: relative(folder, ROOT),
      outDir: '.',
    },
    files: [relative(folder, join(SOURCE, 'index.ts'))],
    include: [],
  };
  const path = join(folder, 'tsconfig.json');
  await writeFile(path, JSON.stringify(config));
  const done = await runProgram(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '--project',
    path,
  ]);
  if (!done) throw new Error('the types of the package have errors');
}

/** Reads the declarations of a module and of all that they name, by the path of the source; imported modules come first. */
async function declarationFiles(source: string, folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visited = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (visited.has(path) || BY_SCHEMA.includes(path)) return;
    visited.add(path);
    if (!path.startsWith(join(ROOT, 'shared/client/')))
      throw new Error(`the types of the package need ${path}`);
    const written = relative(ROOT, path).replace(/\.ts$/u, '.d.ts');
    const text = await readFile(join(folder, written), 'utf8');
    for (const [, target = ''] of text.matchAll(/ from '([^']+)';/gu))
      await visit(resolve(dirname(path), target));
    found.set(path, text);
  };
  await visit(source);
  return found;
}

/** Names that `index.ts` exports, with `type` where it has it. */
function exportedNames(text: string): string[] {
  return [...text.matchAll(/^export (type )?\{([^}]*)\}/gmu)].flatMap(([, type = '', names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${name.startsWith('type ') ? '' : type}${name}`),
  );
}

/** The declarations of a module, without its imports and exports. */
function withoutModules(text: string): string {
  return text
    .replaceAll(/^import [^;]*;\n/gmu, '')
    .replaceAll(/^export (?:type )?\{[^}]*\}[^;]*;\n?/gmu, '')
    .replaceAll(/^export (?:declare )?(?=interface|type)/gmu, '')
    .replaceAll(/^export declare /gmu, 'declare ');
}

if (import.meta.main) console.log(await buildClient());
