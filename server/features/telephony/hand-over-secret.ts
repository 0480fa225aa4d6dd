import { chmod, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../platform/durable-file.ts';
import { equalInConstantTime, sha256Hex } from '../../platform/hash.ts';
import { randomToken } from '../../platform/ids.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { forged } from './errors.ts';
import type { TelephonyParts } from './parts.ts';

const SECRET_BITS = 256;
/** The group of a folder may look into it. */
const GROUP_MAY_READ = 0o050;
const FOR_GROUP = 0o640;

/** The secret by which the telephone engine proves itself: that of the settings, which gets one when it has none. */
export function createHandOverSecret(
  parts: Pick<TelephonyParts, 'settings' | 'logger' | 'dataFolder'>,
): HandOverSecret {
  return new HandOverSecret(parts);
}

export type { HandOverSecret };

class HandOverSecret {
  readonly #parts: Pick<TelephonyParts, 'settings' | 'logger'>;
  /** Where the engine reads it. */
  readonly #path: string;
  #written: string | null = null;

  constructor(parts: Pick<TelephonyParts, 'settings' | 'logger' | 'dataFolder'>) {
    this.#parts = parts;
    this.#path = join(parts.dataFolder, 'telephony', 'inbound-secret');
  }

  /** Sees that there is one and that its file holds it, which only the owner can read, and the group of its folder. */
  async keep(): Promise<void> {
    const { settings, logger } = this.#parts;
    if (settings.handOverSecret() === null) await settings.saveHandOverSecret(randomToken(SECRET_BITS));
    const secret = settings.handOverSecret();
    if (secret === null || secret === this.#written) return;
    try {
      await makeFolder(dirname(this.#path));
      await writeDurably(this.#path, `${secret}\n`);
      await shareWithGroupOf(dirname(this.#path), this.#path);
      this.#written = secret;
    } catch (error) {
      // Everything but handing over works without it.
      logger.error({ error }, 'the secret of the telephone engine could not be written');
    }
  }

  /** Throws a 401 refusal unless this is the secret. */
  assertRight(given: string | undefined): void {
    const secret = this.#parts.settings.handOverSecret();
    if (given === undefined || secret === null) throw forged('no secret was given, or there is none yet');
    if (!equalInConstantTime(sha256Hex(given), sha256Hex(secret))) throw forged('the secret is wrong');
  }
}

/** A folder that its group may look into was opened for an engine under another account, which must read the file. */
async function shareWithGroupOf(folder: string, file: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & GROUP_MAY_READ) === GROUP_MAY_READ) await chmod(file, FOR_GROUP);
}
