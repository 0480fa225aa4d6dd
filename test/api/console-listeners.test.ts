import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { postgresUrl, withoutPostgres } from '../setup/stores.ts';
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

  test('its person was disabled', async () => {
    const policy = async () => {
      const me = await gateway.request('GET', '/auth/me');
      return ((await me.json()) as { policy_version: number }).policy_version;
    };
    const made = await gateway.request('POST', '/access/users', {
      json: { login: 'ines', display_name: 'Ines', expected_policy_version: await policy() },
    });
    const { user, temporary_password: password } = (await made.json()) as {
      user: { id: string; version: number };
      temporary_password: string;
    };
    const headers = { Origin: gateway.url };
    const signedIn = await gateway.request('POST', '/auth/login', {
      key: null,
      json: { login: 'ines', password },
      headers,
    });
    const session = await sessionOf(gateway, signedIn);
    const chosen = { current_password: password, password: 'seven brown horses' };
    await gateway.request('POST', '/auth/password', { key: null, json: chosen, headers: session });
    const stream = await reader({ key: null, headers: session });
    expect([stream.status, stream.ended]).toEqual([200, false]);
    const present = await gateway.request('GET', `/access/users/${user.id}`);
    const { version } = ((await present.json()) as { user: { version: number } }).user;
    const disabled = await gateway.request('PATCH', `/access/users/${user.id}`, {
      json: { enabled: false, version, expected_policy_version: await policy() },
    });
    expect(disabled.status, await disabled.text()).toBe(200);
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

test('whoever must set a password first is told nothing until then', async () => {
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

test('a try in vain is told as well, because it moves the version by which people act', async () => {
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
  `what another gateway on the same database did is told as well${withoutPostgres}`,
  async () => {
    const databaseUrl = await createPostgresDatabase(postgresUrl ?? '');
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
      // A change of this gateway is found in the store as well, and told once.
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
