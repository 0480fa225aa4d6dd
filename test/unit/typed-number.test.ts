import { expect, test } from 'vitest';
import { typedNumber } from '../../renderer/parts/settings/typed-number.ts';

const TYPED: readonly (readonly [text: string, setting: string, number: number | null])[] = [
  ['25', 'MAX_FILE_SIZE_MB', 25],
  ['1,000', 'MAX_REQUESTS_PER_MINUTE', 1000],
  ['1 000', 'MAX_REQUESTS_PER_MINUTE', 1000],
  ['1.000', 'MAX_REQUESTS_PER_MINUTE', 1000],
  ["1'000'000", 'MAX_REQUESTS_PER_MINUTE', 1_000_000],
  ['2 MB', 'MAX_FILE_SIZE_MB', 2],
  ['2MB', 'MAX_FILE_SIZE_MB', 2],
  ['2 megabytes', 'MAX_FILE_SIZE_MB', 2],
  ['1.5 GB', 'MAX_FILE_SIZE_MB', 1536],
  ['1,5 GB', 'MAX_FILE_SIZE_MB', 1536],
  ['1.5 hours', 'IDLE_LOCK_MINUTES', 90],
  ['10 min', 'IDLE_LOCK_MINUTES', 10],
  ['4 h', 'WORK_ACKNOWLEDGE_HOURS', 4],
  ['1.5 days', 'WORK_ACKNOWLEDGE_HOURS', 36],
  ['90 min', 'WORK_ACKNOWLEDGE_HOURS', null],
  ['2 weeks', 'ARTIFACT_TTL_DAYS', 14],
  ['1 year', 'ARTIFACT_TTL_DAYS', 365],
  ['1.5', 'MAX_FILE_SIZE_MB', null],
  ['0.3 MB', 'MAX_FILE_SIZE_MB', null],
  ['2 MB', 'HTTPS_PORT', null],
  ['2 days', 'MAX_FILE_SIZE_MB', null],
  ['1,2,3', 'MAX_FILE_SIZE_MB', null],
  ['-5', 'MAX_FILE_SIZE_MB', null],
  ['a few', 'MAX_FILE_SIZE_MB', null],
  ['', 'MAX_FILE_SIZE_MB', null],
];

test.each(TYPED)('%j for %s is %s', (text, setting, number) => {
  expect(typedNumber(text, setting)).toBe(number);
});
