import type { CallLimits } from '../../contacts/line-memory-port.ts';
import type { AttemptRow } from '../types.ts';

/** Limits of a call on a line of ours, in the columns of its attempt. */
type LimitColumns = Pick<AttemptRow, 'without_t38' | 'without_ecm' | 'most_rate_bps'>;

/** Returns the columns for the limits; all null for a call that does not use a line of ours. */
export function limitColumns(limits: CallLimits | null): LimitColumns {
  if (limits === null) return { without_t38: null, without_ecm: null, most_rate_bps: null };
  const { withoutT38, withoutEcm, mostRate } = limits;
  return { without_t38: withoutT38 ? 1 : 0, without_ecm: withoutEcm ? 1 : 0, most_rate_bps: mostRate };
}

export function readLimits({ without_t38, without_ecm, most_rate_bps }: LimitColumns): CallLimits {
  return { withoutT38: without_t38 === 1, withoutEcm: without_ecm === 1, mostRate: most_rate_bps };
}

/** Returns one sentence to append to an entry of the history; empty for a call with the best settings. */
export function limitsText({ withoutT38, withoutEcm, mostRate }: CallLimits): string {
  const leftOut = [withoutT38 ? 'T.38' : [], withoutEcm ? 'error correction' : []].flat();
  const parts = [
    leftOut.length === 0 ? [] : `without ${leftOut.join(' and ')}`,
    mostRate === null ? [] : `at no more than ${mostRate.toLocaleString('en-US')} bit/s`,
  ].flat();
  return parts.length === 0 ? '' : ` It is sent ${parts.join(', ')}, based on earlier calls to this number.`;
}
