/** The printer for other computers, to be announced in the local network. */
export interface AnnouncedPrinter {
  readonly name: string;
  /** Address of this computer at which it listens, `0.0.0.0` or `::`. */
  readonly address: string;
  readonly port: number;
  /** Keys and values of its TXT record. */
  readonly facts: Readonly<Record<string, string>>;
}
