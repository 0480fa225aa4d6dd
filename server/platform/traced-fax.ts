/** Way of a fax that has come to its end, made from its history. */
export interface TracedFax {
  readonly id: string;
  /** `fax.send` or `fax.receive`. */
  readonly name: string;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Oldest first; each lasts until the next one. */
  readonly steps: readonly { readonly name: string; readonly at: string }[];
}
