import { execFile } from 'node:child_process';
import { basename, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile, OutputFile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { bundleGateway } from '../../scripts/build-gateway.ts';
import { isIdentifier, type SyntaxNode, sourceFiles } from '../../scripts/source-tree.ts';
import { ROOT } from '../../scripts/steps.ts';
import { GATEWAY_BUILD } from '../../server/platform/built-code.ts';

const run = promisify(execFile);
/** Prefix with which the build marks a package whose names it keeps; an absolute path follows. */
const KEPT_NAMES = 'names-of-package:';
/** In place of this one the build begins the sources, where they have changed since. */
const SOURCES = '../../server/cli/run.ts';

let metafile: Metafile;
let outputFiles: readonly OutputFile[];
beforeAll(async () => {
  ({ metafile, outputFiles } = await bundleGateway());
});

/** By the source that something is started or loaded from, the file that was built of it. */
function entries(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint !== undefined) found.set(entryPoint, file);
  return found;
}

/** Target of an `import()`. */
interface Loaded {
  /** A source, or a package beside the build. */
  readonly source: string;
  readonly external: boolean;
  /** Loaded by our sources; else only by a package, perhaps from a file that only bundlers can load. */
  readonly isOurs: boolean;
}

/** Lists the targets of each `import()` in the bundled sources and packages. */
function dynamicImports(): Loaded[] {
  const found = new Map<string, Loaded>();
  for (const [importer, { imports }] of Object.entries(metafile.inputs))
    for (const { path: source, kind, external = false } of imports)
      if (kind === 'dynamic-import' && source !== SOURCES && !source.startsWith('node:')) {
        const isOurs = !importer.includes('node_modules/') || found.get(source)?.isOurs === true;
        found.set(source, { source, external, isOurs });
      }
  return [...found.values()];
}

/** Runs a script in a process of its own in the folder of the build, and reads the JSON that it prints. */
async function answer<T>(script: string, given: readonly string[]): Promise<T> {
  const args = ['--input-type=module', '--eval', script, JSON.stringify(given)];
  const { stdout } = await run(process.execPath, args, { cwd: join(ROOT, GATEWAY_BUILD.folder) });
  return JSON.parse(stdout) as T;
}

const namesIn = (modules: readonly string[]) =>
  answer<string[][]>(
    `const found = [];
     for (const name of JSON.parse(process.argv[1])) found.push(Object.keys(await import(name)).sort());
     process.stdout.write(JSON.stringify(found), () => process.exit());`,
    modules,
  );

const addressOf = (path: string) => pathToFileURL(join(ROOT, path)).href;

test('rule (crossings): modules loaded by `import()` export the same names in the build as in the sources, so every capability reaches the gateway people start', async () => {
  const built = entries();
  const loaded = dynamicImports();
  const inBuild = await namesIn(
    loaded.map(({ source, external }) => (external ? source : addressOf(built.get(source) ?? source))),
  );
  const builtNames = new Map(loaded.map(({ source }, at) => [source, inBuild[at] ?? []]));
  const ours = loaded.filter(({ isOurs }) => isOurs);
  const inSources = await namesIn(
    ours.map(({ source, external }) => {
      if (external) return source;
      const [, kept] = source.split(KEPT_NAMES);
      return kept === undefined ? addressOf(source) : pathToFileURL(kept).href;
    }),
  );
  const lost = ours.flatMap(({ source }, at) =>
    // Only Node itself makes the name of the whole of an older module.
    (inSources[at] ?? [])
      .filter((name) => name !== 'module.exports' && !builtNames.get(source)?.includes(name))
      .map((name) => `${source}: ${name}`),
  );
  expect(lost).toEqual([]);
  expect([...builtNames].filter(([, names]) => names.length === 0)).toEqual([]);
  expect(ours.length).toBeGreaterThan(10);
});

test('rule (desktop): every `import()` of the sources is in the build', () => {
  const written = sourceFiles('server').flatMap(({ path, nodes }) =>
    nodes.flatMap(({ type, source }) => {
      const { value } = (source ?? {}) as { value?: unknown };
      return type === 'ImportExpression' && typeof value === 'string' ? [`${path} ${value}`] : [];
    }),
  );
  const bundled = Object.entries(metafile.inputs).flatMap(([path, { imports }]) =>
    imports.map(({ original, path: target }) => `${path} ${original ?? target}`),
  );
  const begins = 'server/cli.ts ./cli/run.ts';
  expect(written.filter((it) => it !== begins && !bundled.includes(it))).toEqual([]);
  expect(written.length).toBeGreaterThan(10);
});

/** The source that `new URL('./file.ts', import.meta.url)` names. */
function fileOf(path: string, node: SyntaxNode): string[] {
  const [first] = (node['arguments'] ?? []) as { value?: unknown }[];
  const value = isIdentifier(node['callee'], 'URL') ? first?.value : undefined;
  return typeof value === 'string' && value.endsWith('.ts') ? [posix.join(posix.dirname(path), value)] : [];
}

test('everything that is started by its file was built, and all that it imports can be loaded', async () => {
  const started = sourceFiles('server').flatMap(({ path, nodes }) =>
    nodes.filter(({ type }) => type === 'NewExpression').flatMap((node) => fileOf(path, node)),
  );
  const built = entries();
  const files = ['server/cli.ts', ...started].map((source) => built.get(source) ?? `nothing of ${source}`);
  expect(files.length).toBeGreaterThan(3);
  // A module is linked whole before its first line runs, so the first import ends each of them before it does anything.
  const linked = await answer<string[]>(
    `const found = [];
     for (const file of JSON.parse(process.argv[1])) {
       const lines = 'import "data:text/javascript,throw \\'' + 'linked' + '\\'";import ' + JSON.stringify(file);
       found.push(await import('data:text/javascript,' + encodeURIComponent(lines)).catch(String));
     }
     process.stdout.write(JSON.stringify(found), () => process.exit());`,
    files.map(addressOf),
  );
  expect(linked).toEqual(files.map(() => 'linked'));
});

test('rule (desktop): packages for traces are loaded only where a collector is set', () => {
  const begun = new Set<string>();
  const follow = (file: string): void => {
    if (begun.has(file)) return;
    begun.add(file);
    for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import') follow(path);
  };
  const inputsOf = (files: Iterable<string>) =>
    [...files].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
  for (const [source, file] of entries())
    if (!source.includes('/telemetry/') && !source.includes('node_modules')) follow(file);
  // The package of `/metrics` has the interface as well.
  const isForTraces = (path: string) => /@opentelemetry\/(?!api\/)/u.test(path);
  expect(inputsOf(Object.keys(metafile.outputs)).filter(isForTraces).length).toBeGreaterThan(10);
  expect(inputsOf(begun).filter(isForTraces)).toEqual([]);
});

test('the code of the build is ASCII, as Node would hold each of its characters in two bytes else', () => {
  const code = outputFiles.filter(({ path }) => path.endsWith('.mjs'));
  const wide = code.flatMap(({ path, text }) => {
    const at = text.search(/[^\0-\x7f]/u);
    return at === -1 ? [] : [`${basename(path)}: ${text.slice(Math.max(0, at - 40), at + 10)}`];
  });
  // In a regular expression of ours, write the escape: `\u2013`.
  expect(wide).toEqual([]);
});
