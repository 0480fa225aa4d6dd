import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { searchTextOf } from '../../platform/search-text.ts';
import type { FaxRow } from './types.ts';

/** Builds the text that the list of received faxes is searched by: both numbers and the provider's id. */
export function faxSearchText(fax: Pick<FaxRow, 'from_number' | 'to_number' | 'provider_fax_id'>): string {
  return searchTextOf([
    fax.from_number ?? UNKNOWN_NUMBER,
    fax.to_number ?? UNKNOWN_NUMBER,
    fax.provider_fax_id,
  ]);
}
