import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { type EventReader, keyWith, listen, sessionOf, sessionWith } from './console-stream.ts';

let gateway: TestGateway;
const open: EventReader[] = [];
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.close();
  await gateway.close();
});

async function reader(options: Parameters<typeof listen>[1] = {}, at = gateway): Promise<EventReader> {
  const opened = await listen(at, options);
  open.push(opened);
  return opened;
}

const ended = async (stream: EventReader) => expect.poll(() => stream.ended).toBe(true);

async function firstSignIn(): Promise<Record<string, string>> {
  const me = (await (await gateway.request('GET', '/auth/me')).json()) as { policy_version: number };
  const json = { login: 'mara', display_name: 'Mara', expected_policy_version: me.policy_version };
  const enrolled = await gateway.request('POST', '/auth/owner/enroll', { json });
  const { temporary_password } = (await enrolled.json()) as { temporary_password: string };
  const signedIn = await gateway.request('POST', '/auth/login', {
    key: null,
    json: { login: 'mara', password: temporary_password },
    headers: { Origin: gateway.url },
  });
  return sessionOf(gateway, signedIn);
}

describe('a stream ends soon after', () => {
  test('its key was revoked, and not before', async () => {
    const made = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:read'] } });
    const { token, key_id } = (await made.json()) as { token: string; key_id: string };
    const [revoked, other] = [await reader({ key: token }), await reader()];
    await gateway.send();
    await expect.poll(() => revoked.events.length).toBe(1);
    expect((await gateway.request('DELETE', `/admin/api-keys/${key_id}`)).status).toBeLessThan(300);
    await ended(revoked);
    expect(other.ended).toBe(false);
  });

  test('its key expired', async () => {
    const expires_at = new Date(gateway.clock.now() + MINUTE).toISOString();
    const made = await gateway.request('POST', '/admin/api-keys', {
      json: { scopes: ['fax:read'], expires_at },
    });
    const stream = await reader({ key: ((await made.json()) as { token: string }).token });
    expect(stream.status).toBe(200);
    gateway.clock.advance(2 * MINUTE);
    await ended(stream);
  });

  test('its session was signed out', async () => {
    const session = await sessionWith(gateway, await keyWith(gateway, 'fax:read'));
    const stream = await reader({ key: null, headers: session });
    expect(stream.status).toBe(200);
    expect((await gateway.request('POST', '/auth/logout', { key: null, headers: session })).status).toBe(200);
    await ended(stream);
  });

  test('its session was idle for too long: neither the stream nor asking for changes is a sign of a person', async () => {
    const session = await sessionWith(gateway, await keyWith(gateway, 'fax:read'));
    const stream = await reader({ key: null, headers: session });
    const ask = async (path: string) =>
      (await gateway.request('GET', path, { key: null, headers: session })).status;
    for (let minutes = 0; minutes < 28; minutes += 4) {
      gateway.clock.advance(4 * MINUTE);
      expect(await ask('/console/changes')).toBe(200);
    }
    gateway.clock.advance(3 * MINUTE);
    await ended(stream);
    expect(await ask('/console/changes')).toBe(401);
  });
});

/** Person who may read all faxes, with the kind of assignment that allows it. */
interface Listener {
  readonly person: Item;
  readonly given: Item;
  /** Signs in once more. */
  signIn(): Promise<Record<string, string>>;
}

async function listenerNamed(login: string): Promise<Listener> {
  const administrator = new AccessAdministrator(gateway);
  const { temporaryPassword, ...person } = await administrator.person(login, login);
  const given = await administrator.assign(person, await administrator.role(login, ['fax:read']));
  const signInWith = async (password: string) => {
    const json = { login, password };
    const headers = { Origin: gateway.url };
    return sessionOf(gateway, await gateway.request('POST', '/auth/login', { key: null, json, headers }));
  };
  const json = { current_password: temporaryPassword, password: PASSWORD };
  const headers = await signInWith(temporaryPassword);
  await gateway.request('POST', '/auth/password', { key: null, json, headers });
  return { person, given, signIn: () => signInWith(PASSWORD) };
}

const PASSWORD = 'seven brown horses';

/** Ways to revoke a listener's access, each by another person or in another browser; each is answered 200. */
const TAKEN: readonly [string, (listener: Listener) => Promise<void>][] = [
  [
    'they were disabled',
    async ({ person }) => {
      const administrator = new AccessAdministrator(gateway);
      const { user } = await administrator.get(`/access/users/${person.id}`);
      await administrator.sendOk('PATCH', `/access/users/${person.id}`, {
        enabled: false,
        version: user.version,
      });
    },
  ],
  [
    'their role was taken away',
    async ({ given }) => {
      const { version } = given;
      await new AccessAdministrator(gateway).sendOk('POST', `/access/assignments/${given.id}/remove`, {
        version,
      });
    },
  ],
  [
    'their sessions were ended',
    async ({ person }) => {
      const administrator = new AccessAdministrator(gateway);
      const { items } = await administrator.get(`/access/sessions?principal_id=${person.id}`);
      for (const { session_id: id } of items as { session_id: string }[])
        await administrator.sendOk('POST', `/access/sessions/${id}/revoke`, {});
    },
  ],
  [
    'they changed their password in another browser',
    async ({ signIn }) => {
      const json = { current_password: PASSWORD, password: 'eight green windows' };
      const headers = await signIn();
      const answer = await gateway.request('POST', '/auth/password', { key: null, json, headers });
      expect(answer.status).toBe(200);
    },
  ],
];

