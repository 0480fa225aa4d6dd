import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEventRing, type EventRing } from '../../server/features/console/event-ring.ts';
import { createEventStreams, type EventStreams } from '../../server/features/console/event-streams.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';

const mayReceive = () => true;
const fax = (number: number) =>
  ({
    kind: 'fax.changed',
    data: { id: `fax-${number}`, delivery_version: 1 },
    mayReceive,
  }) as const;

describe('the ring of events', () => {
  test('keeps the newest and detects a position that it no longer keeps', () => {
    const ring = createEventRing('epoch', 100);
    for (let number = 1; number <= 5_000; number += 1) ring.add(fax(number));
    expect(ring.positionOf('epoch-4900')).toBe(4_900);
    expect(ring.after(4_900, 1_000)).toHaveLength(100);
    expect(ring.after(4_998, 1_000).map(({ position }) => position)).toEqual([4_999, 5_000]);
    expect(ring.after(5_000, 1_000)).toEqual([]);
    for (const id of ['epoch-3000', 'epoch-5001', 'epoch-', 'epoch--1', 'other-4950', 'epoch-1e3', ''])
      expect([id, ring.positionOf(id)]).toEqual([id, null]);
  });

  test('has no earlier position after it was cleared', () => {
    const ring = createEventRing('epoch');
    ring.add(fax(1));
    ring.forget();
    expect(ring.positionOf('epoch-1')).toBeNull();
    const position = ring.last;
    ring.add(fax(2));
    expect(ring.after(position, 10)).toEqual([{ position: position + 1, ...fax(2) }]);
  });
});

describe('a stream', () => {
  let server: Server;
  let ring: EventRing;
  let streams: EventStreams;
  let clock: ManualClock;
  let uptime: number;
  let answer: ServerResponse;
  let arrived: IncomingMessage;

  beforeEach(async () => {
    ring = createEventRing('epoch');
    clock = new ManualClock();
    uptime = 0;
    streams = createEventStreams({ ring, clock, uptime: () => uptime });
    server = createServer((_request, response) => {
      answer = response;
      const caller = fakeCaller({ id: 'one' });
      response.flushHeaders();
      streams.open(response, { caller, again: async () => caller, after: undefined });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sending = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    sending.on('error', () => undefined);
    sending.end();
    [arrived] = (await once(sending, 'response')) as [IncomingMessage];
    arrived.on('error', () => undefined);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Far more than the systems at both ends take without being read. */
  async function flood(): Promise<void> {
    for (let number = 1; number <= 300_000; number += 1) {
      ring.add(fax(number));
      if (number % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test('whose reader takes nothing holds no memory, and is let go after a while', async () => {
    arrived.pause();
    await flood();
    expect(answer.writableLength).toBeLessThan(256 * 1024);
    clock.advance(29 * SECOND);
    await streams.maintain();
    expect(streams.count).toBe(1);
    clock.advance(2 * SECOND);
    await streams.maintain();
    await expect.poll(() => streams.count).toBe(0);
  });

  test('whose reader was too slow goes on with a reset', async () => {
    arrived.pause();
    await flood();
    let text = '';
    arrived.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    arrived.resume();
    await expect.poll(() => text.includes('event: reset')).toBe(true);
    ring.add(fax(0));
    await expect.poll(() => text.endsWith('{"id":"fax-0","delivery_version":1}\n\n')).toBe(true);
    expect(text.split('event: reset')).toHaveLength(2);
  });

  test('shows a sign of life when two seconds have passed, also while the clock is set back', async () => {
    let text = '';
    arrived.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const pings = () => text.split(': ping\n').length - 1;
    uptime = 1_900;
    await streams.maintain();
    clock.advance(-60 * SECOND);
    uptime = 2_000;
    await streams.maintain();
    await expect.poll(pings).toBe(1);
    uptime = 3_900;
    await streams.maintain();
    uptime = 4_100;
    await streams.maintain();
    await expect.poll(pings).toBe(2);
  });

  test('ends when the gateway stops, and no other begins', async () => {
    let ended = false;
    arrived.resume().on('end', () => (ended = true));
    streams.stop();
    await expect.poll(() => ended).toBe(true);
    expect(() => streams.assertCapacity(fakeCaller({ id: 'two' }))).toThrow('stopping');
  });
});
