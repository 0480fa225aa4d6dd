/** A key pair of the installation, without its private key. */
export interface SigningKey {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER) in lowercase hex, which people compare. */
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** ISO 8601 UTC. */
  readonly madeAt: string;
  /** True for the key that signs now. Former keys are kept to verify older signatures. */
  readonly isCurrent: boolean;
}

/** The current key, ready to sign. */
export interface Signer {
  readonly key: SigningKey;
  /** Returns the Ed25519 signature of the bytes, 64 bytes long. */
  sign(bytes: Uint8Array): Uint8Array;
}
