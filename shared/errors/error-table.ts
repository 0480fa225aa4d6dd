/** An error says the same sentence every time, or one that tells more of the case: then `meaning` says what it is about. */
export type ErrorTable = Readonly<
  Record<
    string,
    | { readonly status: number; readonly sentence: string }
    | { readonly status: number; readonly meaning: string }
  >
>;
