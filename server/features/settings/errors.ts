import { RefusalError } from '../../platform/errors.ts';

/** One place of a write that does not fit: where it stands in the body, and what is wrong in one word. */
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

/** The caller looked at an older revision than the newest. */
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
