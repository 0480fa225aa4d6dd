import { rm } from 'node:fs/promises';
import type { CredentialKind } from '../../shared/credential-kinds.ts';
import { openBackupFile } from '../backup/backup-file.ts';
import { contentsRecordOf, writeContentsRecord } from '../backup/contents-record.ts';
import { createBackup } from '../backup/create-backup.ts';
import { BackupError } from '../backup/errors.ts';
import { backupSource } from '../backup/installation.ts';
import { readBackupContents } from '../backup/read-contents.ts';
import { parseRecipients } from '../backup/recipients.ts';
import { type RestoreParts, type RestoreSummary, restoreBackup } from '../backup/restore-backup.ts';
import type { BootOptions } from '../config/boot.ts';
import { RELEASE } from '../config/release.ts';
import type { DamageWatch } from '../db/damage.ts';
import type { WriteTx } from '../db/database.ts';
import { policyVersion } from '../features/access/offline.ts';
import { createSecurityAudit } from '../features/audit/service.ts';
import { settleRestoredBroadcasts } from '../features/broadcasts/offline.ts';
import type { MakeBackup } from '../features/console/room.ts';
import { settleRestoredGateways } from '../features/gateways/offline.ts';
import { settleRestoredMail } from '../features/intake/offline.ts';
import { settleRestoredReplies } from '../features/mail-to-fax/offline.ts';
import { type RestoredFaxes, settleRestored } from '../features/outbound/offline.ts';
import { settleRestoredPrints } from '../features/print-rules/offline.ts';
import { joinRestored } from '../features/storage/offline.ts';
import { settleRestoredSummary } from '../features/summary/offline.ts';
import { settleRestoredWebhooks } from '../features/webhooks/offline.ts';
import type { AgeIdentity } from '../platform/age/keys.ts';
import type { Clock } from '../platform/clock.ts';
import { isoTime, systemClock } from '../platform/clock.ts';
import type { DataKeys } from '../platform/data-keys.ts';
import { keySentence } from '../platform/key-state.ts';

/**
 * Makes a backup of the running installation, for the console. It reads every row, so `damage` is notified of damage
 * that it finds. `dataKeys` are those that the gateway works with, even if their file was lost since; null where they are
 * not those of the store.
 */
export function createBackupMaker(
  boot: BootOptions,
  { clock, damage, dataKeys }: { clock: Clock; damage: DamageWatch; dataKeys: DataKeys | null },
): MakeBackup {
  return async (file, { signal, onProgress, recipients }) => {
    const done = { rows: 0, files: 0 };
    const isEncrypted = recipients.length > 0;
    const parts = {
      release: RELEASE,
      clock,
      signal,
      // Before the backup has its name: one without a record is kept for good.
      onFilled: async (made: Parameters<typeof writeContentsRecord>[1]) => {
        if (isEncrypted) await writeContentsRecord(file, made);
      },
      onProgress({ what, count }: { what: 'rows' | 'files'; count: number }) {
        done[what] += count;
        onProgress(done);
      },
    };
    try {
      const keys = { recipients: parseRecipients(recipients) };
      const located = {
        ...boot,
        get dataKey() {
          return dataKeys === null ? boot.dataKey : dataKeys.bytes;
        },
      };
      return await createBackup(await backupSource(located), file, { ...parts, ...keys });
    } catch (error) {
      if (isEncrypted) await rm(contentsRecordOf(file), { force: true });
      damage.observeError(error instanceof BackupError ? error.cause : error);
      if (error instanceof BackupError) return { failure: error.message };
      throw error;
    }
  };
}

/** Returns the reason why the identities do not open a backup, as a sentence; null when they do, or it needs none. */
async function backupProblem(
  file: string,
  identities: readonly AgeIdentity[] | null,
): Promise<string | null> {
  try {
    await (await openBackupFile(file, identities)).close();
    return null;
  } catch (error) {
    if (error instanceof BackupError) return error.message;
    throw error;
  }
}

/** Functions that read backups, for consoles. */
export const BACKUP_READING = { readBackupContents, backupProblem };

/** Sentence for a restored installation without its key. */
export const SENDS_NOTHING =
  'Faxdesk sends and receives nothing until that file is back in the data folder, from the former computer or an older backup.';

/** Returns the sentence about documents that a restored backup left in a bucket. */
export function bucketSentence({ address, documents }: { address: string; documents: number }): string {
  const [count, stay] =
    documents === 1 ? ['1 document is', 'it stays'] : [`${documents} documents are`, 'they stay'];
  return `${count} not in the backup: ${stay} in ${address}, which was not read. If this installation replaces the former one, run faxdesk storage adopt.`;
}

/** Counts of the work that was in progress when the backup was made, after settling it. */
interface Settled extends RestoredFaxes {
  /** E-mails with received faxes that may have been sent since. */
  readonly mails: number;
  /** Received faxes that may have been printed since. */
  readonly printouts: number;
}

