import { expect, it } from 'vitest';
import { MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { needPostgres } from '../setup/tools.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { INSTALLATION_KEY, sessionOf, signIn, startGateway } from './access-setup.ts';

it('access works the same on PostgreSQL, also for two processes', async (context) => {
  const postgresUrl = await needPostgres(context);
  const gateway = await startGateway({ postgresUrl });
  const other = await startGateway({ beside: gateway });
  try {
    const key = INSTALLATION_KEY;
    const version = (await gateway.request('GET', '/auth/me', { key })).body.policy_version;
    const enroll = (login: string, at: typeof gateway) =>
      at.request('POST', '/auth/owner/enroll', {
        key,
        body: { login, display_name: login, expected_policy_version: version },
      });
    const answers = await Promise.all([enroll('one', gateway), enroll('two', other)]);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]));

    await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const begun = await Promise.all(
      Array.from({ length: 8 }, (_, i) => signIn(i % 2 ? gateway : other, 'ann', GOOD_PASSWORD)),
    );
    expect(begun.filter((answer) => answer.status === 200)).toHaveLength(5);
    expect(begun.filter((answer) => answer.status === 429)).toHaveLength(3);
    const good = begun.find((answer) => answer.status === 200) ?? begun[0];
    const session = await sessionOf(gateway, good as NonNullable<typeof good>);
    const page = await gateway.request('GET', '/auth/sessions?limit=3', session);
    expect(page.body.items).toHaveLength(3);
    const { created_at, session_id } = page.body.next_cursor;
    const next = `/auth/sessions?limit=3&cursor_time=${created_at}&cursor_id=${session_id}`;
    expect((await gateway.request('GET', next, session)).body.items).toHaveLength(2);

    const made = await gateway.request('POST', '/admin/api-keys', { key, body: { scopes: ['fax:send'] } });
    expect((await other.request('POST', '/send', { key: made.body.token })).status).toBe(200);
    const rotated = await gateway.request('POST', `/admin/api-keys/${made.body.key_id}/rotate`, { key });
    expect((await gateway.request('POST', '/send', { key: made.body.token })).status).toBe(401);
    gateway.clock.ms += 250;
    expect((await other.request('POST', '/send', { key: made.body.token })).status).toBe(401);
    expect((await other.request('POST', '/send', { key: rotated.body.token })).status).toBe(200);
  } finally {
    await other.stop();
    await gateway.stop();
    await dropPostgresDatabase(postgresUrl);
  }
});

const PAIRS: readonly (readonly [string, number, number])[] = [
  ['clocks a minute apart', 0, MINUTE],
  ['clocks a minute fast and slow', -MINUTE, MINUTE],
];

it.for(PAIRS)('counts sign-ins of all gateways together with %s', async ([, slowMs, fastMs], context) => {
  const postgresUrl = await needPostgres(context);
  const first = await startGateway({ postgresUrl });
  const slow = await startGateway({ beside: first, leadMs: slowMs });
  const fast = await startGateway({ beside: first, leadMs: fastMs });
  try {
    await addPerson(first, { login: 'ann', permissions: ['fax:send'] });
    const count = async (tries: number) => {
      const statuses: number[] = [];
      for (let n = 0; n < tries; n += 1)
        statuses.push((await signIn(n % 2 ? slow : fast, 'ann', 'a wrong password')).status);
      return statuses.filter((status) => status === 401).length;
    };
    // The address has 20 attempts, of which each of these takes one.
    expect(await count(15)).toBe(5);
    for (const { clock } of [first, slow, fast]) clock.ms += 24_000;
    expect(await count(4)).toBe(2);
  } finally {
    for (const gateway of [fast, slow, first]) await gateway.stop();
    await dropPostgresDatabase(postgresUrl);
  }
});

it('counts sign-ins by the time of the database', async (context) => {
  const postgresUrl = await needPostgres(context);
  const gateway = await startGateway({ postgresUrl, hasDatabaseTime: true });
  const other = await startGateway({ beside: gateway, hasDatabaseTime: true, leadMs: MINUTE });
  try {
    const begun = performance.now();
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1)
      statuses.push((await signIn(n % 2 ? gateway : other, 'ann', 'a wrong password')).status);
    // A slow computer takes longer than the 12 seconds after which another try is allowed.
    const more = Math.ceil((performance.now() - begun) / 12_000);
    const counted = statuses.filter((status) => status === 401).length;
    expect(counted).toBeGreaterThanOrEqual(5);
    expect(counted).toBeLessThan(5 + more);
  } finally {
    await other.stop();
    await gateway.stop();
    await dropPostgresDatabase(postgresUrl);
  }
});
