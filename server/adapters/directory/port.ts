/** A directory of people and offices, with the account that reads it. */
export interface DirectoryAccount {
  /** `ldaps://host:port` or `ldap://host:port`. */
  readonly url: string;
  /** Distinguished name or, for Active Directory, `name@domain`; null for a search without signing in. */
  readonly user: string | null;
  readonly password: string;
  /** Distinguished name below which is searched; null for the one that the server names. */
  readonly base: string | null;
  /** LDAP filter that entries have to match as well (RFC 4515); null for none. */
  readonly filter: string | null;
}

/** An entry of the directory. Texts are as the server has them, at most 1,000 characters each. */
export interface DirectoryEntry {
  readonly name: string | null;
  readonly organization: string | null;
  /** As typed there, in any form. */
  readonly faxNumbers: readonly string[];
  readonly phone: string | null;
  /** Lines of the postal address. */
  readonly address: readonly string[];
}

export interface DirectorySearch {
  /** At least one; each has to be in a name, an organization or, when it has digits, a number. */
  readonly words: readonly string[];
  /** Maximum entries. */
  readonly limit: number;
}

/** Searches a directory. Nothing in it is changed. */
export interface Directories {
  /** Returns entries that have a fax number, in the order of the server. Throws {@link DirectoryError}. */
  search(account: DirectoryAccount, search: DirectorySearch): Promise<readonly DirectoryEntry[]>;
}

/** The directory could not be searched. The message is a sentence for people. */
export class DirectoryError extends Error {
  override name = 'DirectoryError';

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
  }
}
