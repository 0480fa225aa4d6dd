import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 64 * 1024;
/** Maximum length of a line. The gateway writes none that is longer; others are skipped. */
const MAX_LINE_BYTES = 1024 * 1024;
const END_OF_LINE = 0x0a;

/**
 * Yields the lines of a file that end before `end` (a byte offset), last line first, with the byte offset of their start.
 * Leaves out text after the last end of line, which is still being written. Holds one block and one line in memory.
 */
export async function* linesBackwards(
  file: FileHandle,
  end: number,
): AsyncIterable<{ text: string; start: number }> {
  let rest = Buffer.alloc(0);
  let isWhole = false;
  for (let at = end; at > 0; ) {
    const length = Math.min(BLOCK_BYTES, at);
    const block = Buffer.alloc(length);
    const { bytesRead } = await file.read(block, 0, length, at - length);
    // The file was truncated in the meantime.
    if (bytesRead < length) return;
    at -= length;
    const isTooLong = rest.length > MAX_LINE_BYTES;
    rest = isTooLong ? block : Buffer.concat([block, rest]);
    isWhole &&= !isTooLong;
    for (;;) {
      const cut = rest.lastIndexOf(END_OF_LINE, isWhole ? -2 : -1);
      if (cut === -1) break;
      if (isWhole) yield { text: rest.toString('utf8', cut + 1, rest.length - 1), start: at + cut + 1 };
      rest = rest.subarray(0, cut + 1);
      isWhole = true;
    }
  }
  if (isWhole && rest.length > 1) yield { text: rest.toString('utf8', 0, rest.length - 1), start: 0 };
}
