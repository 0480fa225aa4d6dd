import { LOGO_PATH } from '../../../shared/api/console-context.ts';
import { type Backend, LINE_BACKEND } from '../../../shared/backends.ts';
import type { Database } from '../../db/database.ts';
import { exampleNumber } from '../../platform/phone-number.ts';
import { type Caller, hasTestKeys, mailboxesToSendFor, permissionSummary } from '../access/service.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings, SettingValues } from '../settings/service.ts';
import type { ConsoleContext } from './types.ts';

export interface ContextParts {
  readonly db: Database;
  readonly settings: Pick<Settings, 'snapshot'>;
  readonly routing: Pick<Routing, 'names'>;
  /** True when this gateway has a work queue. */
  readonly hasWorkQueue: boolean;
  /** The providers through which faxes come in now. */
  readonly receivingThrough: () => readonly Backend[];
  /** Lists the names of the delivery routes that are on. */
  readonly routeNames: () => Promise<readonly string[]>;
}

/** Returns the data from which a console draws itself for a caller; data hidden from the caller is left out. */
export async function describeContext(parts: ContextParts, caller: Caller): Promise<ConsoleContext> {
  const { revisionId, generation, values } = parts.settings.snapshot();
  const { policyVersion, permissions, anywhere } = await permissionSummary(parts.db.read, caller);
  const send = caller.holdsAnywhere('fax:send');
  const inbox = caller.holdsAnywhere('inbound:list');
  return {
    policy_version: policyVersion,
    active_revision_id: revisionId,
    generation,
    permissions: [...permissions],
    anywhere: [...anywhere],
    navigation: {
      jobs: caller.holdsAnywhere('fax:read'),
      inbox,
      send,
      work: parts.hasWorkQueue && caller.holdsAnywhere('work:read'),
    },
    send: send ? { ...sendingOf(values), mailboxes: await mailboxesToSendFor(parts.db.read, caller) } : null,
    about: { reference_label: values.REFERENCE_LABEL, document_types: [...values.DOCUMENT_TYPES] },
    inbound_enabled: inbox ? values.INBOUND_ENABLED : null,
    branding: { docs_base: '/docs', logo_path: LOGO_PATH },
    provider_view: caller.holds('providers:read')
      ? providersOf(values, parts.receivingThrough(), await parts.routeNames())
      : null,
    test_faxes: await hasTestKeys(parts.db.read),
    provider_names: parts.routing.names(),
  };
}

function sendingOf(values: SettingValues) {
  return {
    fax_disabled: values.FAX_DISABLED,
    max_file_size_mb: values.MAX_FILE_SIZE_MB,
    default_country: values.FAX_DEFAULT_COUNTRY,
    number_example: exampleNumber(values.FAX_DEFAULT_COUNTRY),
    by_line: values.FAX_BACKEND === LINE_BACKEND,
  };
}

function providersOf(values: SettingValues, receiving: readonly Backend[], routeNames: readonly string[]) {
  const backend = values.FAX_BACKEND ?? '';
  return {
    plugins_enabled: false,
    install_enabled: false,
    active_outbound: backend,
    active_inbound: activeInbound(values, receiving),
    extra_routes: [...routeNames],
    trunk_preset: presetOf(values),
  };
}

/**
 * Returns the provider through which faxes come in: the chosen one where it receives, else another one that does. A
 * telephone engine hands them over as soon as receiving is on. Empty while nothing can come in.
 */
function activeInbound(values: SettingValues, receiving: readonly Backend[]): string {
  const { INBOUND_ENABLED: enabled, FAX_BACKEND: chosen } = values;
  if (!enabled) return '';
  if (chosen !== null && (chosen === LINE_BACKEND || receiving.includes(chosen))) return chosen;
  return receiving[0] ?? '';
}

/** Read without a type, because only a provider's own folder defines its settings. */
function presetOf(values: Readonly<Record<string, unknown>>): string {
  const preset = values['TRUNK_PRESET'];
  return typeof preset === 'string' ? preset : '';
}
