import { COVER_FIELD_NAME } from './covers.ts';

/** Place of a column of the list in a value of the cover page, such as `{Room}`. */
const MERGE_PLACE = /\{([^{}\n]{1,100})\}/gu;
/** Column that every list has: the name of the recipient. */
const NAME = 'name';
/** Fields that no column fills by its name alone. */
const OWN_FIELDS: readonly string[] = ['to', 'from', 'pages', 'date'];

/** Line of the list whose columns are merged into the cover page. */
export interface MergedLine {
  readonly name: string | null;
  /** Further columns, by their heading. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns a heading as fields are named: `Room No.` as `room_no`. */
const fold = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '');

/** Returns the columns that the values name and that no line has a value in. */
export function unknownColumns(
  values: Readonly<Record<string, string>>,
  lines: readonly MergedLine[],
): string[] {
  const known = new Set([NAME, ...lines.flatMap(({ fields }) => Object.keys(fields).map(fold))]);
  const named = Object.values(values).flatMap((value) =>
    [...value.matchAll(MERGE_PLACE)].map(([, column = '']) => column.trim()),
  );
  return [...new Set(named)].filter((column) => !known.has(fold(column)));
}

/**
 * Returns the values of the cover page for one line: columns in braces are replaced by its values, and a field without a value
 * gets that of the column with its name.
 */
export function mergeFields(
  values: Readonly<Record<string, string>>,
  { name, fields }: MergedLine,
): Record<string, string> {
  const columns = new Map([
    [NAME, name ?? ''],
    ...Object.entries(fields).map(([heading, value]) => [fold(heading), value] as const),
  ]);
  const merged: Record<string, string> = {};
  for (const [column, value] of columns)
    if (COVER_FIELD_NAME.test(column) && !OWN_FIELDS.includes(column)) merged[column] = value;
  for (const [field, value] of Object.entries(values))
    merged[field] = value.replaceAll(
      MERGE_PLACE,
      (_, column: string) => columns.get(fold(column.trim())) ?? '',
    );
  return merged;
}
