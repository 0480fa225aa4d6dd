import { textSetting } from '../../../platform/setting-kinds.ts';
import { line } from './audit.ts';

export const backupSettings = {
  BACKUP_FOLDER: textSetting({
    group: 'Backups',
    label: 'Backup folder',
    help: 'Where backups made in the console are kept, best on another disk; a path that is not absolute lies in the data folder. The folder "backups" there when none is set.',
    schema: line(1000),
    format: 'line',
    most: 1000,
  }),
};
