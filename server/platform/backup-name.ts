import { isoTime } from './clock.ts';

/** A person made it, the day came, or a person made it while the right data key was missing. */
export type BackupOccasion = 'asked' | 'daily' | 'without-key';

/** The name of a backup made at that time (epoch milliseconds), such as `faxdesk-2026-11-21-090000.zip` or `…-daily.zip`. */
export function backupNameAt(now: number, occasion: BackupOccasion): string {
  const [day = '', time = ''] = isoTime(now).slice(0, 19).split('T');
  return `faxdesk-${day}-${time.replaceAll(':', '')}${occasion === 'asked' ? '' : `-${occasion}`}.zip`;
}

/**
 * Returns true for a valid name of a backup: it ends in `.zip`, so that a misplaced word of the command line is not
 * taken for one.
 */
export const hasBackupExtension = (name: string): boolean => /[^\\/]\.zip$/iu.test(name);
