import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import {
  createSecurityAudit,
  listSecurityEvents,
  type SecurityEvent,
} from '../../server/features/audit/service.ts';
import { needPostgres } from '../setup/tools.ts';

const EVENT: SecurityEvent = {
  actor: { id: 'ada', name: 'Ada' },
  credentialKind: 'session',
  operation: 'user.create',
  target: { kind: 'user', id: 'bob' },
  outcome: 'done',
  policyVersion: 3,
  requestId: 'r1',
};

describe.each(['sqlite', 'postgres'] as const)('the security audit on %s', (kind) => {
  let database: Database;
  let now = 0;
  const audit = createSecurityAudit({ clock: { now: () => now } });
  const record = async (event: Partial<SecurityEvent> = {}) => {
    now += 1000;
    await database.transaction((tx) => audit.record(tx, { ...EVENT, ...event }));
  };

  beforeEach(async (context) => {
    const postgresUrl = kind === 'postgres' ? await needPostgres(context) : null;
    database = openDatabase({ postgresUrl, sqliteFile: ':memory:' });
    await migrate(database.unrestricted as never);
    now = Date.UTC(2026, 9, 1);
  });

  afterEach(async () => {
    await database?.close();
  });

  it('keeps every fact of an event', async () => {
    await record({ details: { role: 'role_owner', names: ['a'] } });
    const { items } = await listSecurityEvents(database.read, { limit: 10 });
    expect(items).toEqual([
      {
        ...EVENT,
        id: expect.any(String),
        occurredAt: '2026-10-01T00:00:01.000Z',
        lastAt: '2026-10-01T00:00:01.000Z',
        seq: 1,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
        count: 1,
        details: { role: 'role_owner', names: ['a'] },
      },
    ]);
  });

  it('keeps nothing of a transaction that failed', async () => {
    const failing = database.transaction(async (tx) => {
      await audit.record(tx, EVENT);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await listSecurityEvents(database.read, { limit: 10 })).items).toEqual([]);
  });

  it('lists newest first, page by page, without gaps or repeats at equal times', async () => {
    const operations = ['key.create', 'key.change', 'key.rotate', 'key.approve', 'key.revoke'] as const;
    for (const operation of operations) {
      if (operation === 'key.rotate' || operation === 'key.approve') now -= 1000;
      await record({ operation });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSecurityEvents(database.read, { limit: 2, cursor });
      seen.push(...page.items.map((item) => item.operation));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(operations.toReversed());
  });

  it('finds the events of an actor, a target or an operation', async () => {
    await record();
    await record({ actor: { id: 'eve', name: 'Eve' }, outcome: 'refused' });
    await record({ target: { kind: 'user', id: 'carol' }, operation: 'user.change' });
    const count = async (query: object) =>
      (await listSecurityEvents(database.read, { limit: 10, ...query })).items.length;
    expect(await count({ actorId: 'eve' })).toBe(1);
    expect(await count({ targetId: 'bob' })).toBe(2);
    expect(await count({ operations: ['user.change'] })).toBe(1);
    expect(await count({ operations: ['user.change'], actorId: 'eve' })).toBe(0);
    expect(await count({ outcome: 'refused' })).toBe(1);
    expect(await count({ since: '2026-10-01T00:00:02.000Z', until: '2026-10-01T00:00:03.000Z' })).toBe(1);
  });

  // PostgreSQL reads so small a table whole, whatever indexes it has.
  if (kind === 'sqlite')
    it('reads every page from an index', async () => {
      const equals = ['actor_id', 'target_id', 'operation', 'outcome'].map((name) => `where ${name} = 'a'`);
      for (const filter of ['', `where occurred_at >= 'a' and occurred_at < 'b'`, ...equals]) {
        const query = `explain query plan select * from security_event ${filter} order by occurred_at desc, id desc limit 3`;
        const { rows } = await sql.raw<{ detail: string }>(query).execute(database.unrestricted);
        const plan = rows.map((row) => row.detail).join('; ');
        expect(plan).toContain('USING INDEX security_event_');
        expect(plan).not.toContain('TEMP B-TREE');
      }
    });
});
