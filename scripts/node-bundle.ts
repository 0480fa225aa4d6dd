import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, OutputFile, Plugin } from 'esbuild';
import { ROOT } from './steps.ts';

/** Options of every bundle for Node. Its files are written by {@link writeChanged}. */
export const NODE_BUNDLE: BuildOptions = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  absWorkingDir: ROOT,
  logLevel: 'warning',
  // Node holds the text of what it loads: without comments and indentation that is a quarter less. A notice in a comment may
  // have letters that are not ASCII, with which each character takes two bytes.
  minifyWhitespace: true,
  legalComments: 'external',
  // Lines that a stack trace can name.
  lineLimit: 160,
};

/** Entry points that the gateway starts by file, wherever it was built to. */
export const STARTED_BY_FILE = {
  entryPoints: {
    'document-worker': 'server/documents/pool/worker.ts',
    'database-check': 'server/db/check-entry.ts',
    'mail-thread': 'server/adapters/mail/mail-thread.ts',
  },
  built: {
    './worker.ts': 'document-worker.mjs',
    './check-entry.ts': 'database-check.mjs',
    './mail-thread.ts': 'mail-thread.mjs',
  },
} as const;

/** Writes a built file unless it is unchanged, by a rename, so that a program that starts meanwhile reads a complete file. */
export async function writeChanged({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): Promise<void> {
  const before = await readFile(path).catch(() => null);
  if (before !== null && Buffer.compare(before, contents) === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = join(dirname(path), `.${process.pid}-${basename(path)}`);
  await writeFile(draft, contents);
  await rename(draft, path);
}

/**
 * Replaces `import.meta.url` in each bundled file by the address of its source, since the gateway finds its fonts, release
 * and pages relative to its sources. `built` maps the sources that are started as files, as the code names them, to the
 * files built from them.
 */
export function keepSourceUrls(out: string, built: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'keep-source-urls',
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

/**
 * Gives a package in the older form of modules, where it is loaded by `import()`, the names that Node gives it: the bundle
 * would have `default` alone, and `const { name } = await import('package')` nothing.
 */
export function keepNames(): Plugin {
  const namespace = 'names-of-package';
  return {
    name: 'keep-names',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === namespace || path.startsWith('node:')) return null;
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: namespace });
        if (found.external || found.errors.length > 0) return found;
        const names = await commonNames(found.path);
        return names === null ? found : { path: found.path, namespace, pluginData: names };
      });
      onLoad({ filter: /./, namespace }, ({ path, pluginData }) => {
        const lines = (pluginData as string[]).map(
          (name, at) => `const n${at} = whole.${name}; export { n${at} as ${name} };\n`,
        );
        const contents = `const whole = require(${JSON.stringify(path)}); export default whole;\n${lines.join('')}`;
        return { contents, resolveDir: dirname(path) };
      });
    },
  };
}

/** The names beside `default` that Node gives a file in the older form of modules; null for any other file. */
async function commonNames(path: string): Promise<string[] | null> {
  // A file that only bundlers can load is of the newer form.
  const loaded = await import(pathToFileURL(path).href).catch(() => ({}));
  const names = Object.keys(loaded as object);
  if (!names.includes(WHOLE)) return null;
  return names.filter((name) => name !== 'default' && /^[\w$]+$/u.test(name));
}

/** Leaves out the sentences of `zod` in fifty languages, half of its code: those of the gateway are its own. */
export function leaveOutLanguages(): Plugin {
  return {
    name: 'leave-out-languages',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: "export { default as en } from './en.js';",
      }));
    },
  };
}

/** Node's name for the whole of a CommonJS file. */
const WHOLE = 'module.exports';
