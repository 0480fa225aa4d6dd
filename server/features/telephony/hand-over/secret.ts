import { dirname, join } from 'node:path';
import { writeDurably } from '../../../platform/durable-file.ts';
import { SealError } from '../../../platform/errors.ts';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import { randomToken } from '../../../platform/ids.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { isShared, shareFile } from '../../../platform/shared-folder.ts';
import { forged, noSecretYet } from '../errors.ts';
import type { HandOverParts } from './parts.ts';

const SECRET_BITS = 256;

/**
 * Keeps the secret by which the telephone engine authenticates, in the settings and in a file; creates one when there
 * is none.
 */
export function createHandOverSecret(
  parts: Pick<HandOverParts, 'settings' | 'logger' | 'dataFolder' | 'problems'>,
): HandOverSecret {
  return new HandOverSecret(parts);
}

class HandOverSecret {
  readonly #parts: Pick<HandOverParts, 'settings' | 'logger' | 'problems'>;
  /** File that the engine reads it from. */
  readonly #path: string;
  #written: string | null = null;

  constructor(parts: Parameters<typeof createHandOverSecret>[0]) {
    this.#parts = parts;
    this.#path = join(parts.dataFolder, 'telephony', 'inbound-secret');
  }

  /**
   * Creates the secret when there is none, and writes it to its file, readable for the owner and the group of its
   * folder.
   */
  async keep(): Promise<void> {
    const { settings, logger } = this.#parts;
    try {
      if (settings.handOverSecret() === null) await settings.saveHandOverSecret(randomToken(SECRET_BITS));
    } catch (error) {
      // The one that the engine has is right again with the right data key.
      if (error instanceof SealError) return;
      throw error;
    }
    const secret = settings.handOverSecret();
    if (secret === null) return;
    const folder = dirname(this.#path);
    try {
      await makeFolder(folder);
      // The folder may have been shared since: a newly written file belongs to its group.
      if (secret === this.#written && (await isShared(folder, this.#path))) return;
      await writeDurably(this.#path, `${secret}\n`);
      await shareFile(folder, this.#path);
      this.#written = secret;
    } catch (error) {
      // Everything but handing over works without it.
      logger.error({ error }, 'the secret of the telephone engine could not be written');
    }
  }

  /** Throws a 401 refusal unless this is the secret. */
  assertValid(given: string | undefined): void {
    const { settings, problems } = this.#parts;
    if (this.isValid(given)) return problems.recordAcceptedSecret();
    if (settings.handOverSecret() === null) throw noSecretYet();
    if (given === undefined) throw forged('no secret was given');
    problems.recordFailure('secret_refused');
    throw forged('the secret is wrong');
  }

  isValid(given: string | undefined): boolean {
    const secret = this.#parts.settings.handOverSecret();
    if (given === undefined || secret === null) return false;
    return equalInConstantTime(sha256Hex(given), sha256Hex(secret));
  }
}
