import { RefusalError } from '../../platform/errors.ts';

/** Invalid part of a write: its path in the body, and the problem in one word. */
export interface SettingProblem {
  readonly at: readonly string[];
  readonly type: string;
}

/** A write with values that do not fit; nothing was saved. */
export class SettingsInvalidError extends Error {
  override name = 'SettingsInvalidError';
  readonly problems: readonly SettingProblem[];
  constructor(problems: readonly SettingProblem[]) {
    super(`settings do not fit: ${problems.map((problem) => problem.at.join('.')).join(', ')}`);
    this.problems = problems;
  }
}

/** Thrown when the caller read an older revision than the newest. */
export class SettingsStaleError extends RefusalError {
  override name = 'SettingsStaleError';
  constructor() {
    super('stale');
  }
}

/** Another address for a provider, without the secrets that would be sent there. */
export class SecretsElsewhereError extends RefusalError {
  override name = 'SecretsElsewhereError';
  constructor() {
    super('secrets_elsewhere');
  }
}

/** A file or folder where the gateway may not write. */
export class SettingsFolderError extends RefusalError {
  override name = 'SettingsFolderError';
  constructor(sentence: string) {
    super('folder_not_allowed', { sentence });
  }
}

/** The gateway cannot start with these settings. The message is one sentence for a person and holds no value. */
export class SettingsStartError extends Error {
  override name = 'SettingsStartError';
}
