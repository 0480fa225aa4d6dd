import { textSetting } from '../../../platform/setting-kinds.ts';
import { line } from './audit.ts';

export const backupSettings = {
  BACKUP_FOLDER: textSetting({
    group: 'Backups',
    label: 'Backup folder',
    help: 'Where backups made in the console are stored, preferably on another disk. A relative path is in the data folder. If empty, the folder "backups" there.',
    schema: line(1000),
    format: 'line',
    most: 1000,
  }),
};
