import { describe, expect, test } from 'vitest';
import { visualOrder } from '../../server/documents/pdf/visual-order.ts';

const codes = (text: string) => [...text].map((sign) => sign.codePointAt(0)?.toString(16));

describe('a line of text', () => {
  test.each([
    ['Dr. Müller (12)', 'Dr. Müller (12)'],
    ['אבג', 'גבא'],
    ['Kanzlei אבג 12', 'Kanzlei 12 גבא'],
    ['אבג (Acme) 12.5', '12.5 (Acme) גבא'],
    ['אבג (דה) 1-2', '1-2 (הד) גבא'],
    ['Acme (אב) end', 'Acme (בא) end'],
    ['東京 אב', '東京 בא'],
  ])('%s is drawn from left to right as %s', (text, drawn) => {
    expect(visualOrder(text)).toBe(drawn);
  });

  test('has the forms of Arabic letters that join', () => {
    expect(codes(visualOrder('سلام'))).toEqual(['fee1', 'fefc', 'feb3']);
    expect(codes(visualOrder('نور'))).toEqual(['fead', 'feee', 'fee7']);
  });

  test('takes time that grows with its length', () => {
    const begun = performance.now();
    for (const text of ['א(b) '.repeat(20_000), `א${' '.repeat(200_000)}b`, `א${'('.repeat(100_000)}`])
      expect(visualOrder(text)).toHaveLength(text.length);
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});
