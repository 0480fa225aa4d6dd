import type { AllowedFolders, AllowedPath } from '../../platform/allowed-folders.ts';
import { createEventBus } from '../../platform/events.ts';
import type { AnyValue } from '../../platform/setting-kinds.ts';
import { allowedPath, type PathParts } from './allowed-paths.ts';
import { type ChangeParts, type ChangeRequest, changeSettings } from './change-settings.ts';
import { type LoadedSettings, type LoadParts, loadOrCreate, loadSaved } from './load-settings.ts';
import { type OfficeLimits, officeLimits } from './office-limits.ts';
import { overruledNamesIn, removedNamesIn, settingsOfEnvironment } from './read-environment.ts';
import { writeRecoveryCopy } from './recovery-copy.ts';
import { createSettingsState, type SettingsState } from './settings-state.ts';
import { listRevisions, newestRevision } from './store.ts';
import { type TrialRequest, tryProvider } from './try-provider.ts';
import type {
  ApplyState,
  CheckProvider,
  RevisionRecord,
  Settings,
  SettingsChange,
  ShownProvider,
  ShownSetting,
} from './types.ts';

export { createCatalog } from './catalog.ts';
export { SettingsStartError } from './errors.ts';
export {
  type KeyRow,
  settleNextKey,
  storedKeyRow,
  storeKeyProof,
  updateKeyRow,
} from './key-proof.ts';
export type {
  CheckProvider,
  Settings,
  SettingValues,
  ValueChecks,
} from './types.ts';

export interface SettingsParts extends LoadParts {
  /** Files and folders that the settings may name. */
  readonly folders: AllowedFolders;
  readonly checkProvider: CheckProvider;
  /** True when the office has decided that this gateway opens itself to no other computer; false when left out. */
  readonly isNetworkOff?: boolean;
  /** True where HTTPS stays on for this computer then. */
  readonly hasLocalHttps?: boolean;
  /** Folder of the deprecated recovery copy. */
  readonly dataFolder: string;
}

export interface SettingsService extends Settings {
  /** The newest saved values in the order of the screen. */
  list(): readonly ShownSetting[];
  /** The providers that can be set up. */
  providers(): readonly ShownProvider[];
  /**
   * Files and folders in force where nothing is written, since they are not allowed, settings that wait for a restart, and
   * secrets that do not open.
   */
  warnings(): readonly string[];
  /** Names in the environment that belonged to removed parts. */
  ignoredNames(): readonly string[];
  applyState(): ApplyState;
  /** Saves all changes or none. Throws SettingsInvalidError, SettingsStaleError and a 403 refusal. */
  change(request: ChangeRequest): Promise<{ changed: boolean }>;
  /** Tries a provider without saving. Throws SettingsInvalidError and a 403 refusal. */
  tryProvider(request: TrialRequest): Promise<{ ok: boolean; detail: string }>;
  revisions(args: {
    limit: number;
    cursor?: string | undefined;
  }): Promise<{ items: RevisionRecord[]; next_cursor: string | null }>;
  /** Looks whether another process saved something, with one cheap query, and takes it over. */
  refresh(): Promise<void>;
  /** @deprecated remove in 0.3.0 */
  writeRecoveryCopy(): Promise<string>;
}

/**
 * Reads the settings and keeps them in memory, so that `get` costs nothing; the database must be migrated. The first
 * start takes the environment over. Throws SettingsStartError with a sentence when the gateway cannot start with them.
 */
export async function createSettingsService(parts: SettingsParts): Promise<SettingsService> {
  const logger = parts.logger.room('settings');
  const { environment, catalog } = parts;
  const removed = removedNamesIn(environment, catalog);
  if (removed.length > 0) logger.warn({ names: removed }, 'settings of removed parts are ignored');
  const everyStart = settingsOfEnvironment(environment, 'every start', parts);
  const limits = officeLimits(parts);
  const state = createSettingsState(catalog, everyStart, limits, await loadOrCreate({ ...parts, logger }));
  const overruled = overruledNamesIn(environment, state.desired, catalog);
  if (overruled.length > 0)
    logger.info(
      { names: overruled },
      'these settings of the environment are no longer read; change them in the settings',
    );
  return createService({ ...parts, logger, limits }, state, removed);
}

