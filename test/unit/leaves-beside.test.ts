import { expect, test } from 'vitest';
import { sendTogetherOf } from '../../renderer/features/outbound-send/number/send-together.ts';

const NO_OPTIONS = { urgent: false, sendAt: '', sendNow: false, byCall: false };
const check = { internal: false, direct: false, together_minutes: 30 };
const at = '2026-11-21T18:30';

test.each([
  ['waits for others', check, {}, { kind: 'waits', minutes: 30 }],
  ['is sent now', check, { sendNow: true }, { kind: 'now' }],
  ['is urgent', check, { urgent: true }, { kind: 'urgent' }],
  ['is urgent and sent now', check, { urgent: true, sendNow: true }, { kind: 'urgent' }],
  ['is scheduled', check, { sendAt: at }, { kind: 'scheduled' }],
  ['is scheduled and sent now', check, { sendAt: at, sendNow: true }, { kind: 'scheduled' }],
  ['goes to a number that sends each alone', { ...check, together_minutes: 0 }, {}, null],
  ['goes directly to a partner', { ...check, direct: true }, {}, null],
  ['goes to our own number', { ...check, internal: true }, {}, null],
  [
    'goes to our own number by call',
    { ...check, internal: true },
    { byCall: true },
    { kind: 'waits', minutes: 30 },
  ],
  ['goes to a number that is not read yet', null, {}, null],
])('a fax to a number whose faxes leave together that %s', (_how, known, options, leaves) => {
  expect(sendTogetherOf(known, { ...NO_OPTIONS, ...options }, false)).toEqual(leaves);
});

test('a fax that is held leaves beside no other', () => {
  expect(sendTogetherOf(check, NO_OPTIONS, true)).toBeNull();
});
