/** A backup or restore that cannot be done. The message is one sentence for a person; nothing was changed. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The file is not a whole backup. */
export class DamagedBackupError extends BackupError {
  override name = 'DamagedBackupError';
  constructor(what: string, options?: ErrorOptions) {
    super(`This backup is damaged or is none (${what}); nothing was changed.`, options);
  }
}

/** The backup was made by a release that this one does not know. */
export class NewerBackupError extends BackupError {
  override name = 'NewerBackupError';
  constructor(release: string) {
    super(
      `This backup was made by the newer release ${release}; install that release first. Nothing was changed.`,
    );
  }
}

/** There is an installation where the backup is to go. */
export class OccupiedError extends BackupError {
  override name = 'OccupiedError';
}

/** A gateway works on the place where the backup is to go. */
export class InUseError extends BackupError {
  override name = 'InUseError';
}
