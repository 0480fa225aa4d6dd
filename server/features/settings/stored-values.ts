import type { Logger } from '../../platform/logger.ts';
import { type Seal, SealError } from '../../platform/seal.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingsCatalog } from './catalog.ts';

/** Secrets that the gateway generates: one that does not open is generated again. */
const MADE_HERE: readonly string[] = ['TELEPHONY_INBOUND_SECRET'];

/** Dependencies for reading and writing texts. */
interface TextParts {
  readonly catalog: SettingsCatalog;
  readonly seal: Seal;
}

const contextOf = (name: string): string => `setting:${name}`;

/** The text under which a value is stored: JSON, sealed when the setting is secret. */
export function textOfValue(name: string, value: AnyValue, { catalog, seal }: TextParts): string {
  const json = JSON.stringify(value);
  return catalog.definitionOf(name).secret ? seal.seal(json, contextOf(name)) : json;
}

/** Values in the store. */
interface StoredValues {
  readonly stored: Map<string, AnyValue>;
  /** Names of secrets that do not open with this data key and must be entered again. */
  readonly unreadable: Set<string>;
}

/**
 * The values of stored texts. Names that are not settings of this release and values that no longer fit are left out
 * and logged.
 */
export function valuesOfTexts(
  texts: ReadonlyMap<string, string>,
  parts: TextParts & { logger: Logger },
): StoredValues {
  const { catalog } = parts;
  const stored = new Map<string, AnyValue>();
  const unreadable = new Set<string>();
  for (const [name, text] of texts) {
    if (!catalog.has(name)) {
      parts.logger.warn({ name }, 'a stored setting is not one of this release and is ignored');
      continue;
    }
    const value = openText(name, text, parts);
    if (value === UNREADABLE) {
      if (!MADE_HERE.includes(name)) unreadable.add(name);
      continue;
    }
    const parsed = catalog.definitionOf(name).schema.safeParse(value);
    if (parsed.success) stored.set(name, parsed.data);
    else parts.logger.error({ name }, 'a stored setting no longer fits; its default is used');
  }
  return { stored, unreadable };
}

const UNREADABLE = Symbol('does not open with this data key');

function openText(name: string, text: string, { catalog, seal }: TextParts): unknown {
  try {
    return JSON.parse(catalog.definitionOf(name).secret ? seal.open(text, contextOf(name)) : text);
  } catch (error) {
    return error instanceof SealError ? UNREADABLE : undefined;
  }
}
