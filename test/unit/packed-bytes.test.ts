import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createNameSet } from '../../server/platform/name-set.ts';
import { createPackedBytes, createPackedTexts } from '../../server/platform/packed-bytes.ts';

describe('Packed bytes', () => {
  it.each([0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 300_000])(
    'are read as they were added, twice [%i]',
    (length) => {
      const packed = createPackedBytes();
      const pieces: Buffer[] = [];
      for (let left = length; left > 0; left -= 70_001) pieces.push(randomBytes(Math.min(left, 70_001)));
      for (const piece of pieces) packed.add(piece);
      expect(packed.sizeBytes).toBe(length);
      for (const _ of [1, 2])
        expect(Buffer.concat([...packed.read()]).equals(Buffer.concat(pieces))).toBe(true);
    },
  );
});

describe('Packed texts', () => {
  it('are read in their order, also empty ones and those that lie in two blocks', () => {
    const texts = Array.from({ length: 30_000 }, (_, at) => (at % 100 === 0 ? '' : `files/fax/ä\n${at}.pdf`));
    const packed = createPackedTexts();
    for (const text of texts) packed.add(text);
    expect(packed.count).toBe(texts.length);
    expect([...packed.read()]).toEqual(texts);
    expect([...createPackedTexts().read()]).toEqual([]);
  });
});

describe('A set of names', () => {
  it('has each name once', () => {
    const names = createNameSet();
    const added = Array.from({ length: 20_000 }, (_, at) => names.add(`fax/${at % 12_345}.pdf`));
    expect(added.filter(Boolean)).toHaveLength(12_345);
    expect(added.slice(0, 12_345).every(Boolean)).toBe(true);
    expect(names.size).toBe(12_345);
    expect([names.has('fax/12344.pdf'), names.has('fax/12345.pdf')]).toEqual([true, false]);
  });
});
