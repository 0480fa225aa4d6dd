import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DecodedPages, DocumentToEncode, EncodedEstimate } from '../../server/documents/documents.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { seededRandom } from '../fixtures/bitmaps.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const MAX_BYTES = 1e7;
const words = { sender: 'Lakeside Clinic, +1 415 555 0100,' };
let counter = 0;

/** A PDF file that does not become smaller, of about so many bytes. */
function denseFile(bytes: number, seed: number): Buffer {
  const random = seededRandom(seed);
  const dense = Uint8Array.from({ length: bytes }, () => random() * 256);
  return Buffer.concat([Buffer.from('%PDF-1.4\n%'), dense]);
}

function toEncode(content: Buffer, options: Partial<DocumentToEncode> = {}): DocumentToEncode {
  const documentPath = workspace.file(`original-${++counter}.pdf`, content);
  return {
    documentPath,
    name: 'summary.pdf',
    mediaType: 'application/pdf',
    key: null,
    paper: 'letter',
    ...options,
  };
}

const messageId = (seed: number): string => sha256Hex(`message ${seed}`).slice(0, 32);

async function encode(document: DocumentToEncode, cap = 60): Promise<{ path: string } & EncodedEstimate> {
  const path = join(workspace.folder, `encoded-${++counter}.pdf`);
  const counts = await workspace.documents.encodePages(document, path, {
    messageId: messageId(1),
    words,
    cap,
  });
  return { path, ...counts };
}

async function decode(
  path: string,
  keys: string[] = [],
): Promise<{ content: Buffer | null; found: DecodedPages }> {
  const output = join(workspace.folder, `decoded-${++counter}`);
  const found = await workspace.documents.decodePages(path, output, { keys, maxBytes: MAX_BYTES });
  return { found, content: found.state === 'decoded' ? readFileSync(output) : null };
}

describe('encoded pages', () => {
  it.each([
    ['letter', 'one row of tiles', 300, 1, 0],
    ['letter', 'part of a page', 9000, 1, 0],
    ['letter', 'several pages', 60_000, 3, 1],
    ['a4', 'one row of tiles', 300, 1, 0],
    ['a4', 'several pages', 60_000, 3, 1],
  ] as const)(
    'carry a document byte for byte on %s paper: %s',
    async (paper, _name, size, dataPages, parityPages) => {
      const content = denseFile(size, size);
      const document = toEncode(content, { paper });
      const estimate = await workspace.documents.estimateEncoded(document);
      const { path, ...counts } = await encode(document);
      expect(counts).toEqual(estimate);
      expect(counts).toMatchObject({ pages: dataPages + parityPages, dataPages, parityPages });
      const { found, content: arrived } = await decode(path);
      expect(found).toMatchObject({
        state: 'decoded',
        keyIndex: null,
        isEncrypted: false,
        messageId: messageId(1),
        document: {
          name: 'summary.pdf',
          mediaType: 'application/pdf',
          sha256: sha256Hex(content),
          sizeBytes: content.length,
        },
      });
      expect(arrived?.equals(content)).toBe(true);
    },
  );

  it('are none in an ordinary fax', async () => {
    const { found } = await decode(workspace.file('ordinary.pdf', textPdf(5)));
    expect(found).toEqual({ state: 'none' });
  });
});
