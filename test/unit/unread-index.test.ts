import { expect, test } from 'vitest';
import { createUnreadIndex } from '../../server/features/inbound/unread-index.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';

const reader = (given: Parameters<typeof fakeCaller>[0] = {}) => fakeCaller({ id: 'ann', ...given });

const fax = (received_at: string, id = 'fax-1') => ({ received_at, id });

test('unread faxes are among those that were found and what came since, with a margin', () => {
  const clock = new ManualClock('2026-11-21T09:00:00.000Z');
  const floor = createUnreadIndex(clock, true);
  expect(floor.rangeOf(reader())).toBeUndefined();
  floor.store(reader(), [fax('2026-11-21T08:30:00.000Z', 'new'), fax('2026-10-01T00:00:00.000Z', 'old')]);
  expect(floor.rangeOf(reader())).toEqual({ oldestUnread: '2026-11-21T08:00:00.000Z', older: ['old'] });
});

test('a document that comes late, a mark, another key and another grant make old faxes new', () => {
  const floor = createUnreadIndex(new ManualClock('2026-11-21T09:00:00.000Z'), true);
  floor.store(reader(), []);
  floor.add(fax('2026-01-01T00:00:00.000Z', 'late'));
  floor.add(fax('2026-11-21T08:59:00.000Z', 'now'));
  expect(floor.rangeOf(reader())?.older).toEqual(['late']);
  expect(floor.rangeOf(reader({ policyVersion: 2 }))).toBeUndefined();
  expect(floor.rangeOf(reader({ credential: { kind: 'key', id: 'other' } }))).toBeUndefined();
  floor.forget('ben');
  expect(floor.rangeOf(reader())).toBeDefined();
  floor.forget('ann');
  expect(floor.rangeOf(reader())).toBeUndefined();
});

test('where other gateways share the store it is good for a minute', () => {
  const clock = new ManualClock();
  const floor = createUnreadIndex(clock, false);
  floor.store(reader(), []);
  clock.advance(MINUTE - 1);
  expect(floor.rangeOf(reader())).toBeDefined();
  clock.advance(1);
  expect(floor.rangeOf(reader())).toBeUndefined();
  clock.advance(-HOUR);
  expect(floor.rangeOf(reader())).toBeUndefined();
});
