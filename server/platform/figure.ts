/** Value that `/metrics` reports at one time. */
export interface Figure {
  /** Without the prefix `faxdesk_`; ends in its unit. */
  readonly name: string;
  readonly help: string;
  /** Figures of one name have the same labels. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}
