import { notificationPath } from '../../../shared/api/provider-routes.ts';
import { isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';
import { isPolling } from './poll.ts';

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
