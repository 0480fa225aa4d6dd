import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type CheckParts, checkValue } from './check-value.ts';
import { type SettingProblem, SettingsInvalidError } from './errors.ts';
import type { Changes } from './types.ts';

/** Values as a caller sent them: by name under one key of the body, and by the flat names of earlier releases. */
export interface ChangesInput {
  readonly named: Readonly<Record<string, unknown>>;
  /** Key of the body that contains the named values. */
  readonly namedKey: string;
  readonly flat?: Readonly<Record<string, unknown>>;
}

export interface ParsedChanges {
  readonly changes: Changes;
  /** Path of each changed setting in the body, for a later refusal. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** Names of settings that were removed in an earlier release; they are ignored. */
  readonly ignored: readonly string[];
}

/** Checks every name and value. Throws {@link SettingsInvalidError} with all problems at once. */
export function readChanges(written: ChangesInput, parts: CheckParts): ParsedChanges {
  const { catalog } = parts;
  const changes = new Map<string, AnyValue>();
  const paths = new Map<string, readonly string[]>();
  const problems: SettingProblem[] = [];
  const ignored: string[] = [];
  const addChange = (at: readonly string[], key: string, name: string | null, given: unknown): void => {
    if (name === null && catalog.isRemoved(key)) ignored.push(key);
    else if (name === null) problems.push({ at, type: 'unrecognized_keys' });
    else if (changes.has(name)) problems.push({ at, type: 'named_twice' });
    else {
      const checked = checkValue(name, given, parts);
      if (checked.ok) changes.set(name, checked.value);
      else problems.push({ at, type: checked.type });
      paths.set(name, at);
    }
  };
  for (const [key, given] of Object.entries(written.named))
    addChange([written.namedKey, key], key, catalog.has(key) ? key : null, given);
  for (const [key, given] of Object.entries(written.flat ?? {}))
    addChange([key], key, catalog.nameOfOlder(key), given);
  if (problems.length > 0) throw new SettingsInvalidError(problems);
  return { changes, paths, ignored };
}
