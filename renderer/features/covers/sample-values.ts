import { type CoverPage, fieldsOf } from '../../api/covers.ts';
import { t } from '../../texts/covers.ts';

/** Returns values for a picture of a page without a fax: a field without one would not show. */
export function sampleValues(
  page: Pick<CoverPage, 'kind' | 'fields' | 'form_fields' | 'text'>,
): Record<string, string> {
  const { usual, own } = fieldsOf(page);
  const samples: Readonly<Record<string, string>> = t.covers.samples;
  return Object.fromEntries([
    ...usual.flatMap((name) => (samples[name] === undefined ? [] : [[name, samples[name]]])),
    ...own.map((name) => [name, name]),
  ]) as Record<string, string>;
}
