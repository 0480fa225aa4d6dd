import type { CallbackAddress, SendingState } from '../../../shared/api/console-installation.ts';
import type { Backend } from '../../../shared/backends.ts';
import { computerTimeZone } from '../../../shared/date-format.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { localDay, localTime } from '../../platform/local-time.ts';
import { unreachableReason } from '../../platform/outside-address.ts';
import type { ReceivingFacts } from '../inbound/service.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import type { InstallationFacts } from './types.ts';

export interface InstallationParts {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly routing: Routing;
  readonly hasOwner: () => Promise<boolean>;
  /** Returns true when any fax was ever delivered. */
  readonly hasDelivered: () => Promise<boolean>;
  readonly receiving: () => ReceivingFacts;
}

type Sending = { state: SendingState; since: string | null; sentence: string | null };

const DAY_MS = 24 * 3_600_000;

/**
 * Returns the facts about the installation that every console shows; `seesProviders` is true when the caller may see
 * the providers.
 */
export async function describeInstallation(
  parts: InstallationParts,
  { seesProviders }: { seesProviders: boolean },
): Promise<InstallationFacts> {
  const { settings, routing } = parts;
  const { values } = settings.snapshot();
  const backend = routing.chosen();
  const publicAddress = values.PUBLIC_API_URL;
  const problem = publicAddress === null ? null : unreachableReason(publicAddress);
  const noAddress = publicAddress === null ? 'Without a public address,' : problem && `${problem} So`;
  const { addresses, through: _through, ...receivingFacts } = parts.receiving();
  return {
    organization: values.FAX_ORGANIZATION,
    fax_number: values.FAX_NUMBER,
    time_zone: timeZoneOf(parts),
    country: values.FAX_DEFAULT_COUNTRY,
    idle_lock_minutes: values.IDLE_LOCK_MINUTES,
    public_address: publicAddress,
    public_address_problem: problem,
    sending: {
      enabled: !values.FAX_DISABLED,
      backend: seesProviders ? backend : null,
      provider_name: seesProviders && backend !== null ? nameOf(parts, backend) : null,
      ...sendingOf(parts, seesProviders),
    },
    receiving: receivingFacts,
    callback_addresses: seesProviders
      ? [
          ...(noAddress === null
            ? []
            : routing.callingBack().map((each) => noCallbackOf(parts, each, noAddress))),
          ...addresses.map((each) => notificationOf(parts, each, noAddress)),
        ]
      : null,
    setup: {
      owner: await parts.hasOwner(),
      provider: 'route' in routing.active(),
      header_line: values.FAX_ORGANIZATION !== null && values.FAX_NUMBER !== null,
      test_fax: await parts.hasDelivered(),
    },
  };
}

function sendingOf(parts: InstallationParts, seesProviders: boolean): Sending {
  if (parts.settings.get('FAX_DISABLED'))
    return { state: 'off', since: null, sentence: 'Sending is off. New faxes are held.' };
  const active = parts.routing.active();
  if ('refusal' in active) return { state: 'not_set_up', since: null, sentence: active.refusal };
  const since = parts.routing.unreachableSince();
  if (since === null) return { state: 'ok', since: null, sentence: null };
  const backend = parts.routing.chosen();
  const provider = seesProviders && backend !== null ? nameOf(parts, backend) : 'The fax provider';
  const sentence = `${provider} has not answered since ${momentOf(parts, since)}. Faxes are waiting. Nothing is lost.`;
  return { state: 'unreachable', since: isoTime(since), sentence };
}

/** `9:41 AM`, or `November 21, 9:41 AM` when that is not today. */
function momentOf(parts: InstallationParts, at: number): string {
  const where = { country: parts.settings.get('FAX_DEFAULT_COUNTRY'), timeZone: timeZoneOf(parts) };
  const now = parts.clock.now();
  const isToday = now - at < DAY_MS && localDay(now, where) === localDay(at, where);
  return isToday ? localTime(at, where) : `${localDay(at, where)}, ${localTime(at, where)}`;
}

/** The vendor's name. */
function nameOf({ routing }: InstallationParts, backend: Backend): string {
  return routing.names()[backend] ?? 'the fax provider';
}

/** Returns the time zone of the settings, else that of this computer. */
export function timeZoneOf({ settings }: Pick<InstallationParts, 'settings'>): string {
  return settings.get('TIME_ZONE') ?? computerTimeZone();
}

/**
 * Describes how outcomes arrive without callbacks. With a public address there is nothing to paste: each fax brings its
 * own.
 */
function noCallbackOf(
  parts: InstallationParts,
  backend: Backend,
  noAddress: string,
): (typeof CallbackAddress)['_output'] {
  const sentence = `${noAddress} Faxdesk asks ${nameOf(parts, backend)} every 30 seconds instead.`;
  return { backend, purpose: 'outcome of sent faxes', address: null, has_password: false, sentence };
}

/** Returns the address where a provider reports received faxes. */
function notificationOf(
  parts: InstallationParts,
  { backend, address, hasPassword: has_password }: ReceivingFacts['addresses'][number],
  noAddress: string | null,
): (typeof CallbackAddress)['_output'] {
  const facts = { backend, purpose: 'received faxes', address, has_password };
  if (noAddress === null) return { ...facts, sentence: null };
  const provider = nameOf(parts, backend);
  const instead =
    parts.settings.get('INBOUND_POLLING') === 'off'
      ? `${provider} cannot report received faxes.`
      : `Faxdesk asks ${provider} every minute instead.`;
  return { ...facts, sentence: `${noAddress} ${instead}` };
}
