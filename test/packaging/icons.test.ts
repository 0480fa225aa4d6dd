import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { allIcons, ICONS } from '../../scripts/icons/all-icons.ts';
import type { Bitmap } from '../../scripts/icons/rasterize.ts';
import { filesBelow } from '../../scripts/source-tree.ts';
import { type Part, readIcon } from './icon-files.ts';

/** Of 255: another processor may round a blended pixel differently. */
const ROUNDING = 3;

let made: Map<string, Buffer>;

beforeAll(async () => {
  made = await allIcons();
});

async function committed(path: string): Promise<Part[]> {
  return await readIcon(path, await readFile(new URL(path, ICONS)));
}

/** Largest difference of a channel; a pixel that cannot be seen has no colour. */
function differenceOf(a: Bitmap, b: Bitmap): number {
  if (a.size !== b.size) return 255;
  const visible = (bitmap: Bitmap, index: number) =>
    index % 4 === 3 || (bitmap.rgba[index | 3] ?? 0) > ROUNDING;
  return a.rgba.reduce((most, value, index) => {
    if (!visible(a, index) && !visible(b, index)) return most;
    return Math.max(most, Math.abs(value - (b.rgba[index] ?? 0)));
  }, 0);
}

function opacity({ rgba }: Bitmap): Uint8Array {
  return rgba.filter((_, index) => index % 4 === 3);
}

describe('the icons', () => {
  it('are what the script makes of the drawings: run `node scripts/draw-icons.ts` when a drawing was changed', async () => {
    const wrong: string[] = [];
    for (const [path, file] of made) {
      const ours = existsSync(new URL(path, ICONS)) ? await committed(path) : [];
      const wanted = await readIcon(path, file);
      const same = wanted.every(({ type, bitmap }, index) => {
        const part = ours[index];
        return part?.type === type && differenceOf(part.bitmap, bitmap) <= ROUNDING;
      });
      if (!same || ours.length !== wanted.length) wrong.push(path);
    }
    expect(wrong).toEqual([]);
  });

  it('are all made by the script, but for the logo that the console shows', () => {
    const folder = 'resources/icons/';
    const there = filesBelow('resources/icons').map((path) => path.slice(folder.length));
    const ours = there.filter((path) => !path.startsWith('source/') && path !== 'logo.svg');
    expect(ours.toSorted()).toEqual([...made.keys()].toSorted());
  });

  it('hold for Windows the sizes of every scale of its screens', async () => {
    const parts = await committed('app.ico');
    expect(parts.map(({ bitmap }) => bitmap.size)).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256]);
  });

  it('hold for macOS every size, plain and at double density', async () => {
    const parts = await committed('app.icns');
    const sizes = Object.fromEntries(parts.map(({ type, bitmap }) => [type, bitmap.size]));
    const plain = { ic04: 16, ic05: 32, ic07: 128, ic08: 256, ic09: 512 };
    expect(sizes).toEqual({ ...plain, ic11: 32, ic12: 64, ic13: 256, ic14: 512, ic10: 1024 });
  });

  it('of Linux have the size that their names say', async () => {
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
      const [part] = await committed(`app/${size}x${size}.png`);
      expect(part?.bitmap.size).toBe(size);
    }
  });
});

describe('the tray icons', () => {
  const states = ['normal', 'new', 'attention', 'broken'];
  const sizes = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32, '@2.5x': 40, '@3x': 48 };

  it('have the size of their scale for each state and ground', async () => {
    for (const state of states) {
      for (const ground of ['light', 'dark']) {
        for (const [suffix, size] of Object.entries(sizes)) {
          const [part] = await committed(`tray/${state}-${ground}${suffix}.png`);
          expect(part?.bitmap.size).toBe(size);
        }
        const [ofLinux] = await committed(`tray/linux/${state}-${ground}.png`);
        expect(ofLinux?.bitmap.size).toBe(24);
      }
    }
  });

  it('of macOS are black with opacity, so that the system can colour them', async () => {
    for (const state of states) {
      for (const suffix of ['', '@2x']) {
        const [part] = await committed(`tray/${state}Template${suffix}.png`);
        const coloured = part?.bitmap.rgba.filter((value, index) => index % 4 !== 3 && value !== 0);
        expect(coloured).toHaveLength(0);
      }
    }
  });

  it('distinguish the states by shape alone', async () => {
    const shapes = await Promise.all(
      states.map(async (state) => {
        const [part] = await committed(`tray/${state}Template.png`);
        return part === undefined ? new Uint8Array() : opacity(part.bitmap);
      }),
    );
    for (const [index, shape] of shapes.entries()) {
      for (const other of shapes.slice(index + 1)) {
        const different = shape.filter((value, pixel) => Math.abs(value - (other[pixel] ?? 0)) > 128);
        expect(different.length).toBeGreaterThanOrEqual(10);
      }
    }
  });
});
