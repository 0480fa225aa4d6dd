import type { Timers } from '../timers.ts';
import { AmiError } from './error.ts';
import type { AmiMessage } from './message.ts';

/** Entries of one list: an engine has a few hundred channels at most. */
const MAX_ENTRIES = 10_000;

/** The answer to an action. */
export interface AmiAnswer {
  readonly response: AmiMessage;
  /** The events of a list, without its end. */
  readonly entries: readonly AmiMessage[];
}

export interface AnswerOptions {
  readonly timeoutMs: number;
  /** The event that is the answer, where neither the response nor a list is. */
  readonly event?: string | undefined;
}

interface PendingAction {
  readonly entries: AmiMessage[];
  response: AmiMessage | null;
  /** An event that follows the response and is the answer; null where the response or a list is. */
  readonly event: string | null;
  readonly settle: (answer: AmiAnswer | AmiError) => void;
}

/** The actions whose answers are awaited, by ActionID. */
interface PendingActions {
  /** Throws AmiError `refused` for an answer that is an error, and `timeout`. */
  answerTo(actionId: string, wait: AnswerOptions): Promise<AmiAnswer>;
  /** True for a message that belongs to a waiting action. Throws AmiError `protocol`. */
  handleMessage(message: AmiMessage): boolean;
  /** The connection is gone. */
  failAll(error: AmiError): void;
}

/**
 * Keeps the actions that wait for an answer. `onTimeout` is called when an action times out: later answers on such a
 * connection cannot be trusted.
 */
export function createPendingActions(timers: Timers, onTimeout: () => void): PendingActions {
  const waiting = new Map<string, PendingAction>();

  function settle(actionId: string, answer: AmiAnswer | AmiError): void {
    waiting.get(actionId)?.settle(answer);
  }

  function handleResponse(actionId: string, action: PendingAction, response: AmiMessage): void {
    action.response = response;
    const answer = answerBy(response, action.event);
    if (answer !== null) settle(actionId, answer);
  }

  function handleEntry(
    actionId: string,
    { entries, response, event: awaited }: PendingAction,
    event: AmiMessage,
  ): void {
    if (awaited !== null && event.get('Event') === awaited)
      return settle(actionId, { response: response ?? event, entries: [event] });
    if (event.get('EventList') === 'Complete')
      return settle(actionId, { response: response ?? event, entries });
    if (entries.length >= MAX_ENTRIES) throw new AmiError('protocol', 'a list without end', { wrote: true });
    entries.push(event);
  }

  return {
    answerTo: async (actionId, { timeoutMs, event = null }) =>
      await new Promise((resolve, reject) => {
        const endWait = timers.after(timeoutMs, () => {
          settle(actionId, new AmiError('timeout', 'no answer in time', { wrote: true }));
          onTimeout();
        });
        waiting.set(actionId, {
          entries: [],
          response: null,
          event,
          settle(answer) {
            endWait();
            waiting.delete(actionId);
            if (answer instanceof AmiError) reject(answer);
            else resolve(answer);
          },
        });
      }),
    handleMessage(message) {
      const actionId = message.get('ActionID');
      const action = actionId === null ? undefined : waiting.get(actionId);
      if (actionId === null || !action) return false;
      if (message.get('Response') !== null) handleResponse(actionId, action, message);
      else if (action.response !== null) handleEntry(actionId, action, message);
      else return false;
      return true;
    },
    failAll(error) {
      for (const actionId of waiting.keys()) settle(actionId, error);
    },
  };
}

/** Returns the answer that a response alone gives; null where more follows. */
function answerBy(response: AmiMessage, event: string | null): AmiAnswer | AmiError | null {
  if (response.get('Response') === 'Error')
    return new AmiError('refused', response.get('Message') ?? 'no reason', { wrote: true });
  const isList = response.get('EventList')?.toLowerCase() === 'start';
  return !isList && event === null ? { response, entries: [] } : null;
}
