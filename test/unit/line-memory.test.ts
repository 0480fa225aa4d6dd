import { expect, test } from 'vitest';
import type { SipAccount } from '../../server/adapters/providers/sip/account.ts';
import { lineResultOf } from '../../server/adapters/providers/sip/line-result.ts';
import type { CallOutcome } from '../../server/adapters/providers/sip/outcome-record.ts';
import {
  type LineMemory,
  limitsFromMemory,
  updateMemory,
} from '../../server/features/contacts/line-memory.ts';
import {
  type CallLimits,
  type LineResult,
  NO_LIMITS,
} from '../../server/features/contacts/line-memory-port.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 4, 4);
const best = { t38: true, ecm: true, mostRate: 14_400 };
const SOUND: CallLimits = { ...NO_LIMITS, withoutT38: true };

type Result = Partial<LineResult>;
const worked = (mode: LineResult['mode'], lineResult: Result = {}): Result => ({ mode, ...lineResult });
const trouble = (kind: LineResult['trouble'], mode: LineResult['mode'], lineResult: Result = {}): Result => ({
  trouble: kind,
  mode,
  ...lineResult,
});

/** A call as the memory has it made, and what it showed. */
function call(memory: LineMemory | null, lineResult: Result, now = NOW, account = 'sip:office1') {
  const limits = limitsFromMemory(memory, account, now);
  const whole = { best, mode: null, trouble: null, ...lineResult };
  return updateMemory(memory, { account, limits, lineResult: whole }, now);
}

/** Returns the limits of the next call after these results, in order. */
function after(...results: Result[]): CallLimits {
  const memory = results.reduce<LineMemory | null>((known, lineResult) => call(known, lineResult), null);
  return limitsFromMemory(memory, 'sip:office1', NOW);
}

test.each<[string, Result[], CallLimits]>([
  ['nothing is learned of a call that goes well', [worked('t38')], NO_LIMITS],
  ['sound after T.38 was asked for in vain: sound at once', [worked('audio')], SOUND],
  ['no T.38 was agreed on, twice: sound at once', [trouble('t38', 'audio'), trouble('t38', null)], SOUND],
  [
    'a trunk without T.38 goes as sound anyway',
    [worked('audio', { best: { ...best, t38: false } })],
    NO_LIMITS,
  ],
  ['one call with trouble may be chance', [trouble('pages', 't38')], NO_LIMITS],
  [
    'trouble, then all went well, then trouble again',
    [trouble('pages', 't38'), worked('t38'), trouble('pages', 't38')],
    NO_LIMITS,
  ],
  ['trouble twice over T.38: as sound', [trouble('pages', 't38'), trouble('training', 't38')], SOUND],
  [
    'trouble twice as sound: slower',
    [trouble('training', 'audio'), trouble('training', 'audio')],
    { ...NO_LIMITS, mostRate: 9600 },
  ],
  ['twice more: slower still', Array(4).fill(trouble('pages', 'audio')), { ...NO_LIMITS, mostRate: 4800 }],
  [
    'and when nothing is left: with the best settings again',
    Array(6).fill(trouble('pages', 'audio')),
    NO_LIMITS,
  ],
  [
    'error correction broke off twice: without it',
    [trouble('ecm', 'audio'), trouble('ecm', 'audio')],
    { ...NO_LIMITS, withoutEcm: true },
  ],
  [
    'first as sound, then slower',
    [...Array(2).fill(trouble('pages', 't38')), ...Array(2).fill(trouble('pages', 'audio'))],
    { ...SOUND, mostRate: 9600 },
  ],
  [
    'what got through is done again',
    [...Array(2).fill(trouble('ecm', 't38')), worked('t38'), worked('t38')],
    { ...NO_LIMITS, withoutEcm: true },
  ],
  [
    'a slow trunk is not made faster',
    Array(2).fill(trouble('pages', 'audio', { best: { ...best, mostRate: 7200 } })),
    { ...NO_LIMITS, mostRate: 4800 },
  ],
])('%s', (_rule, results, expected) => {
  expect(after(...results)).toEqual(expected);
});

