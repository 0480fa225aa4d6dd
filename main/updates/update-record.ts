import { join } from 'node:path';
import { z } from 'zod';
import { readOwnerFile, writeOwnerFile } from '../owner-file.ts';

const Version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/u);

const Installer = z.object({
  version: Version,
  /** Absolute path. */
  file: z.string(),
  size: z.number().int(),
  /** SHA-512 in lower-case hexadecimal. */
  sha512: z.string(),
});
export type Installer = z.infer<typeof Installer>;

const Underway = z.object({
  from: Version,
  to: Version,
  /** Absolute path of the backup from before; null where no gateway ran that could make one. */
  backup: z.string().nullable(),
  /** True when the version before can restore that backup without a person. */
  canRestore: z.boolean(),
  installer: Installer,
  /** True once the new version has started. */
  hasStarted: z.boolean(),
});
/** An installation that has begun and whose end is not known yet. */
export type Underway = z.infer<typeof Underway>;

/** Written by one version and read by another: fields are added, and those of today keep their meaning. */
const Facts = z.object({
  underway: Underway.nullable(),
  /** The installer of the running version, for the way back from the next one; null where it was installed by hand. */
  kept: Installer.nullable(),
  /** The version that did not work here: neither it nor an older one is offered. */
  paused: Version.nullable(),
});
type Facts = z.infer<typeof Facts>;

const NOTHING: Facts = { underway: null, kept: null, paused: null };

/** Beginning of the running version, as the record has it. */
export type Beginning =
  | { readonly kind: 'usual' }
  /** The first start of a version that was installed from here. */
  | { readonly kind: 'updated'; readonly underway: Underway }
  /** The version before runs again, after the other one was started. */
  | { readonly kind: 'returned'; readonly from: string };

/** A file that is damaged counts as none: the gateway itself sees that no fax is lost. */
export async function openUpdateRecord(folder: string): Promise<UpdateRecord> {
  const path = join(folder, 'update.json');
  return new UpdateRecord(path, parse(await readOwnerFile(path).catch(() => null)));
}

export type { UpdateRecord };

/** Record of the installation under way, in `update.json` of the application's own folder. */
class UpdateRecord {
  readonly #path: string;
  #current: Facts;
  #lastChange: Promise<void> = Promise.resolve();

  constructor(path: string, current: Facts) {
    this.#path = path;
    this.#current = current;
  }

  get current(): Facts {
    return this.#current;
  }

  /** Resolves when the change lasts through a power failure. Changes follow each other: none is lost to another one. */
  async change(changes: Partial<Facts>): Promise<void> {
    const change = this.#lastChange.then(() => this.#write(changes));
    this.#lastChange = change.catch(() => {});
    await change;
  }

  async #write(changes: Partial<Facts>): Promise<void> {
    const changed = { ...this.#current, ...changes };
    await writeOwnerFile(this.#path, `${JSON.stringify(changed, null, 2)}\n`);
    this.#current = changed;
  }

  /** Finds out if the start of this version ends an update, and records it. */
  async begin(version: string): Promise<Beginning> {
    const { underway } = this.#current;
    if (underway === null) return { kind: 'usual' };
    if (version === underway.to) {
      const started = { ...underway, hasStarted: true };
      await this.change({ underway: started });
      return { kind: 'updated', underway: started };
    }
    const hasReturned = version === underway.from && underway.hasStarted;
    await this.change({ underway: null, ...(hasReturned ? { paused: underway.to } : {}) });
    return hasReturned ? { kind: 'returned', from: underway.to } : { kind: 'usual' };
  }
}

function parse(text: string | null): Facts {
  try {
    return Facts.parse(JSON.parse(text ?? 'null'));
  } catch {
    return NOTHING;
  }
}
