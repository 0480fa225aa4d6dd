import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { writeDurably } from '../../platform/durable-file.ts';
import { errorCode } from '../../platform/errors.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { type Seal, SealError } from '../../platform/seal.ts';
import { factsOf, isIssuedBy } from './identity.ts';
import { CertificateError, type Identity } from './port.ts';

/** Of the data folder. */
const HTTPS_FOLDER = 'https';
const ROOT_FILE = 'root.sealed';
const SERVER_FILE = 'server.sealed';
const RENEW_BEFORE_END_MS = 30 * 24 * 60 * 60_000;

export interface AuthorityParts {
  readonly dataFolder: string;
  readonly seal: Seal;
  readonly clock: Clock;
  /** Returns the name for a new root. */
  readonly newName: () => string;
}

/** A root of the installation's own, and the certificate of its server that it signs and renews. */
export function createOwnAuthority(parts: AuthorityParts): OwnAuthority {
  return new OwnAuthority(parts);
}

class OwnAuthority {
  readonly #parts: AuthorityParts;
  readonly #folder: string;

  constructor(parts: AuthorityParts) {
    this.#parts = parts;
    this.#folder = join(parts.dataFolder, HTTPS_FOLDER);
  }

  /**
   * A certificate for at least the names that is good for 30 days more, with the root that signed it: the one of last
   * time, or a new one. Throws CertificateError when what is stored does not open, and errors of the file system.
   */
  async identity(names: readonly [string, ...string[]]): Promise<{ root: Identity; server: Identity }> {
    const nowMs = this.#parts.clock.now();
    const root = await this.#root(nowMs);
    const known = await this.#read(SERVER_FILE);
    if (known && isIssuedBy(known, root) && isUsable(known, names, nowMs)) return { root, server: known };
    const { issueServer } = await import('./issue.ts');
    const { certificate, key } = await issueServer(root, names, nowMs);
    // The chain includes the root, so that a window can be given the fingerprint to trust from now on.
    const server = { certificate: `${certificate}\n${root.certificate}`, key };
    await this.#write(SERVER_FILE, server);
    return { root, server };
  }

  async #root(nowMs: number): Promise<Identity> {
    const known = await this.#read(ROOT_FILE);
    if (known && factsOf(known.certificate).endsMs > nowMs) return known;
    const { issueRoot } = await import('./issue.ts');
    const root = await issueRoot(this.#parts.newName(), nowMs);
    await makeFolder(this.#folder);
    await this.#write(ROOT_FILE, root);
    return root;
  }

  async #read(file: string): Promise<Identity | null> {
    const path = join(this.#folder, file);
    try {
      const text = this.#parts.seal.open((await readFile(path, 'utf8')).trim(), contextOf(file));
      return JSON.parse(text) as Identity;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      if (!(error instanceof SealError)) throw error;
      this.#assertRightKey(error);
      throw new CertificateError(
        `The certificates in ${this.#folder} cannot be opened with the data key of this installation. Restore them from a backup, or remove that folder to get new ones.`,
        { cause: error },
      );
    }
  }

  /** With the right data key those that are there are good again, and other computers trust them. */
  #assertRightKey(cause?: unknown): void {
    if (this.#parts.seal.problem === null) return;
    throw new CertificateError('Its certificates cannot be opened until the right data key is back.', {
      cause,
    });
  }

  async #write(file: string, identity: Identity): Promise<void> {
    this.#assertRightKey();
    const { seal } = this.#parts;
    const sealed = seal.seal(JSON.stringify(identity), contextOf(file));
    await writeDurably(join(this.#folder, file), `${sealed}\n`);
  }
}

const contextOf = (file: string) => `${HTTPS_FOLDER}/${file}`;

/** One that began in the future was made by a clock that was wrong. */
function isUsable({ certificate }: Identity, names: readonly string[], nowMs: number): boolean {
  const facts = factsOf(certificate);
  const covers = names.every((name) => facts.names.includes(name));
  return covers && facts.beginsMs <= nowMs && facts.endsMs - RENEW_BEFORE_END_MS > nowMs;
}
