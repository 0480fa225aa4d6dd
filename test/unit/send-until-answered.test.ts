import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordConnection, watchConnection } from '../../renderer/api/connection.ts';
import { sendUntilAnswered } from '../../renderer/api/send-until-answered.ts';

let stop: () => void;
let isCut: boolean;
let requests: number;

beforeEach(() => {
  vi.useFakeTimers();
  stop = watchConnection();
  recordConnection('live');
  isCut = true;
  requests = 0;
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Marks an item as done, by a request whose version permits to repeat it. */
function markDone(): Promise<string> {
  const send = async () => {
    requests += 1;
    if (isCut) throw new TypeError('Failed to fetch');
    return new Response('{}');
  };
  const answer = sendUntilAnswered(send, '/work/1/done', { method: 'POST', body: '{"version":1}' });
  return answer.then(
    ({ response }) => String(response.status),
    () => 'given up',
  );
}

test('an act is repeated when the connection was lost and came back between two repetitions', async () => {
  const outcome = markDone();
  // The third repetition has failed, and the next one is four seconds away.
  await vi.advanceTimersByTimeAsync(4_000);
  expect(requests).toBe(4);
  await vi.advanceTimersByTimeAsync(2_000);
  recordConnection('lost');
  isCut = false;
  recordConnection('live');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toBe('200');
});

test('an act is repeated three times while the gateway answers everything else, and given up then', async () => {
  const outcome = markDone();
  const signs = setInterval(() => recordConnection('live'), 1_000);
  await vi.advanceTimersByTimeAsync(60_000);
  clearInterval(signs);
  expect([await outcome, requests]).toEqual(['given up', 4]);
});

test('an act waits for the gateway, and is given up after ten minutes', async () => {
  const outcome = markDone();
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  const before = requests;
  expect(before).toBe(4);
  await vi.advanceTimersByTimeAsync(90_000);
  expect([await outcome, requests]).toEqual(['given up', before]);
});
