/** A signature as mailauth read it. */
export interface Signature {
  readonly id?: string;
  readonly signingDomain?: string;
  readonly canonBodyLengthLimited?: boolean;
  readonly signingHeaders?: { readonly keys: string };
  /** ISO time of the signing; null where the signature has none. */
  readonly signTime?: string | null;
  readonly status: { readonly result: string };
}
