import sharp from 'sharp';

/** Names to colors, for the `var(--name)` of a drawing. */
export type Colors = Readonly<Record<string, string>>;

/** A square picture: straight (not premultiplied) RGBA, 8 bits each. */
export interface Bitmap {
  readonly size: number;
  readonly rgba: Buffer;
}

const DEFAULT_DENSITY = 72;

/**
 * Draws a square SVG at a size in pixels. The drawing's custom properties are replaced by the given colors: the
 * rasterizer does not support them, a browser that shows the source does. Throws when the drawing uses another one.
 */
export async function rasterize(svg: string, size: number, colors: Colors = {}): Promise<Bitmap> {
  const coloured = svg.replace(/var\(--([a-z]+)\)/gu, (_, name: string) => {
    const colour = colors[name];
    if (colour === undefined) throw new Error(`The drawing asks for a colour named ${name}.`);
    return colour;
  });
  const width = Number(/viewBox="0 0 (\d+) (\d+)"/u.exec(svg)?.[1]);
  const drawn = sharp(Buffer.from(coloured), { density: (DEFAULT_DENSITY * size) / width });
  const rgba = await drawn.resize(size, size).ensureAlpha().raw().toBuffer();
  return { size, rgba };
}

/** The picture as a PNG file. */
export async function pngOf({ size, rgba }: Bitmap): Promise<Buffer> {
  const raw = { width: size, height: size, channels: 4 as const };
  return await sharp(rgba, { raw }).png({ compressionLevel: 9, adaptiveFiltering: true }).toBuffer();
}
