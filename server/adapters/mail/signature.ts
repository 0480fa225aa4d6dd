/** What mailauth found of a signature. */
export interface Signature {
  readonly id?: string;
  readonly signingDomain?: string;
  readonly canonBodyLengthLimited?: boolean;
  readonly signingHeaders?: { readonly keys: string };
  /** When it was made, as an ISO time; null where it does not say. */
  readonly signTime?: string | null;
  readonly status: { readonly result: string };
}
