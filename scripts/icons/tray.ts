import { type Colors, pngOf, rasterize } from './rasterize.ts';

/** The states of the tray; each has a shape of its own, so that nothing depends on color alone. */
const STATES = ['normal', 'new', 'attention', 'broken'];

/** By the background of the icon: a light or a dark taskbar. */
const BACKGROUNDS: Record<string, Colors> = {
  light: { ink: '#1d1c1a', new: '#2450b5', attention: '#9a5b00', broken: '#c42b1c' },
  dark: { ink: '#ffffff', new: '#7ba3ff', attention: '#f0b849', broken: '#ff7a6b' },
};

/** macOS colors the image itself and uses its opacity only. */
const TEMPLATE: Colors = { ink: '#000', new: '#000', attention: '#000', broken: '#000' };

/**
 * Scale of the screen, pixels, and the grid of the drawing that is used: a drawing for its own grid is sharp, one that is
 * stretched by a fraction is not. The suffixes are those that Electron looks for.
 */
const SCALES = [
  { suffix: '', size: 16, grid: 16 },
  { suffix: '@1.25x', size: 20, grid: 20 },
  { suffix: '@1.5x', size: 24, grid: 24 },
  { suffix: '@2x', size: 32, grid: 16 },
  { suffix: '@2.5x', size: 40, grid: 20 },
  { suffix: '@3x', size: 48, grid: 24 },
];

/** Linux desktops draw the one that they are given in some 24 pixels, more on a dense screen. */
const LINUX_SCALES = [
  { suffix: '', size: 24, grid: 24 },
  { suffix: '@2x', size: 48, grid: 24 },
];

/** The tray icons, by their path below `resources/icons`. `read` gives the text of a source drawing. */
export async function trayIcons(read: (path: string) => Promise<string>): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const draw = async (name: string, { size, grid, state, colors }: Drawing) => {
    const svg = await read(`tray/${state}-${grid}.svg`);
    files.set(`tray/${name}.png`, await pngOf(await rasterize(svg, size, colors)));
  };
  for (const state of STATES) {
    for (const [ground, colors] of Object.entries(BACKGROUNDS)) {
      for (const { suffix, ...scale } of SCALES)
        await draw(`${state}-${ground}${suffix}`, { ...scale, state, colors });
      for (const { suffix, ...scale } of LINUX_SCALES)
        await draw(`linux/${state}-${ground}${suffix}`, { ...scale, state, colors });
    }
    await draw(`${state}Template`, { size: 16, grid: 16, state, colors: TEMPLATE });
    await draw(`${state}Template@2x`, { size: 32, grid: 16, state, colors: TEMPLATE });
  }
  return files;
}

interface Drawing {
  readonly size: number;
  readonly grid: number;
  readonly state: string;
  readonly colors: Colors;
}
