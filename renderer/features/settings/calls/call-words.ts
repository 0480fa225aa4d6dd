import type { Call } from '../../../api/calls.ts';
import { t } from '../../../texts/call-log.ts';
import { formatCount } from '../../../ui/format.ts';

const words = t.callLog;

/** `T.38, ECM` and `14,400 bit/s`; what is unknown is left out. */
export function modeText({ mode, ecm, rate_bps: rate }: Call): string[] {
  const way = [
    mode === null ? [] : words.modes[mode],
    ecm === null ? [] : ecm ? words.ecm : words.noEcm,
  ].flat();
  return [way.length === 0 ? [] : way.join(', '), rate === null ? [] : words.rate(formatCount(rate))].flat();
}
