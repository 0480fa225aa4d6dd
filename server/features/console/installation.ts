import type { CallbackAddress } from '../../../shared/api/console-installation.ts';
import type { Backend } from '../../../shared/backends.ts';
import { computerTimeZone } from '../../../shared/date-format.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import { localDay, localTime } from '../../platform/local-time.ts';
import { unreachableReason } from '../../platform/outside-address.ts';
import type { ReceivingFacts } from '../inbound/service.ts';
import type { Routing } from '../routing/service.ts';
import type { Settings } from '../settings/service.ts';
import { NO_PROVIDER, SENDING_OFF } from './light-sentences.ts';
import type { InstallationFacts } from './types.ts';

export interface InstallationParts {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly routing: Routing;
  readonly hasOwner: () => Promise<boolean>;
  /** Returns true when any fax was ever delivered. */
  readonly hasDelivered: () => Promise<boolean>;
  readonly receiving: () => ReceivingFacts;
  readonly backup: () => Promise<InstallationFacts['backup']>;
}

type Sending = Pick<InstallationFacts['sending'], 'state' | 'since' | 'fault' | 'sentence'>;

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
    backup: await parts.backup(),
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

type SendingParts = Pick<InstallationParts, 'clock' | 'settings' | 'routing'>;

/**
 * Collects the sentences of what keeps faxes from leaving or coming in, and of a missing backup; empty when all of it
 * works. They name no provider, because anyone may read them.
 */
export async function lightWarnings(
  parts: SendingParts & Pick<InstallationParts, 'receiving' | 'backup'>,
): Promise<string[]> {
  const sending = sendingOf(parts, false);
  const { state, sentence } = parts.receiving();
  const found = [
    sending.state === 'not_set_up' ? NO_PROVIDER : sending.sentence,
    // Receiving that is off is no fault: an office may only send.
    state === 'off' ? null : sentence,
    (await parts.backup()).sentence,
  ];
  return found.filter((each) => each !== null);
}

/** Returns everything that the light of consoles is made from; it differs whenever a console would show something else. */
export async function lightFacts(
  parts: SendingParts & Pick<InstallationParts, 'receiving' | 'backup'>,
): Promise<unknown> {
  const { addresses: _addresses, through: _through, ...receiving } = parts.receiving();
  return { sending: sendingOf(parts, true), receiving, backup: await parts.backup() };
}

function sendingOf(parts: SendingParts, seesProviders: boolean): Sending {
  const well = { since: null, fault: null };
  if (parts.settings.get('FAX_DISABLED')) return { ...well, state: 'off', sentence: SENDING_OFF };
  const active = parts.routing.active();
  if ('refusal' in active) return { ...well, state: 'not_set_up', sentence: active.refusal };
  const since = parts.routing.unreachableSince();
  const backend = parts.routing.chosen();
  const provider = seesProviders && backend !== null ? nameOf(parts, backend) : 'The fax provider';
  if (since !== null) {
    const sentence = `${provider} has not answered since ${momentOf(parts, since)}. Faxes are waiting. Nothing is lost.`;
    return { state: 'unreachable', since: isoTime(since), fault: 'no_answer', sentence };
  }
  const fault = parts.routing.accountProblem();
  if (fault === null) return { ...well, state: 'ok', sentence: null };
  const sentence = `${provider} ${ACCOUNT_SENTENCES[fault]}`;
  // It answers, which is what the state is about.
  return { state: 'ok', since: null, fault, sentence };
}

const ACCOUNT_SENTENCES = {
  refused: 'does not accept the account in the settings, so faxes cannot be sent. Check the account.',
  no_credit: 'sends no faxes because the account has no credit.',
} as const;

/** `9:41 AM`, or `November 21, 9:41 AM` when that is not today. */
function momentOf(parts: SendingParts, at: number): string {
  const where = { country: parts.settings.get('FAX_DEFAULT_COUNTRY'), timeZone: timeZoneOf(parts) };
  const now = parts.clock.now();
  const isToday = now - at < DAY_MS && localDay(now, where) === localDay(at, where);
  return isToday ? localTime(at, where) : `${localDay(at, where)}, ${localTime(at, where)}`;
}

/** The vendor's name. */
function nameOf({ routing }: Pick<InstallationParts, 'routing'>, backend: Backend): string {
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
