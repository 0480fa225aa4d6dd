import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assignedResources,
  deleteAssignment,
  findAssignment,
  grantsGivenTo,
  listAssignments,
  resourcesOfRole,
} from '../../server/features/access/store/assignments.ts';
import { insertAssignment } from '../../server/features/access/store/grants.ts';
import {
  insertGroup,
  insertMember,
  listGroups,
  listMembers,
  updateGroup,
} from '../../server/features/access/store/groups.ts';
import { listMailboxes, listRules } from '../../server/features/access/store/mailbox-pages.ts';
import { insertInboundRule, insertMailbox } from '../../server/features/access/store/mailboxes.ts';
import { insertPrincipal } from '../../server/features/access/store/principals.ts';
import { insertRole, listRoles, updateRole } from '../../server/features/access/store/roles.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const AT = '2026-11-21T09:00:00.000Z';
const stamps = { version: 1, created_at: AT, updated_at: AT };
const NAMES = ['émile', 'Zoe', 'anna', 'Émile', 'ben', 'Anna 2', '10', '9', '_x', 'zoe'];
const GROUP = 'group-anna';

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** All pages of three, one after another. */
async function walk<T>(read: (page: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const seen: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor === null ? { limit: 3 } : { limit: 3, cursor });
    seen.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return seen;
}

const role = (name: string, flags: { built_in?: 0 | 1; hidden?: 0 | 1 } = {}) => ({
  id: `role-${name}`,
  name,
  description: '',
  built_in: 0 as const,
  hidden: 0 as const,
  enabled: 1 as const,
  requires_two_factor: 0 as const,
  ...flags,
  ...stamps,
});

async function fill(store: TestStore): Promise<void> {
  await store.db.transaction(async (tx) => {
    for (const name of NAMES) {
      const named = { name, description: '', enabled: 1 as const, ...stamps };
      await insertGroup(tx, { id: `group-${name}`, ...named });
      await insertRole(tx, role(name), ['fax:send', 'inbound:list', 'tunnels:manage']);
      await insertMailbox(tx, { id: `box-${name}`, label: name, enabled: 1, cover_id: null, ...stamps });
    }
    await insertRole(tx, role('Owner', { built_in: 1 }), []);
    await insertRole(tx, role('b of a key', { hidden: 1 }), ['fax:send']);
    for (const login of ['one', 'two']) {
      const person = { id: login, kind: 'user', login, display_name: login, enabled: 1 } as const;
      await insertPrincipal(tx, { ...person, password_hash: null, password_change_required: 0, ...stamps });
      const member = { id: `member-${login}`, group_id: GROUP, principal_id: login };
      await insertMember(tx, { ...member, version: 1, created_at: AT });
    }
    for (const [n, mailbox_id] of ['box-ben', 'box-anna', 'box-ben'].entries())
      await insertInboundRule(tx, { id: `rule-${n}`, to_number: `+1202555010${n}`, mailbox_id, ...stamps });
  });
}

/** Two for each moment, and one of a hidden role. */
const assignments = [
  ['group', GROUP, 'role-ben', 'installation'],
  ['group', GROUP, 'role-anna', 'mailbox:box-ben'],
  ['principal', 'one', 'role-ben', 'inbound:b'],
  ['principal', 'two', 'role-ben', 'inbound:a'],
  ['principal', 'two', 'role-ben', 'inbound_a'],
  ['principal', 'two', 'role-b of a key', 'installation'],
].map(([subject_kind, subject_id = '', role_id = '', resource_id = ''], n) => ({
  id: `assignment-${n}`,
  subject_kind: subject_kind as 'group' | 'principal',
  subject_id,
  role_id,
  resource_id,
  version: 1,
  created_at: `2026-11-21T09:00:0${Math.floor(n / 2)}.000Z`,
}));

