import busboy from 'busboy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundarySearch, searchNatively } from '../../server/http/boundary-search.ts';

const BOUNDARY = '-a-';
/** Pieces from which bodies are made: whole boundaries, parts of one, and what resembles one. */
const PIECES = [
  `\r\n--${BOUNDARY}`,
  '\r\n',
  '\r',
  '\n',
  '--',
  '-',
  'a',
  'content',
  `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="to"\r\n\r\n`,
  `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`,
  `\r\n--${BOUNDARY}--\r\n`,
];
const bodies = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14 })
  .map((pieces) => Buffer.from(pieces.join('')));
const lengths = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20 });

/** The bytes in chunks of these lengths, and then the rest in one. */
function chunksOf(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}

/** Turns of the event loop after which a parser has reported everything; streams of a broken form may never end. */
const TURNS = 20;

/** Everything that a parser reports of a body, with the bytes of each file joined. */
async function parse(chunks: readonly Buffer[], prepare: (parser: object) => void): Promise<string[]> {
  const parser = busboy({ headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } });
  prepare(parser);
  const reported: string[] = [];
  parser.on('field', (name, value) => reported.push(`field ${name} ${value}`));
  parser.on('file', (name, stream) => {
    const read: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => read.push(chunk));
    stream.on('error', (error: Error) => reported.push(`file ${name} ${error.message}`));
    stream.on('end', () => reported.push(`file ${name} ${Buffer.concat(read).toString('hex')}`));
  });
  parser.on('error', (error) => reported.push((error as Error).message));
  parser.on('close', () => reported.push('closed'));
  for (const chunk of chunks) if (!parser.destroyed) parser.write(chunk);
  parser.end();
  for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return reported;
}

test('reports the same fields, files and errors as the parser with its own search', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, lengths, async (body, sizes) => {
      const chunks = chunksOf(body, sizes);
      expect(await parse(chunks, searchNatively)).toEqual(await parse(chunks, () => undefined));
    }),
    { numRuns: 300 },
  );
});

test('passes on every byte around the boundaries, however the body is cut', () => {
  const needle = Buffer.from(`\r\n--${BOUNDARY}`);
  fc.assert(
    fc.property(bodies, lengths, (body, sizes) => {
      const told: string[] = [];
      const search = createBoundarySearch(needle, (isMatch, data, start, end) => {
        told.push(data?.toString('latin1', start, end) ?? '');
        if (isMatch) told.push('|');
      });
      for (const chunk of chunksOf(body, sizes)) search.push(chunk);
      search.destroy();
      expect(told.join('')).toBe(body.toString('latin1').replaceAll(needle.toString('latin1'), '|'));
    }),
    { numRuns: 1_000 },
  );
});

test('takes the place of the search of the installed parser', () => {
  const parser = busboy({ headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  const before = (parser as unknown as { _bparser: object })._bparser;
  searchNatively(parser);
  const after = (parser as unknown as { _bparser: object })._bparser;
  expect(after.constructor).toBe(createBoundarySearch(Buffer.from('\r\n--x'), () => undefined).constructor);
  expect(after).not.toBe(before);
});

test('leaves a parser of another form alone', () => {
  const parser = busboy({ headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  searchNatively(parser);
  expect(Object.hasOwn(parser, '_bparser')).toBe(false);
});
