import type { Logger } from '../../platform/logger.ts';
import { type Seal, SealError } from '../../platform/seal.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import type { SettingsCatalog } from './catalog.ts';
import { SettingsStartError } from './errors.ts';

/** Secrets that the gateway makes by itself: one that does not open is made anew, and keeps nobody from starting. */
const MADE_HERE: readonly string[] = ['TELEPHONY_INBOUND_SECRET'];

/** What texts are read and written with. */
export interface TextParts {
  readonly catalog: SettingsCatalog;
  readonly seal: Seal;
}

const contextOf = (name: string): string => `setting:${name}`;

/** The text under which a value is stored: JSON, sealed when the setting is secret. */
export function textOfValue(name: string, value: AnyValue, { catalog, seal }: TextParts): string {
  const json = JSON.stringify(value);
  return catalog.definitionOf(name).secret ? seal.seal(json, contextOf(name)) : json;
}

/**
 * The values of stored texts. Names that are not settings of this release and values that no longer fit are left out
 * and logged. Throws {@link SettingsStartError} when a credential does not open with this data key.
 */
export function valuesOfTexts(
  texts: ReadonlyMap<string, string>,
  parts: TextParts & { logger: Logger },
): Map<string, AnyValue> {
  const { catalog } = parts;
  const values = new Map<string, AnyValue>();
  for (const [name, text] of texts) {
    if (!catalog.has(name)) {
      parts.logger.warn({ name }, 'a stored setting is not one of this release and is ignored');
      continue;
    }
    const parsed = catalog.definitionOf(name).schema.safeParse(openText(name, text, parts));
    if (parsed.success) values.set(name, parsed.data);
    else parts.logger.error({ name }, 'a stored setting no longer fits; its default is used');
  }
  return values;
}

function openText(name: string, text: string, { catalog, seal }: TextParts): unknown {
  try {
    return JSON.parse(catalog.definitionOf(name).secret ? seal.open(text, contextOf(name)) : text);
  } catch (error) {
    if (!(error instanceof SealError) || MADE_HERE.includes(name)) return undefined;
    throw new SettingsStartError(
      `The stored ${name} cannot be opened with this data key; bring back the data key that belongs to this data.`,
      { cause: error },
    );
  }
}
