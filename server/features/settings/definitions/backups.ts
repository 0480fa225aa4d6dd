import { z } from 'zod';
import { BACKUP_PERMISSIONS } from '../../../../shared/permissions.ts';
import { parseRecipient } from '../../../platform/age/keys.ts';
import { choiceSetting, listSetting, numberSetting, pathSetting } from '../../../platform/setting-kinds.ts';

const GROUP = 'Backups';
const RECIPIENT_RULE = 'must be a public key such as age1…, as faxdesk backup create-key shows it';
/** Every full hour of a day, as a choice. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

export const backupSettings = {
  BACKUP_FOLDER: pathSetting({
    // Whoever reads a backup can become owner of the installation.
    opens: ['owner:recover'],
    group: GROUP,
    label: 'Backup folder',
    help: 'Where backups made in the console are stored, preferably on another disk that you allowed. A relative path is in the folder "backups" of the data folder, which is used if empty.',
    kind: 'folder',
    own: 'backups',
  }),
  BACKUP_DAILY_AT: choiceSetting({
    opens: BACKUP_PERMISSIONS,
    group: GROUP,
    label: 'Daily backup',
    help: 'The hour when a backup is made every day. If Faxdesk is off then, it is made when Faxdesk runs again. No daily backups if empty.',
    choices: HOURS,
    default: null,
  }),
  BACKUP_KEEP: numberSetting({
    opens: BACKUP_PERMISSIONS,
    group: GROUP,
    label: 'Daily backups to keep',
    help: 'Older daily backups are removed. Each backup holds every document except those in a bucket; those made by hand are never removed automatically.',
    least: 1,
    most: 365,
    default: 7,
  }),
  BACKUP_RECIPIENTS: listSetting({
    // Another recipient could open every backup, and none leaves them plain.
    opens: ['owner:recover'],
    group: GROUP,
    label: 'Encrypt backups for',
    help: 'Public keys (age1…) from faxdesk backup create-key or age-keygen. Each backup then opens only with the identity of one of them, also for you. Not encrypted if empty.',
    entry: z.string().refine((text) => parseRecipient(text) !== null, RECIPIENT_RULE),
    format: 'line',
    rule: { pattern: '^age1[02-9ac-hj-np-z]{58}$', sentence: `It ${RECIPIENT_RULE}.` },
  }),
};
