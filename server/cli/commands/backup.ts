import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createLocalStorage } from '../../adapters/storage/local.ts';
import { createBackup } from '../../backup/create-backup.ts';
import { FILES_FOLDER, STORE_FILE } from '../../backup/data-folder.ts';
import { KEY_NAMES, type KeyName } from '../../backup/manifest.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { type BootOptions, readBoot } from '../../config/boot.ts';
import { settleRestored } from '../../features/outbound/restored.ts';
import { isoTime, systemClock } from '../../platform/clock.ts';
import { RELEASE } from '../../release.ts';
import { action, type Running } from '../command.ts';
import { facts, terminal } from '../terminal.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description(
      'Write everything to one file, while the gateway runs or not. The file is as secret as the installation.',
    )
    .argument('<file>', 'a .zip file to write')
    .action(action(backUp));
  program
    .command('restore')
    .description('Put a backup in the place of an installation, while its gateway does not run.')
    .argument('<file>', 'a backup')
    .option('--replace', 'set an installation that is there aside instead of refusing')
    .action(action<{ replace?: boolean }>(restore));
}

async function backUp({ options, answer }: Running<object>, file = ''): Promise<void> {
  const boot = await bootOf(options.data);
  const { dataFolder, databaseUrl } = boot;
  const summary = await createBackup(
    {
      store: { postgresUrl: databaseUrl, sqliteFile: join(dataFolder, STORE_FILE) },
      storage: await createLocalStorage(join(dataFolder, FILES_FOLDER)),
      keys: await keysOf(boot),
    },
    resolve(file),
    {
      release: RELEASE,
      clock: systemClock,
      onProgress: ({ what, count }) => terminal.progress(`${count} ${what}`),
    },
  );
  terminal.progress('');
  answer(summary, ({ rows, files, missing, sizeBytes }) =>
    facts([
      ['Backup', resolve(file)],
      ['Size', `${(sizeBytes / 1024 / 1024).toFixed(1)} MB`],
      ['Records', rows],
      ['Documents', files],
      ...(missing.length > 0 ? [['Documents cleaned up meanwhile', missing.length] as const] : []),
    ]),
  );
}

async function restore({ options, answer }: Running<{ replace?: boolean }>, file = ''): Promise<void> {
  const boot = await bootOf(options.data);
  const { dataFolder, databaseUrl, dataKey } = boot;
  const at = isoTime(systemClock.now());
  const summary = await restoreBackup(
    resolve(file),
    { dataFolder, postgresUrl: databaseUrl, replace: options.replace ?? false, fixedDataKey: dataKey },
    {
      release: RELEASE,
      clock: systemClock,
      settle: (tx) => settleRestored(tx, at),
      onProgress: ({ what, count }) => terminal.progress(`${what} ${count}`),
    },
  );
  terminal.progress('');
  answer({ ...summary.settled, set_aside: summary.setAside, made_at: summary.manifest.created_at }, (done) =>
    facts([
      ['Restored', `the backup of ${done.made_at}`],
      ['Held faxes', `${done.held}; release each that was not sent since`],
      ['Uncertain faxes', done.doubtful],
      ...(done.set_aside ? [['The former installation', done.set_aside] as const] : []),
    ]),
  );
}

async function bootOf(data: string | undefined): Promise<BootOptions> {
  return (await readBoot(data === undefined ? {} : { dataFolder: data })).options;
}

/** The key files as they stand; a data key of the environment takes the file's place. */
async function keysOf({ dataFolder, dataKey }: BootOptions): Promise<Partial<Record<KeyName, Uint8Array>>> {
  const keys: Partial<Record<KeyName, Uint8Array>> = {};
  for (const name of KEY_NAMES) {
    const bytes = await readFile(join(dataFolder, name)).catch(() => null);
    if (bytes) keys[name] = bytes;
  }
  if (dataKey) keys['data.key'] = Buffer.from(`${Buffer.from(dataKey).toString('base64')}\n`);
  return keys;
}
