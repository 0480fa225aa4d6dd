import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import {
  type CountedEvents,
  createCountedEvents,
  listSecurityEvents,
  type SecurityEvent,
} from '../../server/features/audit/service.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { HOUR, ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { needPostgres } from '../setup/tools.ts';

const EVENT: SecurityEvent = {
  actor: { id: 'ada', name: 'Ada' },
  credentialKind: 'session',
  operation: 'document.opened',
  target: { kind: 'inbound_fax', id: 'f1' },
  outcome: 'done',
  policyVersion: 3,
  requestId: 'r1',
  details: { document: 'received fax' },
};

describe.each(['sqlite', 'postgres'] as const)('events that are counted, on %s', (kind) => {
  let database: Database;
  let clock: ManualClock;
  let counted: CountedEvents;
  const logged: string[] = [];
  const logger = createLogger({ write: (line) => void logged.push(line) });
  const gateway = () =>
    createCountedEvents({ db: database, clock, logger, seal: createSeal(new Uint8Array(32)) });

  /** Lists the stored events, oldest first. */
  const stored = async () => {
    const { items } = await listSecurityEvents(database.read, { limit: 50 });
    return items.toReversed().map(({ actor, target, count }) => [actor.id, target.id, count]);
  };
  const setWritable = (isWritable: boolean) => {
    const [from, to] = isWritable ? ['away', 'security_event'] : ['security_event', 'away'];
    return database.unrestricted.schema.alterTable(from).renameTo(to).execute();
  };

  beforeEach(async (context) => {
    const postgresUrl = kind === 'postgres' ? await needPostgres(context) : null;
    database = openDatabase({ postgresUrl, sqliteFile: ':memory:' });
    await migrate(database.unrestricted as never);
    clock = new ManualClock();
    counted = gateway();
    logged.length = 0;
  });

  afterEach(async () => {
    await counted?.stop();
    await database?.close();
  });

  it('rule (audit): frequent events are one record an hour, stored before the first is answered', async () => {
    await counted.count(EVENT);
    expect(await stored()).toEqual([['ada', 'f1', 1]]);
    const began = clock.now();
    clock.advance(MINUTE);
    for (let time = 0; time < 49; time += 1) await counted.count({ ...EVENT, requestId: `r${time}` });
    expect(await stored()).toEqual([['ada', 'f1', 1]]);
    await counted.flush();
    const { items } = await listSecurityEvents(database.read, { limit: 50 });
    expect(items).toEqual([
      {
        ...EVENT,
        id: expect.any(String),
        count: 50,
        occurredAt: new Date(began).toISOString(),
        lastAt: new Date(clock.now()).toISOString(),
        seq: 1,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
      },
    ]);
    clock.advance(HOUR);
    await counted.count(EVENT);
    expect(await stored()).toEqual([
      ['ada', 'f1', 50],
      ['ada', 'f1', 1],
    ]);
  });

  it('are distinguished by who, with what, what, to what, how it ended and details', async () => {
    const others: Partial<SecurityEvent>[] = [
      { actor: { id: 'eve', name: 'Eve' } },
      { credentialKind: 'key' },
      { operation: 'document.printed' },
      { target: { kind: 'inbound_fax', id: 'f2' } },
      { outcome: 'refused' },
      { details: {} },
    ];
    for (const other of [...others, ...others]) await counted.count({ ...EVENT, ...other });
    await counted.flush();
    expect((await stored()).map(([, , count]) => count)).toEqual(others.map(() => 2));
  });

  it('are one record whoever counts them, many at once and two gateways at once', async () => {
    const other = gateway();
    const both = Array.from({ length: 20 }, (_, n) => [
      counted.count({ ...EVENT, target: { kind: 'inbound_fax', id: `f${n % 2}` } }),
      other.count({ ...EVENT, target: { kind: 'inbound_fax', id: `f${(n + 1) % 2}` } }),
    ]);
    await Promise.all(both.flat());
    await Promise.all([counted.stop(), other.stop()]);
    const counts = (await stored()).map(([, , count]) => count);
    expect(counts).toEqual([20, 20]);
  });

  it('are written by themselves some seconds later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await counted.count(EVENT);
      await counted.count(EVENT);
      await vi.advanceTimersByTimeAsync(4_999);
      expect(await stored()).toEqual([['ada', 'f1', 1]]);
      await vi.advanceTimersByTimeAsync(1);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(stored).toEqual([['ada', 'f1', 2]]);
  });

  it('keep the last time, whichever gateway writes last', async () => {
    const other = gateway();
    await counted.count(EVENT);
    await counted.count(EVENT);
    clock.advance(MINUTE);
    const last = new Date(clock.now()).toISOString();
    await other.count(EVENT);
    await counted.flush();
    const { items } = await listSecurityEvents(database.read, { limit: 50, since: last });
    expect(items.map(({ count, lastAt }) => [count, lastAt])).toEqual([[3, last]]);
    await other.stop();
  });

  it('wait while the store cannot be written, which is said, and keep nobody from reading', async () => {
    await setWritable(false);
    await counted.count(EVENT);
    await counted.count(EVENT);
    await counted.count({ ...EVENT, actor: { id: 'eve', name: 'Eve' } });
    await expect(counted.flush()).rejects.toThrow(/security_event/);
    const since = new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ');
    expect(counted.warnings()).toEqual([
      `The security audit has not been written since ${since} UTC: 2 records wait in memory and will be written as soon as possible.`,
    ]);
    expect(logged).toHaveLength(1);
    await setWritable(true);
    await counted.flush();
    expect(counted.warnings()).toEqual([]);
    expect(await stored()).toEqual([
      ['ada', 'f1', 2],
      ['eve', 'f1', 1],
    ]);
  });

  it('throw and count nothing where the record is required', async () => {
    await setWritable(false);
    await counted.count(EVENT);
    await expect(counted.count(EVENT, { isRequired: true })).rejects.toThrow(/security_event/);
    const eve = { ...EVENT, actor: { id: 'eve', name: 'Eve' } };
    await expect(counted.count(eve, { isRequired: true })).rejects.toThrow(/security_event/);
    await setWritable(true);
    await counted.flush();
    expect(await stored()).toEqual([['ada', 'f1', 1]]);
  });
});
