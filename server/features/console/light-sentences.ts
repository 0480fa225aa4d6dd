/** Sentences of the light of consoles that a command also says without a gateway. */
export const NO_PROVIDER = 'No fax provider is set up, so faxes cannot be sent.';
export const SENDING_OFF = 'Sending is off. New faxes are held.';
export const NO_BACKUP = 'There is no backup yet.';

/** Age in ms at which a backup is no longer recent where no hour is set for daily ones. */
export const RECENT_BACKUP_MS = 7 * 24 * 3_600_000;
