import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/index.ts';

const AHEAD_MS = LIMITS.sendAheadDays * 24 * 3_600_000;

/** Returns a sentence on what is wrong with the chosen time; null when it is valid, or none is chosen. */
export function timeProblem(sendAt: string, now: number): string | null {
  if (sendAt === '') return null;
  const time = Date.parse(sendAt);
  if (Number.isNaN(time)) return t.send.timeIncomplete;
  if (time <= now) return t.send.timePast;
  return time > now + AHEAD_MS ? t.send.timeTooFar(LIMITS.sendAheadDays) : null;
}

/** Returns a sentence on what is wrong with the latest time; null when it is valid, or none is chosen. */
export function latestProblem(
  { sendAt, sendBy }: { sendAt: string; sendBy: string },
  now: number,
): string | null {
  const problem = timeProblem(sendBy, now);
  if (problem !== null || sendBy === '') return problem;
  return Date.parse(sendBy) <= Date.parse(sendAt) ? t.send.sendBy.afterTime : null;
}