/** Person who restores: named in the first record of the security audit of the restored installation. */
export interface Restorer {
  readonly name: string;
  readonly credentialKind: CredentialKind;
}

/** Stops the gateway, restores a file with the identities that open it, and starts again. */
export type RestoreFile = (file: string, by: Restorer, identities: readonly AgeIdentity[] | null) => void;

export const COMMAND_LINE: Restorer = { name: 'Command line', credentialKind: 'command_line' };

/**
 * Puts a backup in the place of an installation on which no gateway runs. No fax leaves by itself afterwards, and the
 * security audit says where a gap may be. Throws BackupError and its kinds.
 */
export function restoreInstallation(
  file: string,
  boot: BootOptions,
  options: { replace: boolean; by: Restorer; identities?: readonly AgeIdentity[] | null } & Pick<
    RestoreParts<unknown>,
    'onProgress' | 'onFinished'
  >,
): Promise<RestoreSummary<Settled>> {
  const { replace, by, identities = null, ...others } = options;
  const { dataFolder, databaseUrl: postgresUrl, dataKey: fixedDataKey } = boot;
  const settle = (tx: WriteTx) => settleFaxes(tx, by);
  const parts = { release: RELEASE, clock: systemClock, settle, join: joinRestored, ...others };
  return restoreBackup(file, { dataFolder, postgresUrl, replace, fixedDataKey, identities }, parts);
}

/**
 * Restores like `restoreInstallation`, replacing the present installation; returns what a person should know about it,
 * as sentences.
 */
export async function tryRestore(
  file: string,
  boot: BootOptions,
  options: { by: Restorer; identities: readonly AgeIdentity[] | null },
): Promise<string[]> {
  try {
    const { manifest, settled, key } = await restoreInstallation(file, boot, { replace: true, ...options });
    const { held, mails } = settled;
    const faxes = held === 1 ? '1 fax that was waiting is' : `${held} faxes that were waiting are`;
    const check =
      held === 0
        ? []
        : [`After the restore, ${faxes} held. Release each fax that was not sent since the backup.`];
    const sent =
      mails === 0
        ? []
        : [
            'After the restore, e-mails with received faxes need a check. Confirm each e-mail that was sent since the backup.',
          ];
    const inBucket = manifest.bucket ? [bucketSentence(manifest.bucket)] : [];
    const missing = manifest.missing.length;
    const gaps =
      missing === 0 ? [] : [`The restored backup does not have the documents of ${missing} faxes.`];
    const flaw = keySentence(key);
    const unopened = flaw === null ? [] : [`${flaw} ${SENDS_NOTHING}`];
    return [...unopened, ...check, ...sent, ...inBucket, ...gaps];
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    return [`The backup could not be restored. ${error.message}`];
  }
}

/**
 * Puts a backup in the place of an installation on which no gateway has opened since it was made: nothing was accepted, received or
 * sent that it lacks, so its faxes go on as after a restart. Throws BackupError and its kinds.
 */
export function restoreUnopened(file: string, boot: BootOptions): Promise<RestoreSummary<void>> {
  const { dataFolder, databaseUrl: postgresUrl, dataKey: fixedDataKey } = boot;
  const settle = async (tx: WriteTx) => {
    await settleRestoredGateways(tx);
    await recordRestore(tx, { name: 'Faxdesk', credentialKind: 'none' }, {});
  };
  const parts = { release: RELEASE, clock: systemClock, settle, join: joinRestored };
  return restoreBackup(
    file,
    { dataFolder, postgresUrl, replace: true, fixedDataKey, identities: null },
    parts,
  );
}

async function settleFaxes(tx: WriteTx, by: Restorer): Promise<Settled> {
  const at = isoTime(systemClock.now());
  const faxes = {
    ...(await settleRestored(tx, at)),
    mails: await settleRestoredMail(tx, at),
    printouts: await settleRestoredPrints(tx, at),
  };
  await settleRestoredGateways(tx);
  await settleRestoredSummary(tx, at, 'backup');
  await settleRestoredReplies(tx, at, 'backup');
  await settleRestoredWebhooks(tx, at, 'backup');
  await settleRestoredBroadcasts(tx, at, 'backup');
  await recordRestore(tx, by, { ...faxes });
  return faxes;
}

async function recordRestore(
  tx: WriteTx,
  { name, credentialKind }: Restorer,
  details: Record<string, number>,
): Promise<void> {
  await createSecurityAudit({ clock: systemClock }).record(tx, {
    actor: { id: null, name },
    credentialKind,
    operation: 'installation.restore',
    target: { kind: 'installation', id: null },
    outcome: 'done',
    policyVersion: await policyVersion(tx),
    requestId: null,
    details,
  });
}
