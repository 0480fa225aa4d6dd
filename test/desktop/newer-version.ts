import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { UPDATE_KEYS_FILE } from '../../main/updates/update-keys.ts';
import { DESKTOP_OUT } from '../../scripts/build-desktop.ts';
import { WITH_PACKAGES } from '../../scripts/build-gateway.ts';
import { keepSourceUrls, NODE_BUNDLE, STARTED_BY_FILE, writeChanged } from '../../scripts/node-bundle.ts';
import { ROOT } from '../../scripts/source-tree.ts';
import { MAKERS } from '../setup/update-feed.ts';

export const NEWER = '999.0.0';

const OUT = join(ROOT, 'out', 'desktop-newer');

/** The migrations of a release that changes the store and then fails at its last step. */
const MIGRATIONS = `
import { firstRelease } from './001-first-release.ts';
const changing = {
  name: '998-changes',
  up: (db) => db.schema.alterTable('fax_job').renameColumn('to_number', 'number_of_998').execute(),
};
const failing = { name: '999-fails', up: async () => { throw new Error('the migration of the newer version failed'); } };
export const migrations = [firstRelease, changing, failing];
`;

const failingMigration: Plugin = {
  name: 'failing-migration',
  setup({ onLoad }) {
    onLoad({ filter: /server\/db\/migrations\/index\.ts$/ }, () => ({ contents: MIGRATIONS, loader: 'ts' }));
  },
};

/** Builds a newer version whose migration fails, beside the built application. Returns its entry. */
export async function buildFailingVersion(): Promise<string> {
  await cp(DESKTOP_OUT, OUT, { recursive: true });
  return makeFailing(OUT);
}

/** Packages in the built files, as the application is packed. */
const PACKED = {
  ...WITH_PACKAGES,
  packages: 'bundle',
  external: ['electron', ...WITH_PACKAGES.external],
} as const satisfies BuildOptions;

/** Gives an application the migration that fails: the built one, or what was taken out of a packed one. Returns its entry. */
export async function makeFailing(folder: string, { isPacked = false } = {}): Promise<string> {
  const { outputFiles } = await build({
    ...NODE_BUNDLE,
    write: false,
    ...(isPacked ? PACKED : { packages: 'external' }),
    outdir: folder,
    entryPoints: { 'gateway-process': 'main/gateway-process.ts' },
    plugins: [
      failingMigration,
      ...(isPacked ? PACKED.plugins : []),
      keepSourceUrls(folder, STARTED_BY_FILE.built),
    ],
  });
  await Promise.all(outputFiles.map(writeChanged));
  return join(folder, 'main.mjs');
}

/** Puts the application with the key of the makers beside the built one. Returns its entry. */
export async function buildWithKey(): Promise<string> {
  const folder = join(ROOT, 'out', 'desktop-with-key');
  await cp(DESKTOP_OUT, folder, { recursive: true });
  const keys = [MAKERS.publicKey.export({ type: 'spki', format: 'pem' })];
  await writeFile(join(folder, UPDATE_KEYS_FILE), JSON.stringify(keys));
  return join(folder, 'main.mjs');
}
