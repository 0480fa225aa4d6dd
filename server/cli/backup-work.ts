import { existsSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { checkBackup as checkFile } from '../backup/check-backup.ts';
import { type BackupSummary, createBackup } from '../backup/create-backup.ts';
import { backupSource, storeLocationOf } from '../backup/installation.ts';
import { readRecipients } from '../backup/recipients.ts';
import { bucketSentence, COMMAND_LINE, restoreInstallation, SENDS_NOTHING } from '../composition/backups.ts';
import { RELEASE } from '../config/release.ts';
import {
  type AgeIdentity,
  identityFileText,
  makeIdentity,
  parseIdentities,
  recipientOf,
} from '../platform/age/keys.ts';
import {
  backupNameAt,
  ENCRYPTED_EXTENSION,
  hasBackupExtension,
  isEncryptedName,
} from '../platform/backup-name.ts';
import { isoTime, systemClock } from '../platform/clock.ts';
import { errorCode } from '../platform/errors.ts';
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
  const given = options.output;
  if (given !== undefined && !hasBackupExtension(given))
    throw new CommandFailure(
      `A backup cannot be named "${given}". Use a name that ends in .zip, such as monday.zip.`,
      EXIT.usage,
    );
  await settleFolder(await presentBoot(options.data));
  const boot = await installedBoot(options.data);
  const recipients = await readRecipients(storeLocationOf(boot));
  const file = nameOf(given, recipients.length > 0);
  const path = resolve(file);
  if (existsSync(path) && !options.overwrite)
    throw new CommandFailure(`${file} already exists. Use --overwrite to replace it.`, EXIT.conflict);
  const folder = await stat(dirname(path)).catch(() => null);
  if (!folder?.isDirectory())
    throw new CommandFailure(`There is no folder ${dirname(path)}. Nothing was written.`, EXIT.notFound);
  const source = await backupSource(boot);
  const done = { rows: 0, files: 0 };
  const summary = await createBackup(source, path, {
    release: RELEASE,
    clock: systemClock,
    recipients,
    onFilled({ key }) {
      if (key === 'whole' || !existsSync(path)) return;
      throw new CommandFailure(`${file} was not replaced. ${keySentence(key)} Write it to another file.`);
    },
    onProgress: ({ what, count }) => {
      done[what] += count;
      terminal.progress(`${done.rows} records, ${done.files} documents…`);
    },
  }).finally(() => terminal.progress(''));
  answer({ ...summaryOf(summary), file: path, recipients: recipients.length }, () => {
    const { rows, files, bucket, missing, lost, sizeBytes } = summary;
    const cleaned = missing.length - lost.length;
    return facts([
      ['Backup', path],
      ['Size', sizeBytes < MB ? `${Math.ceil(sizeBytes / 1024)} KB` : `${(sizeBytes / MB).toFixed(1)} MB`],
      ['Encrypted', recipients.length === 0 ? 'no' : `for ${countOf(recipients.length, 'recipient')}`],
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
  terminal.note(recipients.length === 0 ? AS_SECRET : NEEDS_IDENTITY);
}

const AS_SECRET = 'It contains the keys of this installation. Keep it as safe as the installation itself.';
const NEEDS_IDENTITY =
  'It opens only with the identity of one of its recipients. Check now and then that you still have it.';

const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** An encrypted backup ends in .zip.age, also where a script gives the name that it had before. */
function nameOf(given: string | undefined, isEncrypted: boolean): string {
  if (given === undefined) return backupNameAt(systemClock.now(), 'asked', { isEncrypted });
  if (isEncrypted) return isEncryptedName(given) ? given : `${given}${ENCRYPTED_EXTENSION}`;
  if (!isEncryptedName(given)) return given;
  throw new CommandFailure(
    `Backups are not encrypted, so "${given}" would be a wrong name. Set BACKUP_RECIPIENTS first, or use a name that ends in .zip.`,
    EXIT.usage,
  );
}

/** `faxdesk backup create-key`. Writes a new identity, never over a file, and shows its recipient. */
export async function createKey({ options, answer }: ActionContext<{ output?: string }>): Promise<void> {
  const file = options.output ?? 'faxdesk-identity.txt';
  const path = resolve(file);
  const identity = makeIdentity();
  const recipient = recipientOf(identity);
  try {
    const made = await open(path, 'wx', 0o600);
    try {
      await made.writeFile(identityFileText(identity, isoTime(systemClock.now())));
      await made.sync();
    } finally {
      await made.close();
    }
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new CommandFailure(`${file} already exists and was not replaced.`, EXIT.conflict);
    throw new CommandFailure(`The identity could not be written (${errorCode(error) || 'unknown reason'}).`);
  }
  answer({ file: path, recipient }, () =>
    facts([
      ['Identity', path],
      ['Recipient', recipient],
    ]),
  );
  terminal.note(
    `Keep the identity file away from this computer, twice: without it no backup that is encrypted for it can be opened, also by you. Then set the recipient: faxdesk settings change BACKUP_RECIPIENTS=${recipient}`,
  );
}

/** `faxdesk backup check`. Reads every byte of a backup and restores nothing. Throws BackupError and its kinds. */
export async function checkBackup(
  { options, answer }: ActionContext<{ identity?: string }>,
  file = '',
): Promise<void> {
  let bytesRead = 0;
  const { manifest, rows, files, hasDataKey } = await checkFile(resolve(file), {
    release: RELEASE,
    identities: await identitiesOf(options.identity),
    onProgress({ bytes }) {
      bytesRead += bytes;
      terminal.progress(`${Math.floor(bytesRead / MB)} MB checked…`);
    },
  }).finally(() => terminal.progress(''));
  const { created_at, release, database, missing } = manifest;
  const value = { made_at: created_at, release, database, rows, files, missing: missing.length };
  answer({ ...value, data_key: hasDataKey }, () =>
    facts([
      ['Backup', 'complete, every byte was checked'],
      ['Made', created_at],
      ['Release', release],
      ['Records', rows],
      ['Documents', files],
      ['Documents missing', missing.length],
      ['Data key', hasDataKey ? 'yes' : 'no'],
    ]),
  );
}

/** Reads the identities of a file; null without one. Throws CommandFailure. */
async function identitiesOf(file: string | undefined): Promise<readonly AgeIdentity[] | null> {
  if (file === undefined) return null;
  const text = await readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw new CommandFailure(
      `The identity file ${file} cannot be read (${errorCode(error) || 'unknown reason'}).`,
      EXIT.notFound,
    );
  });
  const identities = parseIdentities(text);
  if (identities !== null) return identities;
  throw new CommandFailure(
    `${file} is not an identity file. It has a line that begins with AGE-SECRET-KEY-1.`,
    EXIT.usage,
  );
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
  { options, answer }: ActionContext<{ replace?: boolean; identity?: string }>,
  file = '',
): Promise<void> {
  const identities = await identitiesOf(options.identity);
  const boot = await bootOf(options.data);
  const done = { check: 0, rows: 0, files: 0 };
  const summary = await restoreInstallation(resolve(file), boot, {
    replace: options.replace ?? false,
    by: COMMAND_LINE,
    identities,
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
