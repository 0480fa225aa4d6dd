import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { receivedPdf } from '../fixtures/damage-levels.ts';
import { addNoise } from '../fixtures/line-damage.ts';
import { drawingPages, drawingPdf, photoPdf } from '../fixtures/make-drawings.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { ordinaryPage } from '../fixtures/ordinary-pages.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { openWorkspace } from './workspace.ts';

// A sample here; ORDINARY_PAGES=500 looks at so many.

const PAGES = Number(process.env['ORDINARY_PAGES'] ?? 28);
/** Every page of a fax of so many is looked at. */
const PAGES_OF_FAX = 4;
const workspace = openWorkspace();
afterAll(async () => await workspace.close());

async function stateOf(pdf: Buffer): Promise<string> {
  const output = join(workspace.folder, 'decoded');
  const path = workspace.file('fax.pdf', pdf);
  const { state } = await workspace.documents.decodePages(path, output, { keys: ['a key'], maxBytes: 1e6 });
  expect(existsSync(output)).toBe(false);
  return state;
}

describe('an ordinary page', () => {
  it('is never taken for an encoded one', async () => {
    for (let seed = 0; seed < PAGES; seed += PAGES_OF_FAX) {
      const pages = Array.from({ length: PAGES_OF_FAX }, (_, i) => ordinaryPage(seed + i));
      const received = pages.map((page, i) =>
        i % 2 === 0 ? page : addNoise(page, 0.002, seededRandom(seed)),
      );
      expect(await stateOf(receivedPdf(received)), `pages from ${seed} on`).toBe('none');
    }
  }, 3_600_000);

  it.each<[string, () => Buffer]>([
    ['text', () => textPdf(4)],
    ['a drawing on A4', () => drawingPdf(595.28, 841.89)],
    ['a drawing on Letter, across', () => drawingPdf(792, 612)],
    ['a long receipt', () => drawingPdf(300, 1500)],
    ['a photograph', () => photoPdf()],
    ['plans', () => drawingPages(2)],
  ])('is never taken for an encoded one: %s', async (_name, make) => {
    expect(await stateOf(make())).toBe('none');
  });
});
