import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type CheckParts, checkValue } from './check-value.ts';
import { type SettingProblem, SettingsInvalidError } from './errors.ts';
import type { Changes } from './types.ts';

/** Values as a caller wrote them: by name under `changes`, and by the flat names of earlier releases. */
export interface ChangesInput {
  readonly named: Readonly<Record<string, unknown>>;
  /** Key in the body that holds the named changes. */
  readonly namedAt: string;
  readonly flat?: Readonly<Record<string, unknown>>;
}

export interface ParsedChanges {
  readonly changes: Changes;
  /** Path of each setting in the body, for a later refusal. */
  readonly places: ReadonlyMap<string, readonly string[]>;
  /** Names of removed parts, which are ignored. */
  readonly ignored: readonly string[];
}

/** Checks every name and value. Throws {@link SettingsInvalidError} with all problems at once. */
export function readChanges(written: ChangesInput, parts: CheckParts): ParsedChanges {
  const { catalog } = parts;
  const changes = new Map<string, AnyValue>();
  const places = new Map<string, readonly string[]>();
  const problems: SettingProblem[] = [];
  const ignored: string[] = [];
  const take = (at: readonly string[], key: string, name: string | null, given: unknown): void => {
    if (name === null && catalog.isRemoved(key)) ignored.push(key);
    else if (name === null) problems.push({ at, type: 'unrecognized_keys' });
    else if (changes.has(name)) problems.push({ at, type: 'named_twice' });
    else {
      const checked = checkValue(name, given, parts);
      if (checked.ok) changes.set(name, checked.value);
      else problems.push({ at, type: checked.type });
      places.set(name, at);
    }
  };
  for (const [key, given] of Object.entries(written.named))
    take([written.namedAt, key], key, catalog.has(key) ? key : null, given);
  for (const [key, given] of Object.entries(written.flat ?? {}))
    take([key], key, catalog.nameOfOlder(key), given);
  if (problems.length > 0) throw new SettingsInvalidError(problems);
  return { changes, places, ignored };
}
