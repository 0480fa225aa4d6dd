import { notificationPath } from '../../../shared/api/provider-routes.ts';
import { isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';
import { isPolled } from './poll.ts';

/** Whether faxes can come in, for people. */
export interface ReceivingFacts {
  readonly enabled: boolean;
  readonly polling: boolean;
  readonly state: 'ok' | 'unreachable' | 'off' | 'not_set_up';
  /** Since when the provider does not answer. */
  readonly since: string | null;
  readonly sentence: string | null;
  /** The providers that notify of received faxes, with the address each has to be told; null without a public one. */
  readonly addresses: readonly { readonly backend: string; readonly address: string | null }[];
}

export function receivingFacts(parts: InboundParts): ReceivingFacts {
  const { settings } = parts;
  const enabled = settings.enabled();
  const polling = isPolling(parts);
  const publicUrl = settings.publicUrl();
  const addresses = Object.values(parts.receivers)
    .filter((receiver) => receiver.notifies)
    .map(({ backend }) => ({
      backend,
      address: publicUrl === null ? null : `${publicUrl}${notificationPath(backend)}`,
    }));
  return { enabled, polling, addresses, ...stateOf(parts, polling) };
}

/** Whether any provider that is set up is asked every minute; of none, whether one would be. */
function isPolling(parts: InboundParts): boolean {
  const all = Object.values(parts.receivers);
  const ready = all.filter((receiver) => typeof receiver.account() !== 'string');
  return (ready.length > 0 ? ready : all).some((receiver) => isPolled(parts, receiver));
}

/** That notifications of a provider that is set up are refused as they stand; it names none, because anybody may read it. */
export function unverifiable({ settings, receivers }: InboundParts): string[] {
  if (!settings.enabled() || settings.publicUrl() === null) return [];
  if (Object.values(receivers).every((receiver) => receiver.isVerifiable())) return [];
  const instead =
    settings.polling() === 'off' ? '' : ' Faxdesk asks for received faxes every minute instead.';
  return [
    `Notifications of received faxes are refused, because what verifies them is missing in the settings.${instead}`,
  ];
}

function stateOf(
  parts: InboundParts,
  polling: boolean,
): Pick<ReceivingFacts, 'state' | 'since' | 'sentence'> {
  const { settings } = parts;
  if (!settings.enabled()) return { state: 'off', since: null, sentence: 'Receiving is switched off.' };
  const ready = Object.entries(parts.receivers).filter(
    ([, receiver]) => typeof receiver.account() !== 'string',
  );
  if (ready.length === 0) return notSetUp('No fax provider is set up yet, so faxes cannot be received.');
  if (!polling && settings.publicUrl() === null)
    return notSetUp(
      'No provider can reach Faxdesk. Set a public address that can be reached from outside, or turn on checking for faxes.',
    );
  const since = ready
    .map(([backend]) => parts.watch.unreachableSince(backend))
    .filter((time) => time !== null)
    .sort((a, b) => a - b)[0];
  if (since === undefined) return { state: 'ok', since: null, sentence: null };
  const sentence = 'The provider is not responding. Faxes wait there and come in once it does.';
  return { state: 'unreachable', since: isoTime(since), sentence };
}

function notSetUp(sentence: string): Pick<ReceivingFacts, 'state' | 'since' | 'sentence'> {
  return { state: 'not_set_up', since: null, sentence };
}
