import type { CallLimits } from '../../contacts/line-memory-port.ts';
import type { AttemptRow } from '../types.ts';

/** Limits of a call on a line of ours, as stored with its attempt. */
type KeptLimits = Pick<AttemptRow, 'without_t38' | 'without_ecm' | 'most_rate_bps'>;

/** Null where no line of ours carries it. */
export function limitsOf(limits: CallLimits | null): KeptLimits {
  if (limits === null) return { without_t38: null, without_ecm: null, most_rate_bps: null };
  const { withoutT38, withoutEcm, mostRate } = limits;
  return { without_t38: withoutT38 ? 1 : 0, without_ecm: withoutEcm ? 1 : 0, most_rate_bps: mostRate };
}

export function readLimits({ without_t38, without_ecm, most_rate_bps }: KeptLimits): CallLimits {
  return { withoutT38: without_t38 === 1, withoutEcm: without_ecm === 1, mostRate: most_rate_bps };
}

/** Returns one sentence for the history, to follow another; empty for a call with the best settings. */
export function limitsText({ withoutT38, withoutEcm, mostRate }: CallLimits): string {
  const left = [withoutT38 ? 'T.38' : [], withoutEcm ? 'error correction' : []].flat();
  const parts = [
    left.length === 0 ? [] : `without ${left.join(' and ')}`,
    mostRate === null ? [] : `at ${mostRate.toLocaleString('en-US')} bit/s at most`,
  ].flat();
  return parts.length === 0
    ? ''
    : ` It goes ${parts.join(', ')}, as learned from earlier calls to this number.`;
}
