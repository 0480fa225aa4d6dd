import { t } from '../texts/index.ts';
import { formatCount } from '../ui/format.ts';
import type { Fax } from './fax-state.ts';

/** Describes the progress of the call; null when none is reported. */
export function progressWords({ progress, document }: Pick<Fax, 'progress' | 'document'>): string | null {
  if (progress === null) return null;
  const words = t.send.steps;
  const { stage, page, rate_bps: rate } = progress;
  if (stage !== 'sending' || page === null) return words.call[stage];
  return words.callPage(
    formatCount(page),
    formatCount(document.pages),
    rate === null ? null : formatCount(rate),
  );
}
