import type { CredentialKind } from '../../../shared/credential-kinds.ts';
import { type AgeIdentity, parseIdentities } from '../../platform/age/keys.ts';
import { RefusalError } from '../../platform/errors.ts';

/** Stops the gateway, restores a file with the identities that open it, and starts again. */
export type RestoreFile = (
  file: string,
  by: { name: string; credentialKind: CredentialKind },
  identities: readonly AgeIdentity[] | null,
) => void;

/** Returns the reason why the identities do not open a backup, as a sentence; null when they do, or it needs none. */
export type BackupProblem = (
  file: string,
  identities: readonly AgeIdentity[] | null,
) => Promise<string | null>;

const NO_IDENTITY =
  'This is not an identity. Give the whole text of the identity file, with the line that begins with AGE-SECRET-KEY-1.';

/**
 * Returns the identities of a text that a person gave; null where none was given and the backup needs none. Throws a 422 refusal
 * where they do not open the backup.
 */
export async function openingIdentities(
  file: string,
  text: string | null,
  backupProblem: BackupProblem,
): Promise<readonly AgeIdentity[] | null> {
  const identities = text === null ? null : parseIdentities(text);
  if (text !== null && identities === null)
    throw new RefusalError('backup_not_opened', { sentence: NO_IDENTITY });
  const problem = await backupProblem(file, identities);
  if (problem !== null) throw new RefusalError('backup_not_opened', { sentence: problem });
  return identities;
}
