import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bareJpeg } from '../../server/documents/pictures/bare-jpeg.ts';

const create = { width: 320, height: 240, channels: 3, background: { r: 90, g: 140, b: 30 } } as const;
const photo = sharp({ create });

describe('a JPEG without its metadata', () => {
  it.each([
    ['baseline', {}],
    ['progressive', { progressive: true }],
  ])('has the same pixels and nothing that says where it was taken [%s]', async (_name, options) => {
    const place = {
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
      IFD0: { Make: 'Camera maker' },
    };
    const file = await photo.clone().jpeg(options).withExif(place).toBuffer();
    expect(file.includes('Camera maker')).toBe(true);
    const bare = bareJpeg(Buffer.concat([file, Buffer.from('a film of the moment')])) ?? Buffer.alloc(0);
    expect(bare.includes('Camera maker')).toBe(false);
    expect(bare.includes('a film of the moment')).toBe(false);
    expect((await sharp(bare).metadata()).exif).toBeUndefined();
    expect(await sharp(bare).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer());
  });

  it('is none where it is cut, or is something else', async () => {
    const file = await photo.clone().jpeg().toBuffer();
    for (const part of [file.subarray(0, file.length >> 1), file.subarray(1), Buffer.from('no picture')])
      expect(bareJpeg(part)).toBeNull();
  });
});
