import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { referee, unlessMissing } from '../fixtures/referees.ts';

export const withPaperTools = unlessMissing('pdftoppm', 'pdfinfo');
const PER_INCH = 50;

/** A sheet of paper, and where the black on it lies; in inches, from the left and from the top. */
interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly black: { left: number; top: number; right: number; bottom: number };
}

/** Prints the page as it is and returns its sheets: each in its own size, or all in one paper size. */
export async function printed(page: Page, paper?: 'Letter' | 'A4'): Promise<Sheet[]> {
  const folder = await mkdtemp(join(tmpdir(), 'paper-'));
  try {
    const pdf = await page.pdf(
      paper ? { format: paper, preferCSSPageSize: false } : { preferCSSPageSize: true },
    );
    await writeFile(join(folder, 'out.pdf'), pdf);
    const pages = Number(
      /^Pages:\s+(\d+)/mu.exec(referee('pdfinfo', [join(folder, 'out.pdf')]).toString())?.[1],
    );
    const args = ['-r', String(PER_INCH), '-gray', '-png', join(folder, 'out.pdf'), join(folder, 'sheet')];
    execFileSync('pdftoppm', args, { stdio: 'ignore' });
    const digits = String(pages).length;
    const names = Array.from({ length: pages }, (_, i) => `sheet-${String(i + 1).padStart(digits, '0')}.png`);
    return await Promise.all(names.map((name) => sheetOf(join(folder, name))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sheetOf(file: string): Promise<Sheet> {
  const { data, info } = await sharp(file).greyscale().raw().toBuffer({ resolveWithObject: true });
  const black = { left: info.width, top: info.height, right: 0, bottom: 0 };
  for (const [at, grey] of data.entries()) {
    if (grey > 127) continue;
    const [x, y] = [at % info.width, Math.floor(at / info.width)];
    black.left = Math.min(black.left, x);
    black.top = Math.min(black.top, y);
    black.right = Math.max(black.right, x + 1);
    black.bottom = Math.max(black.bottom, y + 1);
  }
  const inches = (pixels: number) => pixels / PER_INCH;
  const { left, top, right, bottom } = black;
  return {
    width: inches(info.width),
    height: inches(info.height),
    black: { left: inches(left), top: inches(top), right: inches(right), bottom: inches(bottom) },
  };
}
