/** The vendor's error types with the ids that its documentation lists. 133 has two types. */
export const errorCatalog: Readonly<Record<string, readonly number[]>> = {
  documentConversionError: [4, 54, 55, 57, 69, 122, 128, 129, 130, 133],
  lineError: [11, 15, 16, 17, 19, 30, 32, 34, 43, 49, 50, 52, 73, 87, 88, 100, 110, 112, 115, 121],
  faxError: [
    6, 7, 8, 10, 12, 13, 14, 18, 20, 21, 22, 25, 26, 28, 29, 31, 38, 40, 41, 44, 46, 48, 53, 60, 63, 68, 75,
    76, 77, 79, 80, 82, 84, 113, 117, 119, 131, 132, 133,
  ],
  generalError: [],
  fatalError: [],
};

/** Ids of the errors with which a fax with `test_fail` ends. */
export const simulatedErrors: Readonly<Record<string, number>> = {
  documentConversionError: 122,
  lineError: 121,
  faxError: 119,
};

/** Returns the type of an id; `generalError` for unlisted ids. */
export function errorTypeOf(id: number | undefined): string {
  const found = Object.entries(errorCatalog).find(([, ids]) => id !== undefined && ids.includes(id));
  return found?.[0] ?? 'generalError';
}
