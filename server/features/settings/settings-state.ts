import type { AnyValue } from '../../platform/setting-kinds.ts';
import { type SettingsCatalog, sameValue } from './catalog.ts';
import type { SettingValues } from './definitions.ts';
import type { OfficeLimits } from './office-limits.ts';
import type { ApplyState, Revision, SettingSource } from './types.ts';

type Values = ReadonlyMap<string, AnyValue>;

interface LoadedValues {
  readonly revision: Revision;
  readonly stored: Values;
  readonly unreadable: ReadonlySet<string>;
}

/**
 * Holds the saved values and the values in force, in memory. A setting that needs a restart keeps the value the process
 * began with.
 */
export function createSettingsState(
  catalog: SettingsCatalog,
  environment: Values,
  limits: OfficeLimits,
  loaded: LoadedValues,
): SettingsState {
  return new SettingsState(catalog, environment, limits, loaded);
}

export type { SettingsState };

class SettingsState {
  readonly #catalog: SettingsCatalog;
  readonly #environment: Values;
  readonly #limits: OfficeLimits;
  #stored: Values;
  #unreadable: ReadonlySet<string>;
  #desiredRevision: Revision;
  #activeRevision: Revision;
  #desired: SettingValues;
  #inForce: SettingValues;

  constructor(catalog: SettingsCatalog, environment: Values, limits: OfficeLimits, loaded: LoadedValues) {
    this.#catalog = catalog;
    this.#environment = environment;
    this.#limits = limits;
    this.#stored = loaded.stored;
    this.#unreadable = loaded.unreadable;
    this.#desiredRevision = loaded.revision;
    this.#activeRevision = loaded.revision;
    this.#desired = this.desiredWith(loaded.stored);
    this.#inForce = this.#desired;
  }

  get inForce(): SettingValues {
    return this.#inForce;
  }

  get desired(): SettingValues {
    return this.#desired;
  }

  get applyState(): ApplyState {
    return {
      active: this.#activeRevision,
      desired: this.#desiredRevision,
      pendingRestart: this.#activeRevision.id !== this.#desiredRevision.id,
    };
  }

  /** The settings whose saved value is in force only after a restart. */
  get waitingForRestart(): string[] {
    const inForce: Readonly<Record<string, AnyValue>> = this.#inForce;
    return this.#catalog.names.filter((name) => !sameValue(inForce[name] ?? null, this.desiredValue(name)));
  }

  /** Returns the desired values with these stored ones: office before environment before stored before default. */
  desiredWith(stored: Values): SettingValues {
    const values: SettingValues = {
      ...this.#catalog.defaults(),
      ...Object.fromEntries(stored),
      ...Object.fromEntries(this.#environment),
    };
    return Object.freeze(this.#limits.limit(values));
  }

  /** The newest saved value of any setting. */
  desiredValue(name: string): AnyValue {
    const values: Readonly<Record<string, AnyValue>> = this.#desired;
    return values[name] ?? null;
  }

  isFromEnvironment(name: string): boolean {
    return this.#environment.has(name);
  }

  /** Returns true for a stored secret that does not open with the present data key. */
  isUnreadable(name: string): boolean {
    return this.#unreadable.has(name) && !this.#environment.has(name);
  }

  sourceOf(name: string): SettingSource {
    if (this.#limits.isDecided(name)) return 'office';
    if (this.#environment.has(name)) return 'environment';
    return this.#stored.has(name) || this.#unreadable.has(name) ? 'stored' : 'default';
  }

  /** Takes over a newer revision and returns the names whose values in force changed; null when it is not newer. */
  adopt(loaded: LoadedValues): ReadonlySet<string> | null {
    if (loaded.revision.generation <= this.#desiredRevision.generation) return null;
    const before: Readonly<Record<string, AnyValue>> = this.#inForce;
    this.#stored = loaded.stored;
    this.#unreadable = loaded.unreadable;
    this.#desiredRevision = loaded.revision;
    this.#desired = this.desiredWith(loaded.stored);
    const desired: Readonly<Record<string, AnyValue>> = this.#desired;
    const differing = this.#catalog.names.filter(
      (name) => !sameValue(before[name] ?? null, desired[name] ?? null),
    );
    const now = differing.filter((name) => !this.#catalog.definitionOf(name).restart);
    const changed = Object.fromEntries(now.map((name) => [name, desired[name]]));
    this.#inForce = Object.freeze({ ...this.#inForce, ...changed });
    if (now.length === differing.length) this.#activeRevision = loaded.revision;
    return new Set(now);
  }
}
