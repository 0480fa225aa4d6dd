export { NO_BACKUP, NO_PROVIDER, RECENT_BACKUP_MS, SENDING_OFF } from './light-sentences.ts';
