import { pathSetting } from '../../../platform/setting-kinds.ts';

export const backupSettings = {
  BACKUP_FOLDER: pathSetting({
    group: 'Backups',
    label: 'Backup folder',
    help: 'Where backups made in the console are stored, preferably on another disk that you allowed. A relative path is in the folder "backups" of the data folder, which is used if empty.',
    kind: 'folder',
    own: 'backups',
  }),
};
