import type { Database, WriteTx } from '../../../server/db/database.ts';
import { sha256Hex } from '../../../server/platform/hash.ts';
import { newId } from '../../../server/platform/ids.ts';
import { seededRandom } from '../../fixtures/seeded-random.ts';
import { inboundRow } from '../inbound-rows.ts';
import { faxRow } from '../outbound-rows.ts';
import { workRow } from '../work-rows.ts';
import type { World } from './rule.ts';

const FAX_PERMISSIONS = [
  'fax:send',
  'fax:read',
  'inbound:list',
  'inbound:read',
  'inbound:document',
  'work:import',
];
const WORK_PERMISSIONS = ['work:read', 'work:manage'];
export const MANAGE_PERMISSIONS = [
  'users:manage',
  'groups:manage',
  'roles:manage',
  'grants:manage',
  'keys:manage',
  'mailboxes:manage',
];
const ALL = [...FAX_PERMISSIONS, ...WORK_PERMISSIONS, ...MANAGE_PERMISSIONS];
const SECRET = 'a-secret-that-every-key-of-a-random-world-has-x';
const AT = '2026-11-21T08:00:00.000Z';

export class Random {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** Returns an integer from 0 to below `count`. */
  below(count: number): number {
    return (this.#next() * 2 ** 32) % count;
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  }

  some<T>(items: readonly T[], outOfTen: number): T[] {
    return items.filter(() => this.below(10) < outOfTen);
  }
}

/** Another one for each mailbox of all worlds of one gateway. */
let lastNumber = 2_000_000;
function newNumber(): string {
  lastNumber += 1;
  return `+1202${lastNumber}`;
}

const makeMany = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

export function randomWorld(random: Random): World {
  const people = makeMany(4, () => ({ id: newId(), enabled: random.below(8) > 0 }));
  const ids = people.map(({ id }) => id);
  const groups = makeMany(2, () => ({
    id: newId(),
    enabled: random.below(5) > 0,
    members: random.some(ids, 4),
  }));
  const roles = makeMany(4, () => ({
    id: newId(),
    enabled: random.below(6) > 0,
    permissions: random.some(ALL, random.of([2, 5, 9])),
  }));
  const mailboxes = makeMany(3, () => ({ id: newId(), number: newNumber() }));
  const inMailbox = () => random.of([null, ...mailboxes.map(({ id }) => id)]);
  const received = makeMany(4, () => ({ id: newId(), mailbox: inMailbox(), item: newId() }));
  const sent = makeMany(5, () => ({ id: newId(), mailbox: inMailbox(), by: random.of(ids) }));
  const resources = [
    'installation',
    'installation',
    ...mailboxes.map(({ id }) => `mailbox:${id}`),
    ...received.slice(0, 2).map(({ id }) => `inbound:${id}`),
  ];
  const given = new Map(
    makeMany(9, () => {
      const subject = random.of([...ids, ...groups.map(({ id }) => id)]);
      const each = { subject, role: random.of(roles).id, on: random.of(resources) };
      return [`${each.subject} ${each.role} ${each.on}`, { id: newId(), ...each }] as const;
    }),
  );
  const keys = makeMany(6, () => {
    const id = newId().replaceAll('-', '');
    const on = () => random.of(resources);
    const one = on();
    const isWide = random.below(2) === 0;
    const ceiling = random.some(ALL, 7).map((permission) => ({
      permission,
      on: isWide ? 'installation' : random.of([one, one, on(), 'installation']),
    }));
    const ends = random.of(['never', 'never', 'never', 'never', 'never', 'ended', 'revoked'] as const);
    return { id, token: `key_live_${id}_${SECRET}`, owner: random.of(ids), ends, ceiling };
  });
  return { people, groups, roles, mailboxes, assignments: [...given.values()], keys, sent, received };
}

/** Puts a world into the store as rows: no rule of the gateway has a say in it. */
export async function storeWorld(db: Database, world: World): Promise<void> {
  await db.transaction(async (tx) => {
    await storeSubjects(tx, world);
    await storeRights(tx, world);
    await storeKeys(tx, world);
    await storeFaxes(tx, world);
  });
}

const stamps = { version: 1, created_at: AT, updated_at: AT };
const flag = (value: boolean) => (value ? 1 : 0);

async function storeSubjects(tx: WriteTx, world: World): Promise<void> {
  for (const { id, enabled } of world.people)
    await tx
      .insertInto('principal')
      .values({
        id,
        kind: 'integration',
        login: null,
        display_name: id,
        search_text: id,
        enabled: flag(enabled),
        password_hash: null,
        password_change_required: 0,
        temporary_until: null,
        totp_secret: null,
        totp_pending: null,
        totp_last_step: null,
        ...stamps,
      })
      .execute();
  for (const { id, enabled, members } of world.groups) {
    const row = { id, name: id, description: '', enabled: flag(enabled), ...stamps } as const;
    await tx.insertInto('principal_group').values(row).execute();
    for (const principal_id of members)
      await tx
        .insertInto('group_member')
        .values({ id: newId(), group_id: id, principal_id, version: 1, created_at: AT })
        .execute();
  }
}

async function storeRights(tx: WriteTx, world: World): Promise<void> {
  for (const { id, enabled, permissions } of world.roles) {
    const flags = { built_in: 0, hidden: 0, requires_two_factor: 0, enabled: flag(enabled) } as const;
    await tx
      .insertInto('role')
      .values({ id, name: id, description: '', ...flags, ...stamps })
      .execute();
    for (const permission of permissions)
      await tx.insertInto('role_permission').values({ role_id: id, permission }).execute();
  }
  for (const { id, number } of world.mailboxes) {
    await tx
      .insertInto('mailbox')
      .values({ id, label: id, enabled: 1, ...stamps })
      .execute();
    await tx
      .insertInto('inbound_rule')
      .values({ id: newId(), to_number: number, mailbox_id: id, ...stamps })
      .execute();
  }
  for (const { id, subject, role, on } of world.assignments) {
    const isGroup = world.groups.some((group) => group.id === subject);
    const subject_kind = isGroup ? 'group' : 'principal';
    const row = { id, subject_kind, subject_id: subject, role_id: role, resource_id: on } as const;
    await tx
      .insertInto('assignment')
      .values({ ...row, version: 1, created_at: AT })
      .execute();
  }
}

async function storeKeys(tx: WriteTx, world: World): Promise<void> {
  for (const key of world.keys) {
    const ceiling = key.ceiling.map(({ permission, on }) => ({ permission, resource_id: on }));
    await tx
      .insertInto('api_key')
      .values({
        key_id: key.id,
        principal_id: key.owner,
        name: key.id,
        note: null,
        owner: null,
        made_by: null,
        made_by_name: 'Local operator',
        maker_left_at: '',
        secret_hash: sha256Hex(SECRET),
        hash_kind: 'sha256',
        test: 0,
        ceiling: JSON.stringify(ceiling),
        state: 'active',
        version: 1,
        created_at: AT,
        last_used_at: null,
        expires_at: key.ends === 'ended' ? AT : null,
        revoked_at: key.ends === 'revoked' ? AT : null,
      })
      .execute();
  }
}

async function storeFaxes(tx: WriteTx, world: World): Promise<void> {
  for (const { id, mailbox, by } of world.sent) {
    const row = faxRow({ id, mailbox_id: mailbox, created_by: by, delivery_state: 'success' });
    await tx.insertInto('fax_job').values(row).execute();
  }
  for (const { id, mailbox, item } of world.received) {
    const row = inboundRow({ id, mailbox_id: mailbox, status: 'received', provider_fax_id: id });
    await tx.insertInto('inbound_fax').values(row).execute();
    const work = workRow({ id: item, inbound_fax_id: id, mailbox_id: mailbox });
    await tx.insertInto('work_item').values(work).execute();
  }
}
