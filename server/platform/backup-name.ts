import { isoTime } from './clock.ts';

/** A person made it, the day came, or a person made it while the right data key was missing. */
export type BackupOccasion = 'asked' | 'daily' | 'without-key';

/** Extension of an encrypted backup, after `.zip`. */
export const ENCRYPTED_EXTENSION = '.age';

/**
 * Returns the name of a backup made at that time (epoch milliseconds), such as `faxdesk-2026-11-21-090000.zip`, `…-daily.zip` or,
 * encrypted, `…-daily.zip.age`.
 */
export function backupNameAt(now: number, occasion: BackupOccasion, { isEncrypted = false } = {}): string {
  const [day = '', time = ''] = isoTime(now).slice(0, 19).split('T');
  const name = `faxdesk-${day}-${time.replaceAll(':', '')}${occasion === 'asked' ? '' : `-${occasion}`}.zip`;
  return isEncrypted ? `${name}${ENCRYPTED_EXTENSION}` : name;
}

/** Returns true for the name of an encrypted backup. */
export const isEncryptedName = (name: string): boolean => /\.zip\.age$/iu.test(name);

/**
 * Returns true for a valid name of a backup: it ends in `.zip`, or encrypted in `.zip.age`, so that a misplaced word of the
 * command line is not taken for one.
 */
export const hasBackupExtension = (name: string): boolean => /[^\\/]\.zip(\.age)?$/iu.test(name);
