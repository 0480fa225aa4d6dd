import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  connectionState,
  onReconnect,
  recordConnection,
  watchConnection,
} from '../../renderer/api/connection.ts';

const NOON = Date.parse('2026-11-21T12:11:00.000Z');
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
  stop = watchConnection();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a window without a sign of life for five seconds is not connected since the last one', () => {
  recordConnection('live');
  vi.advanceTimersByTime(4_900);
  recordConnection('live');
  vi.advanceTimersByTime(4_900);
  expect(connectionState()).toEqual({ connection: 'live', lostSince: null });
  vi.advanceTimersByTime(200);
  expect(connectionState()).toEqual({ connection: 'lost', lostSince: NOON + 4_900 });
});

test('a window that never had a sign of life is not connected since it was opened', () => {
  vi.advanceTimersByTime(5_000);
  expect(connectionState()).toEqual({ connection: 'lost', lostSince: NOON });
});

test('a window that slept first receives what waited for it', () => {
  recordConnection('live');
  // The timer runs only after a minute of sleep, together with what arrived.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 65_000);
  vi.advanceTimersByTime(5_000);
  vi.mocked(performance.now).mockRestore();
  expect(connectionState().connection).toBe('live');
  recordConnection('live');
  vi.advanceTimersByTime(4_000);
  expect(connectionState().connection).toBe('live');
});

test('a window that slept and finds nothing is not connected a second later', () => {
  recordConnection('live');
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 65_000);
  vi.advanceTimersByTime(5_000);
  now.mockReturnValue(performance.now() + 1_000);
  vi.advanceTimersByTime(1_000);
  now.mockRestore();
  expect(connectionState().connection).toBe('lost');
});

test('a window that was lost reports once that it is back', () => {
  const back: boolean[] = [];
  const end = onReconnect((wasLost) => back.push(wasLost));
  recordConnection('live');
  recordConnection('lost');
  recordConnection('lost');
  recordConnection('polling');
  recordConnection('polling');
  recordConnection('live');
  end();
  expect(back).toEqual([true, false]);
  expect(connectionState().lostSince).toBeNull();
});

test('a window that is still connecting gives no sign of life', () => {
  vi.advanceTimersByTime(4_000);
  recordConnection('connecting');
  vi.advanceTimersByTime(1_000);
  expect(connectionState().connection).toBe('lost');
});
