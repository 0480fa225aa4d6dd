/** A field of the header as it stands in a message, with the lines that it goes on in. */
export interface HeaderLine {
  /** Its name in lower case. */
  readonly key: string;
  readonly line: string;
}
