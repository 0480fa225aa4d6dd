import type { Permission } from '../../../shared/permissions.ts';
import type { Provider } from '../../adapters/providers/provider-port.ts';
import type { AnyValue, SettingDefinition, SettingDefinitions } from '../../platform/setting-kinds.ts';
import { gatewaySettings, type SettingValues } from './definitions.ts';
import { isRemovedSetting } from './removed-names.ts';

/** Every setting of this gateway: its own and those of its providers. */
export interface SettingsCatalog {
  readonly providers: readonly Provider[];
  /** Backends that can be chosen for sending. */
  readonly backends: readonly string[];
  /** Names in the order of the settings screen. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Throws for a name that is no setting. */
  definitionOf(name: string): SettingDefinition<AnyValue>;
  /** The setting that a flat lower-case name of earlier releases means, or null. */
  nameOfOlder(text: string): string | null;
  /** Returns true when a name, in upper or flat lower case, belonged to a part that was removed. */
  isRemoved(name: string): boolean;
  defaults(): SettingValues;
}

/** Throws when two parts define the same setting. */
export function createCatalog(providers: readonly Provider[]): SettingsCatalog {
  const backends = providers.map(({ backend }) => backend);
  const { beforeProviders, afterProviders } = gatewaySettings(backends);
  const parts = [
    beforeProviders,
    ...providers.map(({ settings }) => openingProviders(settings)),
    afterProviders,
  ];
  const definitions = join(parts);
  const names = [...definitions.keys()];
  const older = olderNames(definitions);
  const former = new Set(providers.flatMap(({ formerSettings }) => formerSettings));
  return {
    providers,
    backends,
    names,
    has: (name) => definitions.has(name),
    definitionOf(name) {
      const definition = definitions.get(name);
      if (!definition) throw new Error(`there is no setting ${name}`);
      return definition;
    },
    nameOfOlder: (text) => older.get(text) ?? null,
    isRemoved: (name) => former.has(name.toUpperCase()) || isRemovedSetting(name),
    defaults: () =>
      Object.fromEntries(
        [...definitions].map(([name, definition]) => [name, definition.default]),
      ) as SettingValues,
  };
}

/**
 * Adds `providers:write` to the permissions that these settings need: an account, an address and a phone line decide
 * where documents and credentials go.
 */
function openingProviders(settings: SettingDefinitions): SettingDefinitions {
  const opened = Object.entries(settings).map(([name, definition]) => {
    const opens: readonly Permission[] = [...new Set([...definition.opens, 'providers:write' as const])];
    return [name, { ...definition, opens }] as const;
  });
  return Object.fromEntries(opened);
}

type Definitions = ReadonlyMap<string, SettingDefinition<AnyValue>>;

function join(parts: readonly SettingDefinitions[]): Definitions {
  const definitions = new Map<string, SettingDefinition<AnyValue>>();
  for (const [name, definition] of parts.flatMap((part) => Object.entries(part))) {
    if (definitions.has(name)) throw new Error(`the setting ${name} is defined twice`);
    definitions.set(name, definition);
  }
  return definitions;
}

function olderNames(definitions: Definitions): ReadonlyMap<string, string> {
  return new Map(
    [...definitions].flatMap(([name, { alias }]) =>
      [name.toLowerCase(), ...(alias ? [alias] : [])].map((older) => [older, name] as const),
    ),
  );
}

export function sameValue(a: AnyValue, b: AnyValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