test('a stream delivers nothing more from the moment on in which its listener loses access', async () => {
  const heard: [string, EventReader][] = [];
  for (const [number, [what, take]] of TAKEN.entries()) {
    const listener = await listenerNamed(`listener${number}`);
    const stream = await reader({ key: null, headers: await listener.signIn() });
    await gateway.send();
    await expect.poll(() => stream.events.length).toBe(1);
    await take(listener);
    await gateway.send();
    heard.push([what, stream]);
  }
  const administrator = new AccessAdministrator(gateway);
  const program = await administrator.integration('Program');
  await administrator.assign(program, await administrator.role('Program', ['fax:read']));
  const key = await administrator.key(program, ['fax:read']);
  const stream = await reader({ key: key.token });
  await gateway.request('DELETE', `/admin/api-keys/${key.keyId}`);
  await gateway.send();
  const all = [...heard, ['their key was revoked', stream] as const];
  // A listener that still has the permission receives the last one.
  const other = await reader();
  await gateway.send();
  await expect.poll(() => other.events.length).toBe(1);
  // A reset has no content: it makes a page read everything again, and so remove what may not be seen any more.
  const told = ({ events }: EventReader) => events.filter(({ kind }) => kind !== 'reset');
  expect(all.map(([what, stream]) => [what, told(stream).length])).toEqual([
    ...TAKEN.map(([what]) => [what, 1]),
    ['their key was revoked', 0],
  ]);
  for (const [what, { ended: hasEnded }] of all.filter(([what]) => !what.includes('role')))
    expect([what, hasEnded]).toEqual([what, true]);
});

test('a person who must set a password first receives nothing until then', async () => {
  const headers = await firstSignIn();
  const stream = await reader({ key: null, headers });
  expect(stream.status).toBe(403);
  expect((await gateway.request('GET', '/console/changes', { key: null, headers })).status).toBe(403);
});

test('one caller has 20 streams at most, and others still have theirs', async () => {
  for (let count = 0; count < 20; count += 1) expect((await reader()).status).toBe(200);
  const refused = await reader();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
  expect((await reader({ key: await keyWith(gateway, 'fax:read') })).status).toBe(200);
  await open[0]?.close();
  await expect.poll(async () => (await reader()).status).toBe(200);
});

test('a stop does not wait for the listeners', async () => {
  const stream = await reader();
  await gateway.stop();
  await ended(stream);
  // The gateway ended it; a connection that it waited for would have been cut.
  expect(stream.isCut).toBe(false);
  gateway = await gateway.restart();
});

test('a gateway that was started again begins with a reset', async () => {
  const before = await reader();
  await expect.poll(() => before.position).not.toBe('');
  gateway = await gateway.restart();
  const after = await reader({ lastEventId: before.position });
  await expect.poll(() => after.all.at(0)?.kind).toBe('reset');
});

test('a failed try is reported as well, because it changes the version that people act on', async () => {
  await gateway.emulator.close();
  const { id } = await gateway.send();
  await gateway.processAll();
  const stream = await reader();
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
  const { delivery_version } = await gateway.fax(id);
  await expect.poll(() => stream.events.at(-1)?.data).toEqual({ id, delivery_version });
});

test.skipIf(postgresUrl === null)(
  `changes by another gateway on the same database are reported as well${withoutPostgres}`,
  async () => {
    const databaseUrl = await newPostgresDatabase();
    const { clock, emulator } = gateway;
    const settings = { FAX_DISABLED: 'true' };
    const one = await startTestGateway({ databaseUrl, clock, emulator, settings });
    const two = await startTestGateway({ databaseUrl, clock, emulator, settings });
    try {
      const stream = await reader({}, one);
      await expect.poll(() => stream.position).not.toBe('');
      const { id } = await two.send({ queue_only: 'true' });
      await expect
        .poll(() => stream.events)
        .toEqual([expect.objectContaining({ kind: 'fax.changed', data: { id, delivery_version: 1 } })]);
      const { position } = stream;
      await stream.close();
      const cancelled = await two.request('POST', `/fax/${id}/cancel`, { json: { delivery_version: 1 } });
      expect(cancelled.status).toBe(200);
      const asked = await one.request('GET', `/console/changes?after=${position}`);
      const { events } = (await asked.json()) as { events: { data: unknown }[] };
      expect(events.map(({ data }) => data)).toEqual([{ id, delivery_version: 2 }]);
      const resumed = await reader({ lastEventId: position }, one);
      await expect.poll(() => resumed.events.map(({ data }) => data)).toEqual([{ id, delivery_version: 2 }]);
      await two.set({ MAX_FILE_SIZE_MB: 40 });
      await expect.poll(() => resumed.events.at(-1)?.kind).toBe('installation.changed');
      // A change made by this gateway is also found in the store, and is delivered once.
      const ids = [await one.send({ queue_only: 'true' }), await two.send({ queue_only: 'true' })].map(
        (fax) => fax.id,
      );
      await expect.poll(() => resumed.events.at(-1)?.data).toMatchObject({ id: ids[1] });
      const reported = resumed.events.map(({ data }) => (data as { id?: string }).id);
      expect(reported.filter((each) => each === ids[0])).toHaveLength(1);
    } finally {
      await one.stop();
      await two.stop();
      await dropPostgresDatabase(databaseUrl);
    }
  },
);
