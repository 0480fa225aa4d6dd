import type { OutboundParts } from '../parts.ts';
import { filterOpen } from '../store/attempt-store.ts';
import {
  type Callback,
  type CallbackHead,
  type CallbackHint,
  checkCallbackHead,
  receiveCallback,
  receiveHint,
} from './callback.ts';
import { createHintLimit } from './hint-limit.ts';
import { queryAfterSignal } from './query-after-signal.ts';

/** Receives the reports that providers send unprompted. */
export interface Callbacks {
  /** Before the body of a signed callback is read. Throws a 401 refusal when no body could prove it. */
  checkHead(head: CallbackHead): Promise<void>;
  /** True when the callback changed something. Throws 401, 409 or 400 refusals. */
  receive(callback: Callback): Promise<boolean>;
  /** Queries the provider about the attempt. True when that ended the fax. Throws 401 and 409 refusals. */
  hint(hint: CallbackHint): Promise<boolean>;
  /** Queries an attempt at once after a transport that has our IDs signaled a change. */
  onProviderSignal(attemptId: string): Promise<void>;
  /** Returns those of the attempts whose outcome, or that of another fax in their call, is still to come. */
  filterPending(attemptIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createCallbacks(parts: OutboundParts): Callbacks {
  const hints = createHintLimit(parts.clock);
  return {
    checkHead: async (head) => checkCallbackHead(parts, head),
    receive: async (callback) => receiveCallback(parts, callback),
    hint: async (hint) => receiveHint(parts, hints, hint),
    filterPending: async (attemptIds) => filterOpen(parts.db.read, attemptIds),
    onProviderSignal: async (attemptId) => queryAfterSignal(parts, attemptId),
  };
}
