/** Certificate chain and private key of a server. PEM. */
export interface Identity {
  /** The server's certificate, followed by those between it and its root. */
  readonly certificate: string;
  readonly key: string;
}

/** Facts about a certificate for a person to check. */
export interface CertificateFacts {
  /** SHA-256, upper-case hex in pairs. */
  readonly fingerprint: string;
  /** The common name; an empty text when there is none. */
  readonly title: string;
  /** Host names and addresses, without patterns. */
  readonly names: readonly string[];
  /** Epoch milliseconds. */
  readonly beginsMs: number;
  readonly endsMs: number;
}

/** Certificates that cannot be used. The message is one sentence for a person. */
export class CertificateError extends Error {
  override name = 'CertificateError';
}

/** Source of the HTTPS server's certificates. */
export interface Certificates {
  /**
   * One for at least these names, signed by the installation's own authority: the one of last time while it is good for
   * 30 days more. Throws CertificateError when what is stored does not open, and errors of the file system.
   */
  own(names: readonly [string, ...string[]]): Promise<{ root: Identity; server: Identity }>;
  /** Reads the certificate supplied by the administrator. Throws CertificateError. */
  readSupplied(files: { certificateFile: string | null; keyFile: string | null }): Promise<Identity>;
  /** Reads the first certificate of a PEM text. Throws the errors of `node:crypto`. */
  factsOf(certificate: string): CertificateFacts;
  /**
   * Returns the six words by which a person confirms a server in the window of another computer: those of its root when
   * it shows one that signed its certificate itself, else of its certificate.
   */
  wordsOf(server: Identity): Promise<string[]>;
}
