import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteTx } from '../../server/db/database.ts';
import { effectiveGrants, grantSources, possibleGrants } from '../../server/features/access/store/grants.ts';
import { groupsOf, lastSeen, listPeople, updatePerson } from '../../server/features/access/store/people.ts';
import {
  findPrincipalRow,
  findPrincipals,
  insertPrincipal,
} from '../../server/features/access/store/principals.ts';
import { listSessions } from '../../server/features/access/store/sessions.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const AT = '2026-10-05T08:00:00.000Z';
const stamps = { version: 1, created_at: AT, updated_at: AT };

async function addPrincipal(
  tx: WriteTx,
  id: string,
  display_name: string,
  kind: 'user' | 'integration',
): Promise<void> {
  const login = kind === 'user' ? id : null;
  const signIn = { password_hash: null, password_change_required: 0 } as const;
  await insertPrincipal(tx, { id, kind, login, display_name, enabled: 1, ...signIn, ...stamps });
}

async function addSession(tx: WriteTx, id: string, principal_id: string, used: string): Promise<void> {
  await tx
    .insertInto('session')
    .values({
      id,
      token_hash: id,
      principal_id,
      source_kind: 'password',
      source_key_id: null,
      address: '127.0.0.1',
      device: '',
      created_at: AT,
      last_used_at: used,
      expires_at: '2026-10-05T20:00:00.000Z',
      revoked_at: null,
    })
    .execute();
}

