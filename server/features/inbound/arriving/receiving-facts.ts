import { notificationPath } from '../../../../shared/api/provider-routes.ts';
import type { Backend } from '../../../../shared/backends.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { InboundParts } from '../parts.ts';
import type { Receiver } from '../port.ts';
import { isPolled, mayNotify } from './poll.ts';

type StatusParts = Pick<InboundParts, 'settings' | 'receivers' | 'sources' | 'watch'>;

/** Address at which a provider notifies of received faxes. */
interface NotifiedAddress {
  readonly backend: string;
  /** Address with its password hidden; null without a public address. */
  readonly address: string | null;
  /** True when the address needs user name and password, which `completeAddress` returns. */
  readonly hasPassword: boolean;
}

/** Status of receiving, for people. */
export interface ReceivingFacts {
  readonly enabled: boolean;
  readonly polling: boolean;
  /** Providers that are set up and are polled, or may notify. */
  readonly through: readonly Backend[];
  readonly state: 'ok' | 'unreachable' | 'off' | 'not_set_up';
  /** Time since when the provider has not responded, ISO 8601 UTC; null while it responds. */
  readonly since: string | null;
  /** Fault of the provider; null for none. */
  readonly fault: 'no_answer' | 'refused' | null;
  readonly sentence: string | null;
  /** Providers that notify of received faxes, with the address to configure at each. */
  readonly addresses: readonly NotifiedAddress[];
}

export function receivingFacts(parts: StatusParts): ReceivingFacts {
  const { settings } = parts;
  const enabled = settings.enabled();
  const polling = isPolling(parts);
  const addresses = Object.values(parts.receivers)
    .filter((receiver) => receiver.notifies)
    .map((receiver) => ({
      backend: receiver.backend,
      address: addressOf(parts, receiver, HIDDEN),
      hasPassword: receiver.addressCredentials() !== null,
    }));
  const through = configuredReceivers(parts)
    .filter((receiver) => isPolled(parts, receiver) || mayNotify(parts, receiver))
    .map(({ backend }) => backend);
  return { enabled, polling, addresses, through: enabled ? through : [], ...stateOf(parts, polling) };
}

/** Stands for the password of an address. */
const HIDDEN = '•••••';

/** Returns the address with its user name and password, to be pasted at the provider; null when there is none. */
export function completeAddress(
  parts: Pick<InboundParts, 'settings' | 'receivers'>,
  backend: string,
): string | null {
  const receiver = parts.receivers[backend];
  return receiver?.notifies ? addressOf(parts, receiver, null) : null;
}

/** Returns the address, with `hidden` in place of its password; with the password when `hidden` is null. */
function addressOf(
  { settings }: Pick<InboundParts, 'settings'>,
  { backend, addressCredentials }: Receiver,
  hidden: string | null,
): string | null {
  const publicUrl = settings.publicUrl();
  if (publicUrl === null) return null;
  const address = `${publicUrl}${notificationPath(backend)}`;
  const credentials = addressCredentials();
  if (credentials === null) return address;
  const { user, password } = credentials;
  const pair = `${encodeURIComponent(user)}:${hidden ?? encodeURIComponent(password)}`;
  return address.replace('://', () => `://${pair}@`);
}

/** Returns the providers that are set up. */
function configuredReceivers({ receivers }: Pick<InboundParts, 'receivers'>): Receiver[] {
  return Object.values(receivers).filter((receiver) => typeof receiver.account() !== 'string');
}

/** Returns true when any provider that is set up is polled every minute; with none set up, when one would be. */
function isPolling(parts: Pick<InboundParts, 'settings' | 'receivers'>): boolean {
  const known = configuredReceivers(parts);
  return (known.length > 0 ? known : Object.values(parts.receivers)).some((receiver) =>
    isPolled(parts, receiver),
  );
}

/**
 * Returns a warning when notifications of a provider that is set up are refused as configured. It names no provider,
 * because anyone may read it.
 */
export function unverifiable({
  settings,
  receivers,
}: Pick<InboundParts, 'settings' | 'receivers'>): string[] {
  if (!settings.enabled() || settings.publicUrl() === null) return [];
  if (Object.values(receivers).every((receiver) => receiver.isVerifiable())) return [];
  const instead =
    settings.polling() === 'off' ? '' : ' Faxdesk asks for received faxes every minute instead.';
  return [
    `Notifications of received faxes are refused, because the settings to verify them are missing.${instead}`,
  ];
}

type State = Pick<ReceivingFacts, 'state' | 'since' | 'fault' | 'sentence'>;

function stateOf(parts: StatusParts, polling: boolean): State {
  const { settings, watch } = parts;
  if (!settings.enabled()) return { ...NO_FAULT, state: 'off', sentence: 'Receiving is off.' };
  const known = configuredReceivers(parts);
  if (![...parts.sources.values()].some((source) => source.receives?.())) {
    if (known.length === 0) return notSetUp('No fax provider is set up yet, so faxes cannot be received.');
    if (!polling && settings.publicUrl() === null)
      return notSetUp(
        'No provider can reach Faxdesk. Set a public address that can be reached from outside, or turn on checking for faxes.',
      );
    if (!known.some((receiver) => isPolled(parts, receiver) || mayNotify(parts, receiver)))
      return notSetUp(
        'Faxes cannot arrive: the settings to verify the provider’s notifications are missing, and checking for faxes is off.',
      );
  }
  const failing = known
    .map(({ backend }) => ({ backend, since: watch.unreachableSince(backend) }))
    .filter((each): each is { backend: Backend; since: number } => each.since !== null)
    .sort((a, b) => a.since - b.since)[0];
  if (failing === undefined) return { ...NO_FAULT, state: 'ok', sentence: null };
  const fault = watch.refusesAccount(failing.backend) ? 'refused' : 'no_answer';
  return { state: 'unreachable', since: isoTime(failing.since), fault, sentence: FAULTS[fault] };
}

const NO_FAULT = { since: null, fault: null } as const;

const FAULTS = {
  no_answer: 'The provider is not responding. Faxes wait there and arrive once it does.',
  refused:
    'The provider does not accept the account in the settings. Faxes wait there and arrive once it does.',
} as const;

function notSetUp(sentence: string): State {
  return { ...NO_FAULT, state: 'not_set_up', sentence };
}
