import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { type FaxAbout, withAboutText } from '../../platform/fax-about.ts';
import { searchTextOf } from '../../platform/search-text.ts';
import type { FaxRow } from './types.ts';

/** Builds the text that the list of received faxes is searched by: both numbers, the provider's id and what it is about. */
export function faxSearchText(
  fax: Pick<FaxRow, 'from_number' | 'to_number' | 'provider_fax_id'> & FaxAbout,
): string {
  const text = searchTextOf([
    fax.from_number ?? UNKNOWN_NUMBER,
    fax.to_number ?? UNKNOWN_NUMBER,
    fax.provider_fax_id,
  ]);
  return withAboutText(text, fax);
}