function createService(
  parts: SettingsParts & { readonly limits: OfficeLimits },
  state: SettingsState,
  removed: readonly string[],
): SettingsService {
  const { db, seal, logger, catalog, checks, checkProvider, dataFolder } = parts;
  const events = createEventBus<{ change: SettingsChange }>((error) =>
    logger.error({ error }, 'a part could not follow a change of the settings'),
  );
  const adopt = (loaded: LoadedSettings): void => {
    const names = state.adopt(loaded);
    if (!names) return;
    const { id: revisionId, generation } = loaded.revision;
    events.publish('change', { names, revisionId, generation });
  };
  const inForce = (name: string) => (state.inForce as Readonly<Record<string, AnyValue>>)[name] ?? null;
  const changeParts: ChangeParts = { ...parts, state, adopt };
  return {
    get: (name) => state.inForce[name],
    snapshot() {
      const { id: revisionId, generation } = state.applyState.active;
      return { values: state.inForce, revisionId, generation };
    },
    onChange: (listener) => events.on('change', listener),
    pathOf: (name) => allowedPath(parts, name, inForce(name)),
    warnings: () => [
      ...catalog.names.flatMap((name) => problemOf(allowedPath(parts, name, inForce(name)))),
      ...removedWarning(removed),
      ...restartWarning(state.waitingForRestart),
      ...unreadableWarning(catalog.names.filter((name) => state.isUnreadable(name))),
    ],
    ignoredNames: () => removed,
    list: () => catalog.names.map((name) => shown(state, parts, name)),
    providers: () =>
      catalog.providers.map((provider) => ({
        ...provider,
        notificationProblem: provider.notificationProblem(state.desired),
      })),
    applyState: () => state.applyState,
    change: async (request) => ({ changed: await changeSettings(changeParts, request) }),
    tryProvider: (request) => tryProvider({ catalog, checks, checkProvider, state }, request),
    revisions: (args) => listRevisions(db.read, args),
    refresh: () => refresh(parts, state, adopt),
    writeRecoveryCopy: () => writeRecoveryCopy({ state, catalog, seal, dataFolder }),
  };
}

async function refresh(
  parts: SettingsParts,
  state: SettingsState,
  adopt: (loaded: LoadedSettings) => void,
): Promise<void> {
  const newest = await newestRevision(parts.db.read);
  if (!newest || newest.generation <= state.applyState.desired.generation) return;
  const loaded = await loadSaved(parts);
  if (loaded) adopt(loaded);
}

/** Names of the environment that this release ignores, and the next one will not mention. */
function removedWarning(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const which = names.length === 1 ? 'a setting of a part' : 'settings of parts';
  return [
    `The environment still names ${which} that Faxdesk no longer has: ${names.join(', ')}. Faxdesk ignores ${names.length === 1 ? 'it' : 'them'}.`,
  ];
}

/** A sentence each for what may not be used. */
function problemOf(path: AllowedPath | null): string[] {
  return path !== null && 'problem' in path ? [path.problem] : [];
}

function shown(
  state: SettingsState,
  parts: PathParts & { readonly limits: OfficeLimits },
  name: string,
): ShownSetting {
  const { catalog, limits } = parts;
  const definition = catalog.definitionOf(name);
  const { secret, restart, opens, group, label, help, type, choices, format, least, most, rule } = definition;
  const value = state.desiredValue(name);
  const note = limits.noteOf(name);
  const words = { secret, restart, opens, group, label, help, type, choices, format, least, most, rule };
  return {
    ...words,
    help: note === null ? help : `${help} ${note}`,
    choices: choices && choices.filter((choice) => limits.allows(name, choice)),
    name,
    value: secret ? null : value,
    isSet: value !== null,
    source: state.sourceOf(name),
    warning: state.isUnreadable(name) ? ENTER_AGAIN : warningOf(parts, name, value),
  };
}

const ENTER_AGAIN =
  'It cannot be opened with the current data key. Put the right key back, or enter it again.';

function restartWarning(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`Changed settings take effect when Faxdesk is restarted: ${names.join(', ')}.`];
}

function unreadableWarning(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `These settings cannot be opened with the current data key: ${names.join(', ')}. Put the right key back, or enter them again.`,
  ];
}

function warningOf(parts: PathParts, name: string, value: AnyValue): string | null {
  const definition = parts.catalog.definitionOf(name);
  if (definition.secret || value === null) return null;
  return problemOf(allowedPath(parts, name, value))[0] ?? definition.warning(value);
}
