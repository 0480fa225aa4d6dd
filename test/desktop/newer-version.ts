import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { UPDATE_KEYS_FILE } from '../../main/updates/update-keys.ts';
import { DESKTOP_OUT } from '../../scripts/build-desktop.ts';
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
  const { outputFiles } = await build({
    ...NODE_BUNDLE,
    write: false,
    packages: 'external',
    outdir: OUT,
    entryPoints: { 'gateway-process': 'main/gateway-process.ts' },
    plugins: [failingMigration, keepSourceUrls(OUT, STARTED_BY_FILE.built)],
  });
  await Promise.all(outputFiles.map(writeChanged));
  return join(OUT, 'main.mjs');
}

/** Puts the application with the key of the makers beside the built one. Returns its entry. */
export async function buildWithKey(): Promise<string> {
  const folder = join(ROOT, 'out', 'desktop-with-key');
  await cp(DESKTOP_OUT, folder, { recursive: true });
  const keys = [MAKERS.publicKey.export({ type: 'spki', format: 'pem' })];
  await writeFile(join(folder, UPDATE_KEYS_FILE), JSON.stringify(keys));
  return join(folder, 'main.mjs');
}
