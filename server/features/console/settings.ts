/** Settings that consoles receive, or that set the folder of backups. */
export const CONSOLE_SETTINGS = [
  'FAX_ORGANIZATION',
  'REFERENCE_LABEL',
  'DOCUMENT_TYPES',
  'FAX_NUMBER',
  'TIME_ZONE',
  'FAX_DEFAULT_COUNTRY',
  'IDLE_LOCK_MINUTES',
  'PUBLIC_API_URL',
  'FAX_DISABLED',
  'FAX_BACKEND',
  'INBOUND_ENABLED',
  'INBOUND_POLLING',
  'MAX_FILE_SIZE_MB',
  'BACKUP_FOLDER',
  'BACKUP_DAILY_AT',
  'BACKUP_KEEP',
] as const;
