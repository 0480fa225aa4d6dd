import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { BUILD_MARK, builtFrom, GATEWAY_BUILD, sourceState } from '../server/platform/built-code.ts';
import {
  keepNames,
  keepSourceUrls,
  leaveOutLanguages,
  NODE_BUNDLE,
  STARTED_BY_FILE,
  writeChanged,
} from './node-bundle.ts';
import { ROOT } from './steps.ts';

const OUT = join(ROOT, GATEWAY_BUILD.folder);
/** Packages that find files of their own beside their code. */
export const BY_THEIR_PLACE = [
  '@embedpdf/pdfium',
  '@node-rs/argon2',
  'better-sqlite3',
  'dejavu-fonts-ttf',
  'fontkit',
  'pg-native',
  'piscina',
  'sharp',
  'swagger-ui-dist',
];

/** Options of a bundle of Node that holds the packages as well. */
export const WITH_PACKAGES = {
  splitting: true,
  external: BY_THEIR_PLACE,
  // CommonJS packages load those of Node with `require`.
  banner: {
    js: "import { createRequire as forPackages } from 'node:module'; const require = forPackages(import.meta.url);",
  },
  plugins: [keepNames(), leaveOutLanguages()],
} satisfies BuildOptions;

const BEGIN = 'server/cli.ts';
const RUN = 'server/cli/run.ts';

/**
 * Builds the gateway and what it starts into `out/gateway`, with the packages they use, unless what is there was made
 * from the sources as they are now. A gateway that runs from an older build goes on: its files stay.
 */
export async function buildGatewayIfStale(): Promise<boolean> {
  const state = sourceState(GATEWAY_BUILD.sources);
  if (builtFrom(OUT) === state) return false;
  const { outputFiles } = await bundleGateway();
  await rm(join(OUT, BUILD_MARK), { force: true });
  await Promise.all(outputFiles.map(writeChanged));
  await writeFile(join(OUT, BUILD_MARK), state);
  return true;
}

/** The files of the build, by their places, and what of the sources went where; writes nothing. */
export function bundleGateway(): Promise<GatewayBundle> {
  return bundleWithGateway({ faxdesk: BEGIN, cli: RUN }, OUT);
}

type GatewayBundle = BuildResult<{ write: false; metafile: true }>;

/** Bundles programs that hold a gateway, with what a gateway starts, for a folder; writes nothing. */
export async function bundleWithGateway(
  programs: Readonly<Record<string, string>>,
  outdir: string,
): Promise<GatewayBundle> {
  // Loaded here, because most starts build nothing.
  const { build } = await import('esbuild');
  return await build({
    ...NODE_BUNDLE,
    entryPoints: {
      ...programs,
      'document-process': 'server/documents/process/main.ts',
      'terminal-process': 'server/cli/terminal-session/main.ts',
      ...STARTED_BY_FILE.entryPoints,
    },
    outdir,
    write: false,
    metafile: true,
    ...WITH_PACKAGES,
    plugins: [
      beginWithSources(),
      ...WITH_PACKAGES.plugins,
      keepSourceUrls(outdir, {
        ...STARTED_BY_FILE.built,
        '../process/main.ts': 'document-process.mjs',
      }),
    ],
  });
}

/** Makes the entry point of the command line load the sources in place of the build, where those have changed since. */
function beginWithSources(): Plugin {
  return {
    name: 'begin-with-sources',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\/cli\/run\.ts$/ }, ({ importer }) =>
        importer === join(ROOT, BEGIN) ? { path: `../../${RUN}`, external: true } : null,
      );
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildGatewayIfStale();
