import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { ChainEnd } from '../../platform/chained-lines.ts';
import type { Seal } from '../../platform/seal.ts';

/** Persists the end of the chain of audit lines between starts. */
interface ChainEndFile {
  /** Null when there is none, or when it does not open with the data key. */
  read(): ChainEnd | null;
  /** Never throws: an end that cannot be kept only shows as a gap later. */
  write(end: ChainEnd): void;
  close(): void;
}

const CONTEXT = 'audit_log_end';
const StoredChainEnd = z.strictObject({ seq: z.number().int(), digest: z.string() });
/** Longer than any sealed end, so that a shorter one leaves nothing of a longer one. */
const RECORD_BYTES = 512;

/**
 * Keeps the end in an owner-only file, sealed with the data key. It is written with each line and not flushed, like the lines
 * themselves: some ten microseconds, and a gateway that is killed loses neither.
 */
export function openChainEndFile(path: string, seal: Seal): ChainEndFile {
  let file: number | null = null;
  return {
    read() {
      try {
        return StoredChainEnd.parse(JSON.parse(seal.open(readFileSync(path, 'utf8').trim(), CONTEXT)));
      } catch {
        return null;
      }
    },
    write({ seq, digest }) {
      try {
        file ??= openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
        const text = seal.seal(JSON.stringify({ seq, digest }), CONTEXT);
        writeSync(file, text.padEnd(RECORD_BYTES - 1).concat('\n'), 0);
      } catch {
        close();
      }
    },
    close,
  };

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }
}
