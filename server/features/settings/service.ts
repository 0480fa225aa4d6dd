import type { Backend } from '../../../shared/states.ts';
import { createAnnouncer } from '../../platform/events.ts';
import { type ChangeParts, type ChangeRequest, changeSettings } from './change-settings.ts';
import { definitionOf, SETTING_NAMES } from './definitions.ts';
import { type Loaded, type LoadParts, loadOrBegin, loadSaved } from './load-settings.ts';
import { overruledNamesIn, removedNamesIn, settingsOfEnvironment } from './read-environment.ts';
import { writeRecoveryCopy } from './recovery-copy.ts';
import { SettingsState } from './settings-state.ts';
import { listRevisions, newestRevision } from './store.ts';
import { tryProvider } from './try-provider.ts';
import type {
  ApplyState,
  CheckProvider,
  RevisionRecord,
  Settings,
  SettingsChange,
  ShownSetting,
} from './types.ts';

export { auditConfigurationOf } from './audit-configuration.ts';
export { SettingsStartError } from './errors.ts';
export type {
  CheckProvider,
  SettingName,
  Settings,
  SettingsChange,
  SettingsSnapshot,
  SettingValue,
  SettingValues,
  ValueChecks,
} from './types.ts';

export interface SettingsParts extends LoadParts {
  readonly checkProvider: CheckProvider;
  /** Where the deprecated recovery copy goes. */
  readonly dataFolder: string;
}

export interface SettingsService extends Settings {
  /** The newest saved values in the order of the screen. */
  list(): readonly ShownSetting[];
  applyState(): ApplyState;
  /** Saves all changes or none. Throws SettingsInvalidError and SettingsStaleError. */
  change(request: ChangeRequest): Promise<{ changed: boolean }>;
  /** Tries a provider without saving. Throws SettingsInvalidError. */
  tryProvider(request: {
    provider: Backend;
    settings: Readonly<Record<string, unknown>>;
  }): Promise<{ ok: boolean; detail: string }>;
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
export async function openSettings(parts: SettingsParts): Promise<SettingsService> {
  const logger = parts.logger.room('settings');
  const { environment, checks } = parts;
  const removed = removedNamesIn(environment);
  if (removed.length > 0) logger.warn({ names: removed }, 'settings of removed parts are ignored');
  const everyStart = settingsOfEnvironment(environment, 'every start', checks);
  const state = new SettingsState(everyStart, await loadOrBegin({ ...parts, logger }));
  const overruled = overruledNamesIn(environment, state.desired);
  if (overruled.length > 0)
    logger.info(
      { names: overruled },
      'these settings of the environment are no longer read; change them in the settings',
    );
  return createService({ ...parts, logger }, state);
}

function createService(parts: SettingsParts, state: SettingsState): SettingsService {
  const { db, seal, logger, checks, checkProvider, dataFolder } = parts;
  const announcer = createAnnouncer<{ change: SettingsChange }>((error) =>
    logger.error({ error }, 'a part could not follow a change of the settings'),
  );
  const adopt = (loaded: Loaded): void => {
    const names = state.adopt(loaded);
    if (!names) return;
    const { id: revisionId, generation } = loaded.revision;
    announcer.announce('change', { names, revisionId, generation });
  };
  const changeParts: ChangeParts = { ...parts, state, adopt };
  return {
    get: (name) => state.inForce[name],
    snapshot() {
      const { id: revisionId, generation } = state.applyState.active;
      return { values: state.inForce, revisionId, generation };
    },
    onChange: (listener) => announcer.on('change', listener),
    list: () => SETTING_NAMES.map((name) => shown(state, name)),
    applyState: () => state.applyState,
    change: async (request) => ({ changed: await changeSettings(changeParts, request) }),
    tryProvider: (request) => tryProvider({ checks, checkProvider, desired: state.desired }, request),
    revisions: (args) => listRevisions(db.read, args),
    refresh: () => refresh(parts, state, adopt),
    writeRecoveryCopy: () => writeRecoveryCopy({ state, seal, dataFolder }),
  };
}

async function refresh(
  parts: SettingsParts,
  state: SettingsState,
  adopt: (loaded: Loaded) => void,
): Promise<void> {
  const newest = await newestRevision(parts.db.read);
  if (!newest || newest.generation <= state.applyState.desired.generation) return;
  const loaded = await loadSaved(parts);
  if (loaded) adopt(loaded);
}

function shown(state: SettingsState, name: ShownSetting['name']): ShownSetting {
  const { secret, restart, group, label, help, type, choices, format, least, most } = definitionOf(name);
  const value = state.desired[name];
  const words = { secret, restart, group, label, help, type, choices, format, least, most };
  return {
    ...words,
    name,
    value: secret ? null : value,
    isSet: value !== null,
    source: state.sourceOf(name),
  };
}
