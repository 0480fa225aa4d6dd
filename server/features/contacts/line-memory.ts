import { type CallLimits, type LineResult, NO_LIMITS } from './line-memory-port.ts';

/** Results of calls to a number on a line of ours. Times are epoch milliseconds. */
export interface LineMemory extends CallLimits {
  /** Account of the line. */
  readonly account: string;
  /** Calls in a row that had trouble this way. */
  readonly troubles: number;
  readonly learnedAt: number;
  readonly expiresAt: number;
}

/** A call that ended: how it was made, and what it showed. */
export interface CallWithResult {
  readonly account: string;
  readonly limits: CallLimits;
  readonly lineResult: LineResult;
}

/** Lifetime of what was learned from a call. The number is then called with the best settings again, since its machine may have changed. */
const LIFETIME_MS = 90 * 24 * 60 * 60_000;
/** Trouble in one call may be chance. */
const TROUBLES_BEFORE_LIMIT = 2;
/** Speeds that every fax machine supports, in bits per second. */
const LOWER_RATES = [9600, 4800];

/** Returns the limits for the next call to a number over the line of an account. */
export function limitsFromMemory(memory: LineMemory | null, account: string, now: number): CallLimits {
  const { withoutT38, withoutEcm, mostRate } = validMemory(memory, account, now) ?? NO_LIMITS;
  return { withoutT38, withoutEcm, mostRate };
}

/**
 * Returns the memory of a number after a call to it; null for nothing. Settings that got through are repeated, and
 * features they used are not left out any more. After two calls with trouble in a row a feature is left out; when
 * nothing remains to leave out, the number is called with the best settings again.
 */
export function updateMemory(
  memory: LineMemory | null,
  call: CallWithResult,
  now: number,
): LineMemory | null {
  const { account, limits, lineResult } = call;
  const known = validMemory(memory, account, now);
  const before = known ?? NO_LIMITS;
  const troubles = known?.troubles ?? 0;
  const remember = (after: CallLimits, count: number): LineMemory | null => {
    if (isSame(after, NO_LIMITS) && count === 0) return null;
    const { withoutT38, withoutEcm, mostRate } = after;
    const isKept = known !== null && isSame(after, known);
    const learnedAt = isKept ? known.learnedAt : now;
    const expiresAt = isKept ? known.expiresAt : now + LIFETIME_MS;
    return { account, withoutT38, withoutEcm, mostRate, troubles: count, learnedAt, expiresAt };
  };
  if (lineResult.trouble === null) return remember(limitsAfterSuccess(before, call), 0);
  // The call was made before the present limits were learned.
  if (!isSame(limits, before)) return remember(before, troubles);
  if (troubles + 1 < TROUBLES_BEFORE_LIMIT) return remember(before, troubles + 1);
  return remember(nextLimits(before, lineResult), 0);
}

/** Another line goes another way. */
function validMemory(memory: LineMemory | null, account: string, now: number): LineMemory | null {
  return memory?.account === account && memory.expiresAt > now ? memory : null;
}

function limitsAfterSuccess(
  before: CallLimits,
  { limits, lineResult: { best, mode } }: CallWithResult,
): CallLimits {
  const asSound = mode === null ? before.withoutT38 && limits.withoutT38 : mode === 'audio';
  const { mostRate } = limits;
  return {
    withoutT38: best.t38 && asSound,
    withoutEcm: best.ecm && limits.withoutEcm,
    mostRate: mostRate !== null && mostRate < best.mostRate ? mostRate : null,
  };
}

/** Returns the limits to try next. */
function nextLimits(before: CallLimits, { best, mode, trouble }: LineResult): CallLimits {
  const { withoutT38, withoutEcm, mostRate } = before;
  if (trouble === 'ecm' && best.ecm && !withoutEcm) return { ...before, withoutEcm: true };
  const wasT38 = mode === 't38' || trouble === 't38';
  if (wasT38 && best.t38 && !withoutT38) return { ...before, withoutT38: true };
  const rate = Math.min(best.mostRate, mostRate ?? best.mostRate);
  const lower = LOWER_RATES.find((each) => each < rate);
  return lower === undefined ? NO_LIMITS : { ...before, mostRate: lower };
}

function isSame(one: CallLimits, other: CallLimits): boolean {
  return (
    one.withoutT38 === other.withoutT38 &&
    one.withoutEcm === other.withoutEcm &&
    one.mostRate === other.mostRate
  );
}
