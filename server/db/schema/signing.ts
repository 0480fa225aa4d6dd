/** The installation's own key pairs: the last one that opens signs, and none is ever removed. */
export interface SigningKeyTable {
  /** Counts from 1. */
  number: number;
  /** SubjectPublicKeyInfo (DER) in base64. */
  public_key: string;
  /** The private key: PKCS #8 (DER) in base64, sealed with the data key. */
  private_key: string;
  made_at: string;
}

export interface SigningTables {
  signing_key: SigningKeyTable;
}