describe.each(STORES)(`groups, roles and assignments in %s${withoutPostgres}`, (name) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
    await fill(store);
    await store.db.transaction(async (tx) => {
      for (const row of assignments) await insertAssignment(tx, row);
    });
  });
  afterAll(() => store.close());

  test('are listed page by page as in one page, each once', async () => {
    const { read } = store.db;
    const lists = [
      [(page: { limit: number; cursor?: string }) => listGroups(read, page), NAMES.length],
      [(page: { limit: number; cursor?: string }) => listRoles(read, page), NAMES.length + 1],
      [(page: { limit: number; cursor?: string }) => listMailboxes(read, page), NAMES.length],
      [(page: { limit: number; cursor?: string }) => listRules(read, page), 3],
      [(page: { limit: number; cursor?: string }) => listAssignments(read, page), assignments.length - 1],
    ] as const;
    for (const [list, count] of lists) {
      const whole = await list({ limit: 200 });
      expect([whole.items.length, whole.next_cursor]).toEqual([count, null]);
      expect(await walk<unknown>(list)).toEqual(whole.items);
    }
    const [first] = (await listRoles(read, { limit: 1 })).items;
    expect(first?.name).toBe('Owner');
  });

  test('count and name their members, numbers and permissions', async () => {
    const { read } = store.db;
    const groups = (await listGroups(read, { limit: 200 })).items;
    for (const { id, member_count } of groups) expect([id, member_count]).toEqual([id, id === GROUP ? 2 : 0]);
    expect((await listMembers(read, GROUP)).map(({ principal_id }) => principal_id)).toEqual(['one', 'two']);
    const mailboxes = (await listMailboxes(read, { limit: 200 })).items;
    const numbers = new Map(mailboxes.map((mailbox) => [mailbox.label, mailbox.numbers]));
    expect(numbers.get('ben')).toEqual(['+12025550100', '+12025550102']);
    expect(numbers.get('Zoe')).toEqual([]);
    const ofBen = await listRules(read, { limit: 1, mailboxId: 'box-ben' });
    expect(ofBen).toMatchObject({ items: [{ to_number: '+12025550100', label: 'ben', mailbox_enabled: 1 }] });
    const grants = await grantsGivenTo(read, GROUP);
    expect([...grants.keys()].sort()).toEqual(['installation', 'mailbox:box-ben']);
    expect([...(grants.get('installation') ?? [])].sort()).toEqual(['fax:send', 'inbound:list']);
  });

  test('are found by subject, role and resource, newest first', async () => {
    const { read } = store.db;
    const ids = async (filter: object) =>
      (await listAssignments(read, { limit: 200, ...filter })).items.map(({ id }) => Number(id.at(-1)));
    expect(await ids({})).toEqual([4, 3, 2, 1, 0]);
    expect(await ids({ subjectId: 'two' })).toEqual([4, 3]);
    expect(await ids({ roleId: 'role-ben' })).toEqual([4, 3, 2, 0]);
    expect(await ids({ roleId: 'role-ben', resourceId: 'inbound:a' })).toEqual([3]);
    expect((await findAssignment(read, 'assignment-1'))?.subject_name).toBe('anna');
    expect(await findAssignment(read, 'assignment-5')).toBeNull();
    expect((await resourcesOfRole(read, 'role-anna')).sort()).toEqual(['mailbox:box-ben']);
    expect(await assignedResources(read, 'inbound:')).toEqual(['inbound:b', 'inbound:a']);
  });

  test('are changed by one of those who read the same version', async () => {
    const others = [store.db, store.connectAgain()];
    const now = '2026-11-21T10:00:00.000Z';
    const race = (change: (db: TestStore['db']) => Promise<boolean>) =>
      Promise.all([...others, ...others].map((db) => change(db)));
    const once = [true, false, false, false];
    const sorted = (answers: boolean[]) => answers.sort((a, b) => Number(b) - Number(a));
    const item = { version: 1, now };
    const group = { ...item, id: 'group-ben' };
    const groups = await race((db) => db.transaction((tx) => updateGroup(tx, group, { enabled: 0 })));
    expect(sorted(groups)).toEqual(once);
    const wanted = { ...item, id: 'role-Zoe' };
    const roles = await race((db) => db.transaction((tx) => updateRole(tx, wanted, {}, ['fax:read'])));
    expect(sorted(roles)).toEqual(once);
    const removed = await race((db) => db.transaction((tx) => deleteAssignment(tx, 'assignment-4', 1)));
    expect(sorted(removed)).toEqual(once);
    expect(await store.db.transaction((tx) => deleteAssignment(tx, 'assignment-0', 2))).toBe(false);
  });
});
