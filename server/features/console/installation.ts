import type { CallbackAddress, SendingState } from '../../../shared/api/console.ts';
import { callbackPath } from '../../../shared/api/provider-routes.ts';
import type { Backend } from '../../../shared/states.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { ReceivingFacts } from '../inbound/service.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import type { InstallationFacts } from './types.ts';

export interface InstallationParts {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly routing: Routing;
  readonly hasOwner: () => Promise<boolean>;
  /** Whether any fax was ever delivered. */
  readonly hasDelivered: () => Promise<boolean>;
  readonly receiving: () => ReceivingFacts;
}

type Sending = { state: SendingState; since: string | null; sentence: string | null };

const DAY_MS = 24 * 3_600_000;

/** What every console shows about the installation; `seesProviders` tells whether the caller may know them. */
export async function describeInstallation(
  parts: InstallationParts,
  { seesProviders }: { seesProviders: boolean },
): Promise<InstallationFacts> {
  const { settings, routing } = parts;
  const { values } = settings.snapshot();
  const backend = routing.chosen();
  const publicAddress = values.PUBLIC_API_URL;
  const { addresses, ...receivingFacts } = parts.receiving();
  return {
    organization: values.FAX_ORGANIZATION,
    fax_number: values.FAX_NUMBER,
    time_zone: timeZoneOf(parts),
    country: values.FAX_DEFAULT_COUNTRY,
    idle_lock_minutes: values.IDLE_LOCK_MINUTES,
    public_address: publicAddress,
    sending: {
      enabled: !values.FAX_DISABLED,
      backend: seesProviders ? backend : null,
      provider_name: (seesProviders && backend !== null && routing.names()[backend]) || null,
      ...sendingOf(parts),
    },
    receiving: receivingFacts,
    callback_addresses: seesProviders
      ? [
          ...routing.callingBack().map((name) => callbackOf(name, publicAddress)),
          ...addresses.map((each) => notificationOf(each, values.INBOUND_POLLING !== 'off')),
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

function sendingOf(parts: InstallationParts): Sending {
  if (parts.settings.get('FAX_DISABLED'))
    return { state: 'off', since: null, sentence: 'Sending is switched off. New faxes are held.' };
  const active = parts.routing.active();
  if ('refusal' in active) return { state: 'not_set_up', since: null, sentence: active.refusal };
  const since = parts.routing.unreachableSince();
  if (since === null) return { state: 'ok', since: null, sentence: null };
  const sentence = `The provider has not answered since ${momentOf(parts, since)}. Faxes are waiting. Nothing is lost.`;
  return { state: 'unreachable', since: isoTime(since), sentence };
}

/** `09:41`, or `21 November, 09:41` when that is not today. */
function momentOf(parts: InstallationParts, at: number): string {
  const timeZone = timeZoneOf(parts);
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long' });
  const now = parts.clock.now();
  const isToday = now - at < DAY_MS && day.format(now) === day.format(at);
  return isToday ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

function timeZoneOf({ settings }: InstallationParts): string {
  return settings.get('TIME_ZONE') ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The address without what each fax adds to it. */
function callbackOf(backend: Backend, publicAddress: string | null): (typeof CallbackAddress)['_output'] {
  const facts = { backend, purpose: 'outcome of sent faxes' };
  if (publicAddress !== null)
    return { ...facts, address: `${publicAddress}${callbackPath(backend)}`, sentence: null };
  const sentence = 'Without a public address, Faxdesk asks the provider every 30 seconds instead.';
  return { ...facts, address: null, sentence };
}

/** Where a provider tells of received faxes; `mayAsk` is whether it is asked when it cannot. */
function notificationOf(
  { backend, address }: ReceivingFacts['addresses'][number],
  mayAsk: boolean,
): (typeof CallbackAddress)['_output'] {
  const facts = { backend, purpose: 'received faxes', address };
  if (address !== null) return { ...facts, sentence: null };
  const sentence = mayAsk
    ? 'Without a public address, Faxdesk asks the provider every minute instead.'
    : 'Without a public address, the provider cannot report received faxes.';
  return { ...facts, sentence };
}
