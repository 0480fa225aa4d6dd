import { expect, test } from 'vitest';
import { nearestPaper } from '../../main/printing.ts';

test('a fax is printed on the paper that comes closest to its page', () => {
  const inches = (width: number, height: number) => nearestPaper({ width: width * 72, height: height * 72 });
  expect(inches(8.27, 11.69)).toBe('A4');
  expect(inches(8.47, 11)).toBe('Letter');
  expect(inches(8.47, 11.66)).toBe('A4');
  expect(inches(8.47, 14)).toBe('Legal');
  expect(inches(8.47, 30)).toBe('Legal');
  expect(inches(8.47, 2)).toBe('Letter');
});
