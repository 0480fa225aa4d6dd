import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPieceSealer, openBytes } from '../../server/platform/file-cipher.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import { type DrawnPage, pwgRaster } from '../fixtures/print-raster.ts';
import { openWorkspace } from './workspace.ts';

const MEGABYTE = 1024 * 1024;
const PAGES = 12;
/** The memory that the process may take for a job: less than half of the pages. */
const MEMORY_BYTES = 112 * MEGABYTE;
const FORMAT = 'image/pwg-raster';

const workspace = openWorkspace({ memoryLimitBytes: MEMORY_BYTES });
afterAll(async () => await workspace.close());

/** A page of A4 of which each pixel takes two bytes: its rows are packed as no computer does it. */
function bulkyPage(): Buffer {
  const [width, height] = [2_480, 3_508];
  const page: DrawnPage = { width, height, perInch: 300, bitsPerPixel: 8, space: 18, rows: [] };
  const row = Buffer.alloc(1 + 2 * width);
  for (let x = 0; x < width; x += 1) row[2 + 2 * x] = x % 50 === 0 ? 0 : 255;
  return Buffer.concat([pwgRaster([page]).subarray(4), ...Array.from({ length: height }, () => row)]);
}

/** Writes the pages to a file, sealed where there is a sealer. */
function writePages(name: string, sealer: ReturnType<typeof createPieceSealer> | null): string {
  const path = join(workspace.folder, name);
  const file = openSync(path, 'wx', 0o600);
  const page = bulkyPage();
  for (const chunk of [Buffer.from('RaS2'), ...Array.from({ length: PAGES }, () => page)])
    for (const part of sealer?.add(chunk) ?? [chunk]) writeSync(file, part);
  for (const part of sealer?.end() ?? []) writeSync(file, part);
  closeSync(file);
  return path;
}

describe('printed pages that are larger than the memory', () => {
  it.each(['as they are', 'sealed'])(
    'rule (printing): become a document without being read whole [%s]',
    async (how) => {
      const sealer = how === 'sealed' ? createFileSealer(Buffer.alloc(32, 7)) : null;
      const [upload, kept] = [sealer?.newKey() ?? null, sealer?.newKey() ?? null];
      const path = writePages(`${how}.pwg`, upload && createPieceSealer(upload));
      expect(statSync(path).size).toBeGreaterThan(1.5 * MEMORY_BYTES);
      const output = join(workspace.folder, `${how}.pdf`);
      const prepared = await workspace.documents.preparePrinted(
        { path, ...(upload && { key: upload.key }) },
        output,
        { format: FORMAT, maxBytes: 25 * MEGABYTE, seal: kept },
      );
      const written = readFileSync(output);
      const pdf = kept === null ? written : openBytes(kept.key, written);
      expect(prepared).toEqual({ sha256: sha256Hex(pdf), sizeBytes: pdf.length, pages: PAGES });
      expect(await workspace.documents.inspectPdf({ bytes: pdf })).toEqual({ pages: PAGES });
    },
    120_000,
  );

  it('are refused with their reason where the document is too large, and nothing is left of it', async () => {
    const path = writePages('refused.pwg', null);
    const output = join(workspace.folder, 'refused.pdf');
    const refused = workspace.documents.preparePrinted({ path }, output, { format: FORMAT, maxBytes: 1_000 });
    await expect(refused).rejects.toThrow('The printed pages make a document larger than 0 MB.');
    expect(readdirSync(workspace.folder).filter((name) => name.includes('refused.pdf'))).toEqual([]);
  });
});
