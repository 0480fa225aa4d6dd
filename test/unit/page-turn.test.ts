import { describe, expect, it } from 'vitest';
import { asItIs, turnPage } from '../../renderer/parts/edit-pages/page-order.ts';
import type { PageMark } from '../../shared/page-edits.ts';

/** Width divided by height of a page of US Letter. */
const LETTER = 8.5 / 11;

const turnedTimes = (times: number, mark: PageMark) => {
  let sent = [{ ...asItIs(1), marks: [mark] }] as ReturnType<typeof turnPage>;
  for (let i = 0; i < times; i++) sent = turnPage(sent, 1, LETTER);
  return sent[0]?.marks[0];
};

describe('a page that is turned', () => {
  it('keeps a signature upright, as large as it was, at its place on the paper', () => {
    const box = { x: 0.2, y: 0.7, width: 0.3, height: 0.1 };
    const mark = { kind: 'signature', box, picture: 'one' } as const;
    const quarter = turnedTimes(1, mark);
    // 30 % of 8.5 inches are 23.18 % of 11 inches; the middle lies 25 % from the right and 35 % from the top.
    expect(quarter).toEqual({
      ...mark,
      box: { x: 0.1341, y: 0.2853, width: 0.2318, height: 0.1294 },
    });
    expect(turnedTimes(4, mark)).toEqual({
      ...mark,
      box: Object.fromEntries(Object.entries(box).map(([name, value]) => [name, expect.closeTo(value, 3)])),
    });
  });

  it('turns a black box with what it covers', () => {
    const box = { x: 0.2, y: 0.7, width: 0.3, height: 0.1 };
    expect(turnedTimes(1, { kind: 'redact', box })).toEqual({
      kind: 'redact',
      box: { x: 0.2, y: 0.2, width: 0.1, height: 0.3 },
    });
    expect(turnedTimes(4, { kind: 'redact', box })).toEqual({ kind: 'redact', box });
  });
});
