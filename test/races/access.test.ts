import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { ALL_PERMISSIONS } from '../../shared/permissions.ts';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';

const STALE = 'This changed in the meantime; reload and try again.';
const LAST_OWNER = 'One enabled owner must remain.';

interface Administrator {
  readonly key: string;
  readonly gateway: TestGateway;
}

describe.each(STORES)(`on %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  /** Two gateways on one database where there can be two. */
  let gateways: readonly [TestGateway, TestGateway];
  let administrator: AccessAdministrator;
  /** Two who may do everything, each at a gateway of their own. */
  let both: readonly [Administrator, Administrator];

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    const one = await startTestGateway({ databaseUrl });
    const { clock, emulator } = one;
    gateways = [one, databaseUrl === null ? one : await startTestGateway({ databaseUrl, clock, emulator })];
    administrator = new AccessAdministrator(one);
    both = [await addAdministrator(gateways[0]), await addAdministrator(gateways[1])];
    look();
  });
  afterAll(async () => {
    if (gateways[1] !== gateways[0]) await gateways[1].stop();
    await gateways[0].close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  /** Advances the clock, so that one gateway reads the changes of the other. */
  const look = () => gateways[0].clock.advance(SECOND);
  const ownerRole = async (): Promise<Item> => (await administrator.get('/access/roles/role_owner')).role;
  const ownersNow = async () =>
    (await administrator.get('/access/assignments?role_id=role_owner')).items.filter(
      ({ subject }: { subject: { name: string } }) => subject.name.startsWith('Owner'),
    ) as Item[];

  /** An integration: only people are owners. */
  async function addAdministrator(gateway: TestGateway): Promise<Administrator> {
    const integration = await administrator.integration(`Administrator ${newId()}`);
    await administrator.assign(integration, await ownerRole());
    const { token } = await administrator.key(integration, ALL_PERMISSIONS);
    return { key: token, gateway };
  }

  /** Two people who are the only owners. */
  async function twoOwners(): Promise<[Item, Item]> {
    const before = await ownersNow();
    const names = [newId(), newId()];
    const people: Item[] = [];
    for (const each of names) {
      const person = await administrator.person(each, `Owner ${each}`);
      await administrator.assign(person, await ownerRole());
      people.push(person);
    }
    for (const { id, version } of before)
      await administrator.sendOk('POST', `/access/assignments/${id}/remove`, { version });
    look();
    return people as [Item, Item];
  }

  /** Both make a change of their own at once, each as they last read it. */
  async function atOnce(change: (n: number) => { method: string; path: string; body: object }) {
    const expected_policy_version = await administrator.policy();
    const answers = await Promise.all(
      both.map(({ gateway, key }, n) => {
        const { method, path, body } = change(n);
        return gateway.request(method, path, { key, json: { expected_policy_version, ...body } });
      }),
    );
    look();
    const winner = answers.findIndex(({ status }) => status === 200);
    const lost = answers[winner === 0 ? 1 : 0] as Response;
    const { detail } = (await lost.json()) as { detail: string };
    return { winner, statuses: answers.map(({ status }) => status).sort((a, b) => a - b), lost: detail };
  }

  const auditOf = async (operation: string, { id }: Item): Promise<unknown[]> =>
    (await administrator.get(`/access/audit?outcome=done&operation=${operation}&target_id=${id}`)).items;

  /** Records that two callers change at once: their path, the body of each change, and the audit operation. */
  const CHANGED: readonly [string, string, () => Promise<Item>, (n: number) => object, string][] = [
    ['role', 'roles', () => administrator.role(newId(), ['fax:read']), permissionsOfTurn, 'role.change'],
    ['group', 'groups', () => administrator.group(newId()), (n) => ({ name: `Desk ${n}` }), 'group.change'],
    [
      'user',
      'users',
      () => administrator.person(newId(), 'Cem'),
      (n) => ({ display_name: `Cem ${n}` }),
      'user.change',
    ],
  ];

  test.each(CHANGED)(
    'a %s that two change at once is changed by one of them',
    async (entity, path, make, write, operation) => {
      const item = await make();
      look();
      const before = await administrator.policy();
      const { statuses, winner, lost } = await atOnce((n) => ({
        method: 'PATCH',
        path: `/access/${path}/${item.id}`,
        body: { version: item.version, ...write(n) },
      }));
      expect([statuses, lost]).toEqual([[200, 409], STALE]);
      const now = (await administrator.get(`/access/${path}/${item.id}`))[entity];
      expect(now).toMatchObject({ ...write(winner), version: item.version + 1 });
      expect(await administrator.policy()).toBe(before + 1);
      expect(await auditOf(operation, item)).toHaveLength(1);
    },
  );

  test('a role that two give at once to one person is given once', async () => {
    const person = await administrator.integration('Scanner');
    const role = await administrator.role(newId(), ['fax:read']);
    look();
    const { statuses, lost } = await atOnce(() => ({
      method: 'POST',
      path: '/access/assignments',
      body: {
        subject: { kind: 'principal', id: person.id, version: person.version },
        role: { id: role.id, version: role.version },
        resource_id: 'installation',
      },
    }));
    expect([statuses, lost]).toEqual([[200, 409], STALE]);
    const given = await administrator.get(`/access/assignments?subject_id=${person.id}`);
    expect(given.items).toHaveLength(1);
  });

  test('a member who joins while the group gets another role is judged by what it holds then', async () => {
    const group = await administrator.group(newId());
    const person = await administrator.integration('Scanner');
    const role = await administrator.role(newId(), ['fax:read']);
    look();
    const changes = [
      {
        method: 'POST',
        path: `/access/groups/${group.id}/members`,
        body: { principal_id: person.id, principal_version: person.version, group_version: group.version },
      },
      {
        method: 'POST',
        path: '/access/assignments',
        body: {
          subject: { kind: 'group', id: group.id, version: group.version },
          role: { id: role.id, version: role.version },
          resource_id: 'installation',
        },
      },
    ];
    const { statuses } = await atOnce((n) => changes[n] as (typeof changes)[0]);
    expect(statuses).toEqual([200, 409]);
  });

  test('two owners who disable each other leave one', async () => {
    const [ann, ben] = await twoOwners();
    const others = [ben, ann] as const;
    const { statuses, winner } = await atOnce((n) => {
      const { id, version } = others[n as 0 | 1];
      return { method: 'PATCH', path: `/access/users/${id}`, body: { version, enabled: false } };
    });
    expect(statuses).toEqual([200, 409]);
    const [gone, left] = winner === 0 ? [ben, ann] : [ann, ben];
    expect((await administrator.get(`/access/users/${gone.id}`)).user.enabled).toBe(false);
    const body = { version: left.version, enabled: false };
    const last = await administrator.send('PATCH', `/access/users/${left.id}`, body);
    expect([last.status, await last.json()]).toEqual([409, { detail: LAST_OWNER }]);
    expect((await administrator.get(`/access/users/${left.id}`)).user.enabled).toBe(true);
  });

  test('two owners whose roles are taken away at once leave one', async () => {
    await twoOwners();
    const given = await ownersNow();
    expect(given).toHaveLength(2);
    const { statuses } = await atOnce((n) => {
      const { id, version } = given[n] as Item;
      return { method: 'POST', path: `/access/assignments/${id}/remove`, body: { version } };
    });
    expect(statuses).toEqual([200, 409]);
    const [left] = await ownersNow();
    const last = await administrator.send('POST', `/access/assignments/${left?.id}/remove`, {
      version: left?.version,
    });
    expect([last.status, await last.json()]).toEqual([409, { detail: LAST_OWNER }]);
    expect(await ownersNow()).toHaveLength(1);
  });

  test('of fifty sign-ins of one name at once five get in, of fifty names twenty are looked at', async () => {
    const { temporaryPassword: password } = await administrator.person('dora', 'Dora');
    const signIn = (n: number, body: object) => {
      const gateway = gateways[(n % 2) as 0 | 1];
      return gateway.request('POST', '/auth/login', {
        key: null,
        json: body,
        headers: { Origin: gateway.url },
      });
    };
    const statusesOf = async (bodies: readonly object[]) => {
      const answers = await Promise.all(bodies.map((body, n) => signIn(n, body)));
      const refused = answers.find(({ status }) => status === 429);
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
      return { in: count(200), wrong: count(401), later: count(429) };
    };
    const fifty = Array.from({ length: 50 }, (_, n) => n);
    expect(await statusesOf(fifty.map(() => ({ login: 'dora', password })))).toEqual({
      in: 5,
      wrong: 0,
      later: 45,
    });
    gateways[0].clock.advance(15 * 60 * SECOND);
    const strangers = fifty.map((n) => ({ login: `stranger${n}`, password: 'no such password' }));
    expect(await statusesOf(strangers)).toEqual({ in: 0, wrong: 20, later: 30 });
  });
});

function permissionsOfTurn(n: number): object {
  return { permissions: n === 0 ? ['fax:read', 'fax:document'] : ['inbound:list'] };
}
