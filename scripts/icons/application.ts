import { ICNS_SIZES, icnsOf } from './icns.ts';
import { icoOf } from './ico.ts';
import { type Bitmap, pngOf, rasterize } from './rasterize.ts';

type ReadDrawing = (path: string) => Promise<string>;

/** The sizes that a large drawing would blur have drawings of their own. */
const GRIDS: Record<string, number[]> = { app: [16, 20, 24, 32], document: [16, 32] };

const ICO_SIZES: Record<string, number[]> = {
  app: [16, 20, 24, 32, 40, 48, 64, 128, 256],
  document: [16, 32, 48, 64, 128, 256],
};
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** Windows lays it over the corner of the taskbar button. */
const OVERLAYS = ['new', 'attention', 'broken'];

/** The icons of the application, of documents that open with it, and the overlays; by path below `resources/icons`. */
export async function applicationIcons(read: ReadDrawing): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const [name, sizes] of Object.entries(ICO_SIZES)) {
    files.set(`${name}.ico`, await icoOf(await bitmaps(read, name, sizes)));
    const frame = name === 'app' ? onMacTile : (svg: string) => svg;
    files.set(`${name}.icns`, await icnsOf(await bitmaps(read, name, ICNS_SIZES, frame)));
  }
  for (const bitmap of await bitmaps(read, 'app', LINUX_SIZES))
    files.set(`app/${bitmap.size}x${bitmap.size}.png`, await pngOf(bitmap));
  for (const name of OVERLAYS) {
    const svg = await read(`overlay/${name}.svg`);
    files.set(`overlay/${name}.png`, await pngOf(await rasterize(svg, 16)));
    files.set(`overlay/${name}@2x.png`, await pngOf(await rasterize(svg, 32)));
  }
  return files;
}

async function bitmaps(
  read: ReadDrawing,
  name: string,
  sizes: readonly number[],
  frame = (svg: string) => svg,
): Promise<Bitmap[]> {
  const large = frame(await read(`${name}/large.svg`));
  const drawings = sizes.map(async (size) => {
    const own = GRIDS[name]?.includes(size);
    return await rasterize(own ? await read(`${name}/${size}.svg`) : large, size);
  });
  return await Promise.all(drawings);
}

/** macOS expects the tile with a margin of 100 of 1024 and a soft shadow. */
function onMacTile(svg: string): string {
  const inner = svg.replace('<svg ', '<svg x="100" y="100" width="824" height="824" ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024">
  <filter id="soft" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="14"/></filter>
  <rect x="100" y="112" width="824" height="824" rx="183" fill-opacity=".3" filter="url(#soft)"/>
  ${inner}
</svg>`;
}
