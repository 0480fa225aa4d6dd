import { describe, expect, it } from 'vitest';
import { type IncomingFile, receiveDocument } from '../../server/features/printing/receive.ts';

const MEGABYTE = 1024 * 1024;

/** A file that counts what it gets. */
function countingFile() {
  const counts = { bytes: 0, discarded: 0 };
  const file: IncomingFile = {
    add: async (chunk) => {
      counts.bytes += chunk.length;
    },
    end: async () => undefined,
    close: async () => undefined,
    content: { bytes: new Uint8Array() },
    discard: async () => {
      counts.discarded += 1;
    },
  };
  return { file, counts };
}

async function* raster(megabytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from('RaS2');
  for (let piece = 0; piece < megabytes; piece += 1) yield Buffer.alloc(MEGABYTE);
}

describe('a document on its way to the printer', () => {
  it('is refused, and its file removed, before it fills the disk', async () => {
    const { file, counts } = countingFile();
    const received = receiveDocument(raster(40), {
      compression: 'none',
      format: 'image/pwg-raster',
      limitOf: () => ({ maxBytes: 100 * MEGABYTE, sentence: 'The document is too large.' }),
      // Room for the first looks alone.
      hasRoom: async () => counts.bytes < 20 * MEGABYTE,
      file,
    });
    await expect(received).rejects.toThrow('The disk of the Faxdesk computer is full.');
    expect(counts.bytes).toBeLessThan(32 * MEGABYTE);
    expect(counts.discarded).toBe(1);
  });
});
