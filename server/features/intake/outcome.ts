import type { MailOutcome } from '../../adapters/mail/port.ts';
import type { ItemRow, RecipientFact } from './types.ts';

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const FIRST_WAITS_MINUTES = [1, 5, 15, 60];
/** Once an hour for a day after those. */
const HOURLY_TRIES = 24;

/**
 * Returns the wait before the next attempt after that many refusals, in milliseconds; null when a person must decide.
 */
export function retryDelayMs(failures: number): number | null {
  const minutes = FIRST_WAITS_MINUTES[failures - 1];
  if (minutes !== undefined) return minutes * MINUTE_MS;
  return failures <= FIRST_WAITS_MINUTES.length + HOURLY_TRIES ? HOUR_MS : null;
}

/** Effect on an item of an attempt, or of not being able to make one. */
export interface DeliveryResult {
  readonly changes: Pick<ItemRow, 'state' | 'problem' | 'failures'>;
  readonly recipients: readonly RecipientFact[];
  /** Milliseconds until the next attempt; null for none. */
  readonly waitMs: number | null;
}

/** Returns the effect of an attempt for those recipients; all others have it already. */
export function resultOfOutcome(
  item: Pick<ItemRow, 'failures'>,
  targets: readonly string[],
  outcome: MailOutcome,
): DeliveryResult {
  if (outcome.kind === 'unknown') return uncertainResult(targets, outcome.sentence);
  const sentenceOf = (address: string) =>
    outcome.refused.get(address) ?? (outcome.kind === 'refused' ? outcome.sentence : null);
  const recipients = targets.map((address): RecipientFact => {
    const sentence = sentenceOf(address);
    return { address, state: sentence === null ? 'delivered' : 'refused', sentence };
  });
  const refused = recipients.filter(({ state }) => state === 'refused');
  if (refused.length === 0)
    return { changes: { state: 'delivered', problem: null, failures: 0 }, recipients, waitMs: null };
  const failures = item.failures + 1;
  const waitMs = retryDelayMs(failures);
  const problem = problemOf(refused, outcome, targets.length);
  return {
    changes: { state: waitMs === null ? 'failed' : 'received', problem, failures },
    recipients,
    waitMs,
  };
}

/** Returns the outcome when it is uncertain that those recipients got it. */
export function uncertainResult(targets: readonly string[], sentence: string): DeliveryResult {
  return {
    changes: { state: 'uncertain', problem: sentence, failures: 0 },
    recipients: targets.map((address) => ({ address, state: 'uncertain', sentence })),
    waitMs: null,
  };
}

/** Returns the result when another attempt would change nothing. */
export function failedResult(item: Pick<ItemRow, 'failures'>, sentence: string): DeliveryResult {
  const { failures } = item;
  return { changes: { state: 'failed', problem: sentence, failures }, recipients: [], waitMs: null };
}

function problemOf(refused: readonly RecipientFact[], outcome: MailOutcome, all: number): string {
  if (outcome.kind === 'refused' && outcome.refused.size === 0) return outcome.sentence;
  if (all === 1) return refused[0]?.sentence ?? '';
  const names = refused.map(({ address }) => address).join(', ');
  return `The e-mail server refused ${refused.length} of ${all} recipients: ${names}.`;
}
