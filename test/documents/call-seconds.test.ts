import { expect, it } from 'vitest';
import { callSeconds } from '../../server/documents/call-seconds.ts';

it('reckons a full text page at about a minute from dialling', () => {
  expect(callSeconds([58_800])).toBeCloseTo(15 + 12 + 34.3 + 3.5, 1);
});

it('adds four seconds between pages', () => {
  expect(callSeconds([1440, 1440, 1440]) - callSeconds([4320])).toBeCloseTo(8, 6);
});

it('counts dialling and hanging up alone when there is no page', () => {
  expect(callSeconds([])).toBe(30.5);
});
