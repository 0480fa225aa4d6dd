/** A key pair of the installation, without its private key. */
export interface SigningKey {
  /** Lowercase hex SHA-256 of the public key (SubjectPublicKeyInfo, DER): what two people compare. */
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** ISO 8601 UTC. */
  readonly madeAt: string;
  /** The one that signs now; former ones are kept so that older signatures can be checked. */
  readonly isCurrent: boolean;
}

/** The current key, ready to sign. */
export interface Signer {
  readonly key: SigningKey;
  /** Ed25519, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}