test('a number is called with the best settings again after 90 days, and for another line at once', () => {
  const learned = call(null, worked('audio'));
  expect(learned).toMatchObject({ learnedAt: NOW, expiresAt: NOW + 90 * DAY });
  expect(limitsFromMemory(learned, 'sip:office2', NOW)).toEqual(NO_LIMITS);
  const later = call(learned, worked('audio'), NOW + 89 * DAY);
  // The same success again does not delay the next try with the best settings.
  expect(later).toEqual(learned);
  expect(limitsFromMemory(later, 'sip:office1', NOW + 89 * DAY)).toEqual(SOUND);
  expect(limitsFromMemory(later, 'sip:office1', NOW + 90 * DAY)).toEqual(NO_LIMITS);
  expect(call(later, worked('t38'), NOW + 90 * DAY)).toBeNull();
  expect(call(learned, worked('t38'), NOW, 'sip:office2')).toBeNull();
});

test('rule (contacts): trouble of a call that began before a setting was stored does not change the setting', () => {
  const learned = call(null, worked('audio'));
  const lineResult = { best, mode: 't38', trouble: 'pages' } as const;
  const before = { account: 'sip:office1', limits: NO_LIMITS, lineResult };
  expect(updateMemory(updateMemory(learned, before, NOW), before, NOW)).toEqual(learned);
  expect(updateMemory(null, { ...before, limits: SOUND }, NOW)).toBeNull();
});

const account = { t38: true, ecm: true, mostRate: 14_400 } as SipAccount;
const ended: CallOutcome = {
  status: 'SUCCESS',
  error: '',
  statusText: '',
  pages: 2,
  rateBps: 14_400,
  mode: 'audio',
  ecm: true,
  stationId: null,
  resolution: null,
  answeredAt: 1_000,
  endedAt: 1_060,
  cause: 16,
  sipStatus: null,
};

test.each<[string, Partial<CallOutcome>, Result | null]>([
  ['all pages arrived', {}, { mode: 'audio', trouble: null }],
  ['fewer pages were confirmed than were sent', { pages: 1 }, null],
  ['nobody answered', { status: '', pages: null, answeredAt: null }, null],
  [
    'a person answered',
    { status: 'FAILED', statusText: 'Timed out waiting for initial communication' },
    null,
  ],
  ['somebody hung up', { status: 'FAILED', statusText: 'The call dropped prematurely' }, null],
  [
    'somebody hung up right away',
    { status: 'FAILED', statusText: 'Failed to train with any of the compatible modems', endedAt: 1_002 },
    null,
  ],
  [
    'the machine cannot take the fax',
    { status: 'FAILED', statusText: 'Far end is not able to receive' },
    null,
  ],
  ['our image is unreadable', { status: 'FAILED', error: 'FILE_ERROR' }, null],
  ['no T.38 was agreed on', { status: 'FAILED', error: 'T38_NEG_ERROR' }, { trouble: 't38' }],
  ['T.38 was not switched to', { status: 'FAILED', statusText: 'T.38 switch failed' }, { trouble: 't38' }],
  [
    'no speed was found',
    { status: 'FAILED', statusText: 'Failed to train with any of the compatible modems' },
    { trouble: 'training' },
  ],
  [
    'error correction broke off',
    { status: 'FAILED', statusText: 'Invalid ECM response received from receiver' },
    { trouble: 'ecm' },
  ],
  [
    'a page was not confirmed',
    { status: 'FAILED', statusText: 'No response after sending a page', mode: 't38' },
    { trouble: 'pages', mode: 't38' },
  ],
])('what a call shows of its number: %s', (_what, outcome, lineResult) => {
  const found = lineResultOf(account, { ...ended, ...outcome }, 2);
  if (lineResult === null) expect(found).toBeNull();
  else expect(found).toMatchObject({ best, ...lineResult });
});
