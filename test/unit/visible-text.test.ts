import { expect, test } from 'vitest';
import { INVISIBLE_CHARACTERS, VISIBLE_LINE, VISIBLE_TEXT } from '../../shared/visible-text.ts';

test.each(['Anna Müller', '漢字', 'Ana & Söhne, Zürich', 'שלום', ''])(
  '%j is a line that can be seen',
  (text) => {
    expect(VISIBLE_LINE.test(text)).toBe(true);
  },
);

test.each([
  ['turns the writing direction', 'gnp.\u202efdp'],
  ['ends a turn', 'a\u2069b'],
  ['has no width', 'a\u200bb'],
  ['joins', 'a\u200db'],
  ['marks the byte order', '\ufeffa'],
  ['fills', 'a\u3164'],
  ['separates lines', 'a\u2028b'],
  ['controls', 'a\u0007b'],
  ['is a tag', 'a\u{e0041}'],
])('a character that %s cannot', (_what, text) => {
  expect(VISIBLE_LINE.test(text)).toBe(false);
  expect(VISIBLE_TEXT.test(text)).toBe(false);
  expect(VISIBLE_LINE.test(text.replaceAll(INVISIBLE_CHARACTERS, ''))).toBe(true);
});

test('a note may have several lines', () => {
  expect([VISIBLE_TEXT.test('a\nb'), VISIBLE_LINE.test('a\nb')]).toEqual([true, false]);
});
