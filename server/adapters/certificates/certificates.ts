import { factsOf } from './identity.ts';
import { type AuthorityParts, createOwnAuthority } from './own-authority.ts';
import type { Certificates } from './port.ts';
import { readSuppliedFiles } from './supplied-files.ts';
import { createServerWords } from './words.ts';

/** Certificates of an authority in the data folder, and of files. */
export function createCertificates(parts: AuthorityParts): Certificates {
  const authority = createOwnAuthority(parts);
  return {
    own: (names) => authority.identity(names),
    readSupplied: (files) => readSuppliedFiles(files, parts.clock.now()),
    factsOf,
    wordsOf: createServerWords(),
  };
}
