import { type CoverPage, fieldsOf } from '../../api/covers.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { t } from '../../texts/covers.ts';

const words = t.covers;

export const kindWord = ({ built_in: isBuiltIn, kind }: Pick<CoverPage, 'built_in' | 'kind'>): string =>
  isBuiltIn ? words.kinds.builtIn : words.kinds[kind];

/** Names of the fields that Faxdesk fills in, as they are printed. */
export const usualFields = (page: CoverPage): string =>
  fieldsOf(page)
    .usual.map((name) => words.fields[name as keyof typeof words.fields])
    .join(', ');

export const COVER_COLUMNS: readonly Column<CoverPage>[] = [
  { id: 'name', head: words.columns.name, title: ({ name }) => name, cell: ({ name }) => name },
  { id: 'kind', head: words.columns.kind, isQuiet: true, cell: kindWord },
  {
    id: 'fields',
    head: words.columns.fields,
    isQuiet: true,
    room: 'wide',
    title: usualFields,
    cell: usualFields,
  },
];
