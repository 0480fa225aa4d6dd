import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FilterInAddress } from './filter-names.ts';

/** Conversion between the filter of a list and the address that contains it. */
export interface FilterCodec<Filter> {
  /** Of an address that anybody may have typed. */
  readonly fromAddress: (search: FilterInAddress) => Filter;
  readonly toAddress: (filter: Filter) => FilterInAddress;
}

/** The filter stands in the address, so that loading again, going back and passing it on keep it. */
export function useListFilter<Filter>({ fromAddress, toAddress }: FilterCodec<Filter>) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = fromAddress(search);
  const setFilter = (next: Filter) => void navigate({ to: '.', search: toAddress(next), replace: true });
  return {
    filter,
    setFilter,
    isFiltered: Object.keys(toAddress(filter)).length > 0,
    clear: () => setFilter(fromAddress({})),
  };
}

/** Entries with a text in them. */
export function onlySet<const Texts extends Readonly<Record<string, string | null | undefined | false>>>(
  texts: Texts,
): { readonly [Name in keyof Texts]?: Exclude<Texts[Name], null | undefined | false | ''> } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as ReturnType<
    typeof onlySet<Texts>
  >;
}
