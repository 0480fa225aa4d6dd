import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type BackupSummary, createBackup } from '../backup/create-backup.ts';
import { backupSource } from '../backup/installation.ts';
import { bucketSentence, COMMAND_LINE, restoreInstallation, SENDS_NOTHING } from '../composition/backups.ts';
import { RELEASE } from '../config/release.ts';
import { backupNameAt, hasBackupExtension } from '../platform/backup-name.ts';
import { systemClock } from '../platform/clock.ts';
import { keySentence } from '../platform/key-state.ts';
import type { ActionContext } from './command.ts';
import { bootOf, installedBoot, presentBoot } from './data-folder.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { settleFolder } from './settled-folder.ts';
import { facts, terminal } from './terminal.ts';

const MB = 1024 * 1024;

/** `faxdesk backup create`. Throws BackupError. */
export async function backUp({
  options,
  answer,
}: ActionContext<{ output?: string; overwrite?: boolean }>): Promise<void> {
  const file = options.output ?? backupNameAt(systemClock.now(), 'asked');
  if (!hasBackupExtension(file))
    throw new CommandFailure(
      `A backup cannot be named "${file}". Use a name that ends in .zip, such as monday.zip.`,
      EXIT.usage,
    );
  const path = resolve(file);
  if (existsSync(path) && !options.overwrite)
    throw new CommandFailure(`${file} already exists. Use --overwrite to replace it.`, EXIT.conflict);
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory())
    throw new CommandFailure(`There is no folder ${dirname(path)}. Nothing was written.`, EXIT.notFound);
  await settleFolder(await presentBoot(options.data));
  const boot = await installedBoot(options.data);
  const source = await backupSource(boot);
  const done = { rows: 0, files: 0 };
  const summary = await createBackup(source, path, {
    release: RELEASE,
    clock: systemClock,
    onFilled({ key }) {
      if (key === 'whole' || !existsSync(path)) return;
      throw new CommandFailure(`${file} was not replaced. ${keySentence(key)} Write it to another file.`);
    },
    onProgress: ({ what, count }) => {
      done[what] += count;
      terminal.progress(`${done.rows} records, ${done.files} documents…`);
    },
  }).finally(() => terminal.progress(''));
  answer(summaryOf(summary), () => {
    const { rows, files, bucket, missing, lost, sizeBytes } = summary;
    const cleaned = missing.length - lost.length;
    return facts([
      ['Backup', path],
      ['Size', sizeBytes < MB ? `${Math.ceil(sizeBytes / 1024)} KB` : `${(sizeBytes / MB).toFixed(1)} MB`],
      ['Records', rows],
      ['Documents', files],
      ...bucketFact(bucket),
      ...(cleaned > 0 ? [['Documents deleted during the backup', cleaned] as const] : []),
      ...(lost.length > 0 ? [['Documents missing from the data folder', lost.length] as const] : []),
    ]);
  });
  const flaw = keySentence(summary.key);
  // Whoever keeps the last few backups by a script must not count this one.
  if (flaw !== null) throw new CommandFailure(`The backup was written. ${flaw}`);
  terminal.note('It contains the keys of this installation. Keep it as safe as the installation itself.');
}

const bucketFact = (bucket: BackupSummary['bucket']) =>
  bucket === null
    ? []
    : [['Documents left to the bucket', `${bucket.documents}, in ${bucket.address}`] as const];

function summaryOf(summary: BackupSummary) {
  const { keyDigest: _, ...shown } = summary;
  return shown;
}

/** `faxdesk restore`. Throws BackupError and its kinds. */
export async function restore(
  { options, answer }: ActionContext<{ replace?: boolean }>,
  file = '',
): Promise<void> {
  const boot = await bootOf(options.data);
  const done = { check: 0, rows: 0, files: 0 };
  const summary = await restoreInstallation(resolve(file), boot, {
    replace: options.replace ?? false,
    by: COMMAND_LINE,
    onFinished: (sentence) => terminal.note(sentence),
    onProgress: ({ what, count }) => {
      done[what] += count;
      const checked = `${Math.floor(done.check / MB)} MB checked`;
      terminal.progress(`${checked}, ${done.files} documents, ${done.rows} records…`);
    },
  }).finally(() => terminal.progress(''));
  const { manifest, settled, setAside, key } = summary;
  const value = {
    ...settled,
    set_aside: setAside,
    made_at: manifest.created_at,
    missing: manifest.missing,
    bucket: manifest.bucket ?? null,
    key,
  };
  answer(value, () =>
    facts([
      ['Restored', `the backup of ${manifest.created_at} to ${boot.dataFolder}`],
      ['Held faxes', `${settled.held}; release each fax that was not sent since the backup`],
      ['Faxes to confirm', settled.unconfirmed],
      ['E-mails to confirm', settled.mails],
      ...bucketFact(manifest.bucket ?? null),
      ...(manifest.missing.length > 0
        ? [['Documents not in the backup', manifest.missing.length] as const]
        : []),
      ...(setAside ? [['Previous installation', setAside] as const] : []),
    ]),
  );
  terminal.note(
    'People and API keys are as they were in the backup. If you revoked any since then, revoke them again.',
  );
  if (manifest.bucket) terminal.note(bucketSentence(manifest.bucket));
  const flaw = keySentence(key);
  if (flaw !== null) terminal.note(`${flaw} ${SENDS_NOTHING}`);
}
