import type { AnyValue, EnvironmentRule } from '../../platform/setting-kinds.ts';
import { valueOfText } from '../../platform/setting-text.ts';
import type { SettingsCatalog } from './catalog.ts';
import { type CheckParts, checkValue } from './check-value.ts';
import type { SettingValues } from './definitions.ts';
import { SettingsStartError } from './errors.ts';
import { isRemovedBackend } from './removed-names.ts';

/** Names and texts of the process environment and the `.env` file. */
export type EnvironmentTexts = Readonly<Record<string, string>>;

/**
 * The settings that the environment holds under the given rule. Throws {@link SettingsStartError} with one sentence
 * that names the setting when a text does not fit; the text itself is not repeated.
 */
export function settingsOfEnvironment(
  environment: EnvironmentTexts,
  rule: EnvironmentRule,
  parts: CheckParts,
): Map<string, AnyValue> {
  const found = new Map<string, AnyValue>();
  for (const name of parts.catalog.names) {
    const text = environment[name];
    const definition = parts.catalog.definitionOf(name);
    if (definition.environment !== rule || text === undefined || text.trim() === '') continue;
    if (name === 'FAX_BACKEND' && isRemovedBackend(text)) continue;
    const checked = checkValue(name, valueOfText(definition, text.trim()), parts);
    if (!checked.ok) throw new SettingsStartError(startSentence(name, checked.problem));
    found.set(name, checked.value);
  }
  return found;
}

/** Names in the environment that belonged to removed parts. */
export function removedNamesIn(environment: EnvironmentTexts, catalog: SettingsCatalog): string[] {
  const names = Object.keys(environment).filter((name) => catalog.isRemoved(name));
  return isRemovedBackend(environment['FAX_BACKEND'] ?? '') ? [...names, 'FAX_BACKEND'] : names;
}

/** Settings in the environment that are no longer read, because the installation holds another value. */
export function overruledNamesIn(
  environment: EnvironmentTexts,
  values: SettingValues,
  catalog: SettingsCatalog,
): string[] {
  const present: Readonly<Record<string, AnyValue>> = values;
  return catalog.names.filter((name) => {
    const text = environment[name]?.trim();
    const definition = catalog.definitionOf(name);
    if (!text || definition.environment !== 'first start') return false;
    const checked = checkValue(name, valueOfText(definition, text), { catalog, checks: {} });
    return !checked.ok || JSON.stringify(checked.value) !== JSON.stringify(present[name]);
  });
}

/** Definitions use the form `must be …`; other parts return a whole sentence. */
function startSentence(name: string, problem: string): string {
  const reason = problem.startsWith('must') ? `it ${problem}.` : problem;
  return `The environment sets ${name} to something that cannot be used: ${reason}`;
}
