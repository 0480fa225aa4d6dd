import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { HeaderLine } from './header-line.ts';
import { bodyOffset, readBeginning } from './mail-header.ts';
import type { ParsedSignature } from './signature-rule.ts';

/**
 * The message of a file with these signatures alone, and with the line ends that e-mails have: the library that checks them takes
 * time for every other signature, and for every line that ends otherwise.
 */
export function signedCopy(
  path: string,
  header: readonly HeaderLine[],
  kept: readonly ParsedSignature[],
): Readable {
  async function* copy() {
    yield signedHeader(header, kept);
    yield* normalizeLineEnds(createReadStream(path, { start: bodyOffset(await readBeginning(path)) }));
  }
  return Readable.from(copy(), { objectMode: false });
}

/** The header of such a copy, with the empty line below it. */
export function signedHeader(header: readonly HeaderLine[], kept: readonly ParsedSignature[]): Buffer {
  const keeps = new Set(kept.map(({ field }) => field));
  const lines = header.filter((field) => !isLeftOut(field) || keeps.has(field)).map(({ line }) => line);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

const isLeftOut = ({ key }: HeaderLine) => key === 'dkim-signature' || key.startsWith('arc-');

async function* normalizeLineEnds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let before = '';
  for await (const chunk of chunks) {
    const text = before + chunk.toString('latin1');
    // Its line feed may come with the next chunk.
    before = text.endsWith('\r') ? '\r' : '';
    yield Buffer.from((before === '' ? text : text.slice(0, -1)).replaceAll(/\r?\n/gu, '\r\n'), 'latin1');
  }
  if (before !== '') yield Buffer.from(before, 'latin1');
}
