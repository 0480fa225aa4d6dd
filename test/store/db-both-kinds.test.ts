import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Fax, INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, SECOND } from '../setup/manual-clock.ts';
import { createPostgresDatabase, dropPostgresDatabase } from '../setup/postgres.ts';
import { withoutPostgres } from '../setup/stores.ts';

/** The statements of every room, on both databases, through the whole gateway. */
const server = inject('postgresUrl');
const databases = [
  { name: 'SQLite', skipped: false },
  { name: `PostgreSQL${withoutPostgres}`, skipped: server === null },
] as const;

describe.for(databases)('the gateway on $name', ({ name, skipped }) => {
  let gateway: TestGateway;
  let databaseUrl: string | null = null;
  beforeAll(async () => {
    if (skipped) return;
    if (name === 'PostgreSQL' && server) databaseUrl = await createPostgresDatabase(server);
    gateway = await startTestGateway({ databaseUrl });
  });
  afterAll(async () => {
    if (skipped) return;
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });
  const it = test.skipIf(skipped);
  const json = async <T>(response: Response): Promise<T> => {
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

  it('takes a fax from acceptance to delivery, also over a restart', async () => {
    const { id } = await gateway.send({ to: '+12025550123', urgent: 'true' }, { 'Idempotency-Key': 'once' });
    gateway = await gateway.restart();
    expect((await gateway.send({ to: '+12025550123' }, { 'Idempotency-Key': 'once' })).id).toBe(id);
    await gateway.processAll();
    const going = await gateway.fax(id);
    expect(going.delivery_state).toBe('in_progress');
    gateway.emulator.complete(String(going.provider_sid));
    gateway.clock.advance(30 * SECOND);
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'success',
      urgent: true,
      cost: { amount: '0.07' },
    });
  });

  it('lists, filters and counts faxes', async () => {
    for (let n = 0; n < 4; n += 1) {
      gateway.clock.advance(SECOND);
      await gateway.send({ to: '+12025550188' });
    }
    type Page = { items: Fax[]; next_cursor: string | null };
    const page = async (query: string) =>
      json<Page>(await gateway.request('GET', `/fax?to=%2B12025550188&${query}`));
    const first = await page('limit=3');
    const rest = await page(`limit=3&cursor=${first.next_cursor}`);
    expect([...first.items, ...rest.items].map((fax) => fax.id)).toEqual(
      (await page('limit=200')).items.map((fax) => fax.id),
    );
    expect((await page('q=Letter')).items).toHaveLength(4);
    expect((await page(`state=ready&since=${first.items[2]?.created_at}`)).items).toHaveLength(3);
    const metrics = await (await gateway.request('GET', '/metrics')).text();
    expect(metrics).toMatch(/faxdesk_faxes\{state="ready"\} 4/u);
    // Nothing came in yet.
    for (const state of ['open', 'acknowledged', 'done'])
      expect(metrics).toContain(`faxdesk_work_items{state="${state}"} 0\n`);
  });

  it('holds, releases, cancels and decides faxes', async () => {
    await gateway.set({ FAX_DISABLED: true });
    const held = await gateway.send();
    const cancelled = await gateway.send();
    await gateway.set({ FAX_DISABLED: false });
    const post = (path: string, body: unknown) => gateway.request('POST', path, { json: body });
    await json(await post(`/fax/${cancelled.id}/cancel`, { delivery_version: 1 }));
    await json(await post(`/fax/${held.id}/release`, { delivery_version: 1 }));
    gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST', count: 10 });
    await gateway.processAll();
    gateway.emulator.clearFaults();
    const unconfirmed = await gateway.fax(held.id);
    expect(unconfirmed.delivery_state).toBe('reconciliation_required');
    const decision = {
      outcome: 'failed',
      note: 'Nothing came.',
      delivery_version: unconfirmed.delivery_version,
    };
    await json(await post(`/fax/${held.id}/reconcile`, decision));
    const resent = await json<Fax>(await post(`/fax/${held.id}/resend`, {}));
    expect(resent.resend_of).toBe(held.id);
  });

  it('removes documents past their time', async () => {
    const { items } = await json<{ items: Fax[] }>(await gateway.request('GET', '/fax?state=success'));
    await gateway.set({ ARTIFACT_TTL_DAYS: 1 });
    gateway.clock.advance(2 * DAY);
    await gateway.processAll();
    expect((await gateway.request('GET', `/fax/${items[0]?.id}/document`)).status).toBe(404);
  });

  it('keeps people, keys, sessions and settings', async () => {
    const me = await json<{ policy_version: number }>(await gateway.request('GET', '/auth/me'));
    const owner = { login: 'maria', display_name: 'Maria', expected_policy_version: me.policy_version };
    const enrolled = await json<{ temporary_password: string }>(
      await gateway.request('POST', '/auth/owner/enroll', { json: owner }),
    );
    const signIn = (password: string) =>
      gateway.request('POST', '/auth/login', {
        key: null,
        json: { login: 'maria', password },
        headers: { Origin: gateway.url },
      });
    expect((await signIn('wrong password here')).status).toBe(401);
    const session = await signIn(enrolled.temporary_password);
    expect(session.status).toBe(200);
    const made = await json<{ key_id: string; token: string }>(
      await gateway.request('POST', '/admin/api-keys', {
        json: { name: 'Practice', scopes: ['fax:send', 'fax:read'] },
      }),
    );
    expect((await gateway.request('GET', '/fax', { key: made.token })).status).toBe(200);
    expect((await gateway.request('GET', '/admin/settings', { key: made.token })).status).toBe(403);
    const rotated = await json<{ token: string }>(
      await gateway.request('POST', `/admin/api-keys/${made.key_id}/rotate`),
    );
    expect((await gateway.request('GET', '/fax', { key: made.token })).status).toBe(401);
    gateway = await gateway.restart();
    expect((await gateway.request('GET', '/fax', { key: rotated.token })).status).toBe(200);
    await json(await gateway.request('DELETE', `/admin/api-keys/${made.key_id}`));
    expect((await gateway.request('GET', '/fax', { key: rotated.token })).status).toBe(401);
    expect((await gateway.request('GET', '/fax', { key: INSTALLATION_KEY })).status).toBe(200);
    const revisions = await json<{ items: unknown[] }>(
      await gateway.request('GET', '/admin/settings/revisions?limit=2'),
    );
    expect(revisions.items).toHaveLength(2);
  });
});
