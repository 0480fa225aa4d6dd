import { isoTime } from './clock.ts';

/** A person made it, the day came, or a person made it while the right data key was missing. */
export type BackupOccasion = 'asked' | 'daily' | 'without-key';

/** The name of a backup made at that time (epoch milliseconds), such as `faxdesk-2026-11-21-090000.zip` or `…-daily.zip`. */
export function backupNameAt(now: number, occasion: BackupOccasion): string {
  const [day = '', time = ''] = isoTime(now).slice(0, 19).split('T');
  return `faxdesk-${day}-${time.replaceAll(':', '')}${occasion === 'asked' ? '' : `-${occasion}`}.zip`;
}

/** Whether a file may be called so: a backup is a `.zip`, and a word of the command line is none by mistake. */
export const endsAsBackup = (name: string): boolean => /[^\\/]\.zip$/iu.test(name);
