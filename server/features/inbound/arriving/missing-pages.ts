import type { CheckedReport, FaxRow } from '../types.ts';
import { type SourceNames, sourceWords } from './source-name.ts';

/** Returns true when the source reports that the fax did not come whole. */
export function endsEarly({ endedEarly, report }: Pick<CheckedReport, 'endedEarly' | 'report'>): boolean {
  return endedEarly === true || report.state === 'failed';
}

/** One sentence when pages of a document may be missing: how many came, by its source or by the document. Else null. */
export function missingPages(
  parts: SourceNames,
  row: Pick<FaxRow, 'backend' | 'source_system' | 'incomplete' | 'reported_pages'>,
  pages: number,
): string | null {
  const reported = row.reported_pages ?? pages;
  if (reported > pages)
    return `Pages may be missing: ${sourceWords(parts, row).the} counted ${pagesOf(reported)}, but only ${pages} arrived.`;
  if (row.incomplete === 0) return null;
  return reported === 0
    ? 'Pages may be missing: the call ended before the first page was complete.'
    : `Pages may be missing: the call ended after ${pagesOf(pages)}.`;
}

const pagesOf = (count: number) => (count === 1 ? '1 page' : `${count} pages`);