describe.each(STORES)(`people on %s${withoutPostgres}`, (name) => {
  let store: TestStore;

  beforeAll(async () => {
    store = await openStore(name);
    await store.db.transaction(async (tx) => {
      await addPrincipal(tx, 'ada', 'Ada Ångström', 'user');
      await addPrincipal(tx, 'bob', 'Bob', 'user');
      await addPrincipal(tx, 'lab-2', 'Lab 50%', 'integration');
      await addPrincipal(tx, 'lab-1', 'Lab 50%', 'integration');
      await addSession(tx, 's1', 'ada', '2026-10-05T09:00:00.000Z');
      await addSession(tx, 's2', 'ada', '2026-10-05T08:30:00.000Z');
      await addSession(tx, 's3', 'bob', '2026-10-05T08:10:00.000Z');
      const role = {
        name: 'Sender',
        description: '',
        built_in: 0,
        hidden: 0,
        requires_two_factor: 0,
      } as const;
      await tx
        .insertInto('role')
        .values({ id: 'sender', ...role, enabled: 1, ...stamps })
        .execute();
      await tx.insertInto('role_permission').values({ role_id: 'sender', permission: 'fax:send' }).execute();
      await tx
        .insertInto('principal_group')
        .values({ id: 'desk', name: 'Front desk', description: '', enabled: 1, ...stamps })
        .execute();
      await tx
        .insertInto('group_member')
        .values({ id: 'm1', group_id: 'desk', principal_id: 'ada', version: 1, created_at: AT })
        .execute();
      const given = { role_id: 'sender', version: 1, created_at: AT };
      const grants = [
        { id: 'a1', subject_kind: 'principal', subject_id: 'ada', resource_id: 'mailbox:one', ...given },
        { id: 'a2', subject_kind: 'group', subject_id: 'desk', resource_id: 'installation', ...given },
      ] as const;
      await tx
        .insertInto('assignment')
        .values([...grants])
        .execute();
    });
  });

  afterAll(() => store.close());

  const list = async (filter: object) => {
    const { items, next_cursor } = await listPeople(store.db.read, { kind: null, limit: 10, ...filter });
    return { ids: items.map((row) => row.id), next_cursor };
  };

  it('are listed by name, and by id where names are alike', async () => {
    const first = await list({ limit: 3 });
    expect(first.ids).toEqual(['ada', 'bob', 'lab-1']);
    expect(await list({ limit: 3, cursor: first.next_cursor })).toEqual({
      ids: ['lab-2'],
      next_cursor: null,
    });
    expect((await list({ kind: 'integration' })).ids).toEqual(['lab-1', 'lab-2']);
  });

  it('are found by part of a name or login, whatever its letters and signs', async () => {
    expect((await list({ texts: ['ångs'] })).ids).toEqual(['ada']);
    expect((await list({ texts: ['0%'] })).ids).toEqual(['lab-1', 'lab-2']);
    expect((await list({ texts: ['%b'] })).ids).toEqual([]);
    expect((await list({ texts: ['bob'], enabled: false })).ids).toEqual([]);
  });

  it('were last seen when a session or key of theirs was', async () => {
    const seen = await lastSeen(store.db.read, ['ada', 'bob', 'lab-1']);
    expect(Object.fromEntries(seen)).toEqual({
      ada: '2026-10-05T09:00:00.000Z',
      bob: '2026-10-05T08:10:00.000Z',
    });
    expect((await lastSeen(store.db.read, [])).size).toBe(0);
  });

  it('hold what they and their groups were given, with its sources', async () => {
    const sources = await grantSources(store.db.read, 'ada');
    expect(sources.map((one) => [one.assignment_id, one.resource_id, one.role_name, one.group_name])).toEqual(
      [
        ['a1', 'mailbox:one', 'Sender', null],
        ['a2', 'installation', 'Sender', 'Front desk'],
      ],
    );
    expect((await groupsOf(store.db.read, 'ada')).map((one) => one.name)).toEqual(['Front desk']);
    await store.db.transaction(async (tx) => {
      await tx.updateTable('principal_group').set({ enabled: 0 }).where('id', '=', 'desk').execute();
    });
    const now = await effectiveGrants(store.db.read, 'ada');
    expect([...now.keys()]).toEqual(['mailbox:one']);
    const later = await possibleGrants(store.db.read, 'ada');
    expect([...later.keys()].sort()).toEqual(['installation', 'mailbox:one']);
  });

  it('have sessions, of which some are open', async () => {
    const wanted = { principalId: null, sourceKeyId: null, after: null, limit: 10 };
    const open = {
      now: '2026-10-05T09:10:00.000Z',
      begunAfter: '2026-10-04T21:10:00.000Z',
      usedAfter: '2026-10-05T08:20:00.000Z',
    };
    const ids = async (page: object) =>
      (await listSessions(store.db.read, { ...wanted, ...page })).map((session) => session.id);
    expect(await ids({})).toEqual(['s3', 's2', 's1']);
    expect(await ids({ open })).toEqual(['s2', 's1']);
    expect(await ids({ after: { createdAt: AT, id: 's2' } })).toEqual(['s1']);
    const owners = await findPrincipals(store.db.read, ['ada', 'bob', 'nobody']);
    expect([...owners.keys()].sort()).toEqual(['ada', 'bob']);
  });

  it('change only as they were read', async () => {
    const before = await findPrincipalRow(store.db.read, 'bob');
    if (!before) throw new Error('Bob is gone');
    const rename = (display_name: string) =>
      store.db.transaction((tx) => updatePerson(tx, before, { display_name }, AT));
    expect(await rename('Robert')).toMatchObject({ display_name: 'Robert', version: 2, login: 'bob' });
    expect(await rename('Rob')).toBeNull();
    expect((await list({ texts: ['robert bob'] })).ids).toEqual(['bob']);
  });

  // PostgreSQL reads so small a table whole, whatever indexes it has.
  if (name === 'sqlite')
    it('are read from an index, and so are their sessions', async () => {
      const plans = {
        principal_of_kind: `select * from principal where kind = 'user' order by display_name, id`,
        principal_by_name: `select * from principal where kind != 'bootstrap' order by display_name, id`,
        session_by_age: 'select * from session order by created_at desc, id desc',
        session_of_principal: `select principal_id, max(last_used_at) from session where principal_id in ('a', 'b') group by principal_id`,
        api_key_of_principal: `select principal_id, max(last_used_at) from api_key where principal_id in ('a', 'b') group by principal_id`,
      };
      for (const [index, query] of Object.entries(plans)) {
        const { rows } = await sql
          .raw<{ detail: string }>(`explain query plan ${query}`)
          .execute(store.db.unrestricted);
        const plan = rows.map((row) => row.detail).join('; ');
        expect(plan).toContain(`USING INDEX ${index}`);
        expect(plan).not.toContain('TEMP B-TREE');
      }
    });
});
