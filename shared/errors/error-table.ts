/**
 * Errors by code. Each has a fixed `sentence`, or one composed for the case; then `meaning` is the general description.
 */
export type ErrorTable = Readonly<
  Record<
    string,
    | { readonly status: number; readonly sentence: string }
    | { readonly status: number; readonly meaning: string }
  >
>;
