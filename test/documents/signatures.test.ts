import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { DESK_LIMITS } from '../../shared/desk.ts';
import { type EditedPage, type PageBox, type PageMark } from '../../shared/page-edits.ts';
import { framedPdf } from '../fixtures/sheet-pdf.ts';
import { signaturePicture, stampPicture } from '../fixtures/signature-picture.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());
const BLANK = await blankPicture();
let counter = 0;

async function blankPicture(): Promise<Buffer> {
  return sharp({ create: { width: 1728, height: 2200, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer();
}

/** Draws one page with these marks, and returns its dots as a gray picture. */
async function drawn(
  { marks, crop = null }: Partial<EditedPage>,
  pictures: Readonly<Record<string, Uint8Array>>,
  document = BLANK,
) {
  const path = workspace.file(`page-${counter++}`, document);
  const output = join(workspace.folder, `page-${counter}.pdf`);
  const edits = [{ page: 1, turn: 0, crop, marks: marks ?? [] }] as const;
  const source = { path, fileName: 'page', declaredType: null, edits, pictures };
  await workspace.documents.prepare([source], output, { maxBytes: 50_000_000 });
  const folder = join(workspace.folder, `pictures-${counter}`);
  mkdirSync(folder);
  const options = { headerLine: null, cleanGreys: false };
  const [page] = (await workspace.documents.preview(output, folder, options)).pages;
  const { data, info } = await sharp(page!.pngPath).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

type Drawn = Awaited<ReturnType<typeof drawn>>;

/** Returns the part of the page that has black dots, in shares; null for a white page. */
function blackPart({ width, height, pixels }: Drawn): PageBox | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((pixels[y * width + x] ?? 255) > 127) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), y];
    }
  if (right < 0) return null;
  return {
    x: left / width,
    y: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}

const countBlack = ({ pixels }: Drawn): number => pixels.filter((pixel) => pixel < 128).length;
const placed = (box: PageBox, kind: 'signature' | 'stamp' = 'signature'): PageMark => ({
  kind,
  box,
  picture: 'one',
});

test('a picture lies in the middle of its box without being stretched, and only its ink covers the page', async () => {
  const { picture, width, height } = await workspace.documents.signature(await signaturePicture());
  expect(width / height).toBeCloseTo(2.2, 0);
  // The box is much higher than the picture.
  const box = { x: 0.2, y: 0.3, width: 0.5, height: 0.5 };
  const page = await drawn({ marks: [placed(box)] }, { one: picture });
  const part = blackPart(page)!;
  expect(part.x).toBeGreaterThanOrEqual(0.2);
  expect(part.x + part.width).toBeLessThanOrEqual(0.7);
  expect(part.width).toBeGreaterThan(0.4);
  const inches = [(part.width * page.width) / 204, (part.height * page.height) / 196];
  expect(inches[0]! / inches[1]!).toBeCloseTo(width / height, 0);
  expect(part.y + part.height / 2).toBeCloseTo(0.55, 1);
  const framed = framedPdf({ width: 595, height: 842 });
  const [plain, signed] = [
    await drawn({}, {}, framed),
    await drawn({ marks: [placed(box)] }, { one: picture }, framed),
  ];
  const lost = plain.pixels.filter((pixel, i) => pixel < 128 && (signed.pixels[i] ?? 255) >= 128).length;
  expect(lost).toBe(0);
  expect(countBlack(signed)).toBeGreaterThan(countBlack(plain) + 500);
});

test('a box that covers part of a picture hides that part, and one that is cut off is not drawn', async () => {
  const { picture } = await workspace.documents.signature(await stampPicture());
  const box = { x: 0.1, y: 0.1, width: 0.3, height: 0.3 };
  const whiteout = { kind: 'whiteout', box: { ...box, width: 0.15 } } as const;
  const whole = await drawn({ marks: [placed(box, 'stamp')] }, { one: picture });
  const half = await drawn({ marks: [placed(box, 'stamp'), whiteout] }, { one: picture });
  expect(countBlack(half) / countBlack(whole)).toBeCloseTo(0.5, 1);
  const crop = { x: 0.5, y: 0.5, width: 0.5, height: 0.5 };
  expect(blackPart(await drawn({ marks: [placed(box, 'stamp')], crop }, { one: picture }))).toBeNull();
});

test('rule (documents): the largest pictures on the smallest parts of pages take bounded time', async () => {
  const { picture } = await workspace.documents.signature(await stampPicture());
  const crop = { x: 0.5, y: 0.5, width: 0.02, height: 0.02 };
  const marks = Array.from({ length: 20 }, (_, i) =>
    placed({ x: 0, y: 0, width: 1 - i / 1000, height: 1 }, 'stamp'),
  );
  // Ends within the time that a document has.
  expect(await drawn({ marks, crop }, { one: picture })).toBeDefined();
});

test('ink of any color on tinted paper is kept as black on white, and the largest picture as the largest kept', async () => {
  const large = await sharp(await signaturePicture())
    .resize(4000, 3000)
    .jpeg()
    .toBuffer();
  const { width, height } = await workspace.documents.signature(large);
  expect(width).toBeLessThanOrEqual(DESK_LIMITS.picturePixels.width);
  expect(height).toBeLessThanOrEqual(DESK_LIMITS.picturePixels.height);
  const transparent = await sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90"><path d="M5 80 290 10" stroke="#06c" stroke-width="6"/></svg>',
    ),
  )
    .png()
    .toBuffer();
  expect((await workspace.documents.signature(transparent)).width).toBeGreaterThan(280);
  const bomb = await sharp({ create: { width: 8000, height: 6400, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  await expect(workspace.documents.signature(bomb)).rejects.toThrow(/too many pixels/u);
  await expect(workspace.documents.signature(BLANK)).rejects.toThrow('The picture is empty.');
});
