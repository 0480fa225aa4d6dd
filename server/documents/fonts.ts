import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dejavu = 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf';

/** Bytes of the fonts that ship with the gateway, read on first use. */
export type ShippedFont = 'sans' | 'sansMono' | 'eastAsian';

const loaded = new Map<ShippedFont, Buffer>();

/** DejaVu Sans, DejaVu Sans Mono (wide coverage) and Droid Sans Fallback (Chinese, Japanese). */
export function shippedFont(name: ShippedFont): Buffer {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(pathOf(name));
  loaded.set(name, bytes);
  return bytes;
}

function pathOf(name: ShippedFont): string {
  const mono = () => fileURLToPath(import.meta.resolve(dejavu));
  switch (name) {
    case 'sansMono':
      return mono();
    case 'sans':
      return mono().replace('DejaVuSansMono', 'DejaVuSans');
    case 'eastAsian':
      return fileURLToPath(new URL('../../resources/fonts/DroidSansFallbackFull.ttf', import.meta.url));
    default:
      throw new Error(`no font ${String(name satisfies never)}`);
  }
}
