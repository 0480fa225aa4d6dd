import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import type { UpgradeStateAnswer } from '../../shared/api/upgrade.ts';
import { EXPECTED, FIXTURE, rowsOf, tokenOf, upgradedFolder } from '../setup/earlier-installation.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { DAY, ManualClock } from '../setup/manual-clock.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startUpgraded();
});
afterAll(() => gateway.close());

async function startUpgraded(): Promise<TestGateway> {
  const clock = new ManualClock();
  return startTestGateway({ dataFolder: await upgradedFolder(clock), clock });
}

const storeOf = () => ({ postgresUrl: null, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') });
const json = async <T>(path: string, key?: string): Promise<T> =>
  (await (await gateway.request('GET', path, key === undefined ? {} : { key })).json()) as T;
const statusOf = async (key: string, path: string, method = 'GET') => {
  const answer = await gateway.request(method, path, { key: tokenOf(key) });
  // A document that is not read would break Node's client when the gateway ends.
  await answer.arrayBuffer();
  return answer.status;
};

const [[delivered], [unconfirmed]] = ['success', 'reconciliation_required'].map((state) =>
  Object.entries(EXPECTED.jobs)
    .filter(([, job]) => job.state === state)
    .map(([id]) => id),
) as [[string], [string]];
const receivedIds = Object.entries(EXPECTED.received)
  .filter(([, { kind }]) => kind === 'good')
  .map(([id]) => id);
const [received = ''] = receivedIds;
const missing = Object.entries(EXPECTED.received).find(([, { kind }]) => kind === 'missing')?.[0] ?? '';

describe('rule (access): a key of an earlier release does exactly what it may', () => {
  test('with fax:send and fax:read', async () => {
    expect(await statusOf('sending', `/fax/${delivered}`)).toBe(200);
    expect(await statusOf('sending', '/fax')).toBe(200);
    expect(await statusOf('sending', `/fax/${delivered}/resend`, 'POST')).not.toBe(403);
    for (const path of [
      '/inbound',
      `/inbound/${received}`,
      `/fax/${delivered}/document`,
      '/access/keys',
      '/admin/settings',
    ])
      expect([path, await statusOf('sending', path)]).toEqual([
        path,
        expect.toSatisfy((status) => status === 403 || status === 404),
      ]);
  });

  test('with inbound:list and inbound:read: it opens no document', async () => {
    expect(await statusOf('reading', '/inbound')).toBe(200);
    expect(await statusOf('reading', `/inbound/${received}`)).toBe(200);
    expect(await statusOf('reading', `/inbound/${received}/pdf`)).toBe(403);
    expect(await statusOf('reading', `/fax/${delivered}`)).not.toBe(200);
  });

  test('revoked, expired, or waiting for approval: nothing', async () => {
    const refusals = new Map<string, string | null>();
    for (const name of ['revoked', 'expired', 'everything', 'no scopes', 'keys']) {
      const answer = await gateway.request('GET', '/auth/me', { key: tokenOf(name) });
      expect([name, answer.status]).toEqual([name, 401]);
      refusals.set(name, answer.headers.get('X-Error-Code'));
    }
    expect(Object.fromEntries(refusals)).toEqual({
      revoked: 'key_revoked',
      expired: 'key_expired',
      everything: 'key_not_approved',
      'no scopes': 'key_not_approved',
      keys: 'key_not_approved',
    });
  });

  test('that lost permissions keeps the others, and the audit names those it lost', async () => {
    const me = await json<{ permissions: string[] }>('/auth/me', tokenOf('unknown scope'));
    expect(me.permissions).toEqual(['fax:send']);
    const events = await rowsOf<{ operation: string; details: string }>(storeOf(), 'security_event');
    const taken = events
      .filter(({ operation }) => operation === 'key.take_over')
      .map(({ details }) => JSON.parse(details) as { name: string; removed_permissions: string[] });
    expect(taken).toHaveLength(9);
    expect(taken.find(({ name }) => name === 'unknown scope')?.removed_permissions).toEqual([
      'host:actions',
      'tunnels:read',
    ]);
  });

  test('with a hash of either kind is hashed anew at its first use', async () => {
    expect(await statusOf('pbkdf2', `/fax/${delivered}`)).toBe(200);
    await gateway.processAll();
    expect(await statusOf('pbkdf2', `/fax/${delivered}`)).toBe(200);
    const wrong = tokenOf('pbkdf2').replace(/.{4}$/u, 'AAAA');
    expect((await gateway.request('GET', `/fax/${delivered}`, { key: wrong })).status).toBe(401);
  });

  test('works once it is approved, with its own token', async () => {
    const { items, policy_version } = await json<{
      items: { key_id: string; version: number }[];
      policy_version: number;
    }>('/access/keys?limit=200');
    const token = tokenOf('everything');
    const keyId = token.split('_')[2] ?? '';
    const key = items.find(({ key_id }) => key_id === keyId);
    const { items: people } = await json<{ items: { id: string; version: number; display_name: string }[] }>(
      '/access/users?kind=integration&limit=200',
    );
    const owner = people.find(({ display_name }) => display_name === 'API key: sending');
    const answer = await gateway.request('POST', `/access/keys/${keyId}/approve`, {
      json: {
        principal: { id: owner?.id, version: owner?.version },
        ceiling: [{ permission: 'fax:read', resource_id: 'installation' }],
        version: key?.version,
        expected_policy_version: policy_version,
      },
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
    expect((await gateway.request('GET', `/fax/${delivered}`, { key: token })).status).toBe(200);
    expect((await gateway.request('GET', '/inbound', { key: token })).status).toBe(403);
  });
});

describe('rule (crossings): faxes of an earlier release', () => {
  test('stand in every list and answer with their own state', async () => {
    const fax = await gateway.fax(unconfirmed);
    expect(fax).toMatchObject({
      delivery_state: 'reconciliation_required',
      dispatch_mode: 'legacy',
      attempt: null,
      cost: null,
      free: false,
    });
    expect(fax.reconciliation_reason).toContain('The earlier release left this fax as');
    const { items } = await json<{ items: { id: string }[] }>('/fax?state=reconciliation_required&limit=200');
    expect(items.map(({ id }) => id)).toContain(unconfirmed);
    expect((await gateway.history(delivered)).map(({ kind }) => kind)).toEqual(['accepted', 'success']);
    const inbox = await json<{ id: string; status: string }[]>('/inbound?limit=200');
    expect(inbox).toHaveLength(30);
    expect(await json('/inbound/' + missing)).toMatchObject({
      status: 'failed',
      status_text: 'Not received',
      problem: expect.stringContaining('is not in the folder of files'),
    });
  });

  test('are never sent by themselves, and a person records what became of them', async () => {
    await gateway.processAll();
    expect(gateway.emulator.faxes ?? []).toHaveLength(0);
    const fax = await gateway.fax(unconfirmed);
    const answer = await gateway.request('POST', `/fax/${unconfirmed}/reconcile`, {
      json: { outcome: 'success', note: 'They have it', delivery_version: fax.delivery_version },
    });
    expect(answer.status).toBe(200);
    expect(await gateway.fax(unconfirmed)).toMatchObject({
      delivery_state: 'success',
      dispatch_mode: 'legacy',
    });
    expect((await gateway.request('POST', `/fax/${delivered}/refresh`)).status).toBe(200);
  });

  test('cost nothing that nobody recorded', async () => {
    const costs = await json<{ all: { amounts: object[]; known: number; unknown: number } }>(
      '/routing/costs?from=2026-01-01&to=2026-12-31',
    );
    expect(costs.all).toEqual({ amounts: [], known: 0, unknown: 0 });
  });

  test('have a work item whose evidence can be exported and whose history is whole', async () => {
    const { work_item_id } = await json<{ work_item_id: string }>(`/inbound/${received}`);
    const exported = await gateway.request('GET', `/work/${work_item_id}/export`);
    expect([exported.status, exported.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
    const { verifyHistories } = await import('../../server/features/work/offline.ts');
    const db = openDatabase(storeOf());
    try {
      expect(await verifyHistories(() => db.read, null)).toMatchObject({ intact: true, problems: [] });
    } finally {
      await db.close();
    }
  });

  test('are in a backup', async () => {
    await gateway.makeBackup();
  });

  test('lose their documents by the same retention as others', async () => {
    await gateway.set({ INBOUND_RETENTION_DAYS: 1, ARTIFACT_TTL_DAYS: 1 });
    for (let day = 0; day < 3; day += 1) {
      gateway.clock.advance(DAY);
      await gateway.processAll();
    }
    expect(await json(`/inbound/${received}`)).toMatchObject({ status: 'received', document_kept: false });
  });
});

test('rule (outbound): a request of an earlier release is repeated only with its number as it was written', async () => {
  const headers = { 'Idempotency-Key': 'earlier-request' };
  const fax = await gateway.send({ to: '+12025550123' }, headers);
  const db = openDatabase(storeOf());
  try {
    await db.unrestricted
      .updateTable('fax_job')
      .set({ dispatch_mode: 'legacy' })
      .where('id', '=', fax.id)
      .execute();
  } finally {
    await db.close();
  }
  expect((await gateway.send({ to: '+12025550123' }, headers)).id).toBe(fax.id);
  await expect(gateway.send({ to: '(202) 555-0123' }, headers)).rejects.toThrow('409');
});

describe('the upgrade in the console', () => {
  const state = () => json<UpgradeStateAnswer>('/console/upgrade');

  test('shows the report of the last one, and its lines page by page', async () => {
    const { report, check, problem, can_upgrade } = await state();
    expect(report).toMatchObject({ source: FIXTURE.from, dry_run: false, counts: { sent_moved: 60 } });
    expect([check, problem, can_upgrade]).toEqual([null, null, false]);
    const texts: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await json<{ items: { text: string }[]; next_cursor: string | null }>(
        `/console/upgrade/lines?limit=7${cursor}`,
      );
      texts.push(...page.items.map(({ text }) => text));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(texts).toEqual(report?.lines.map(({ text }) => text));
    expect((await gateway.request('GET', '/console/upgrade/lines?cursor=x')).status).toBe(400);
  });

  test('checks an earlier installation beside the running gateway, and says why it cannot', async () => {
    const order = (database: string) =>
      gateway.request('POST', '/console/upgrade/check', {
        json: { database, files: FIXTURE.files, environment: FIXTURE.environmentFile },
      });
    expect((await order(FIXTURE.from)).status).toBe(202);
    await expect.poll(async () => (await state()).checking, { timeout: 60_000 }).toBe(false);
    expect((await state()).check).toMatchObject({ dry_run: true, repeated: true });
    expect((await order(join(gateway.dataFolder, 'missing.db'))).status).toBe(202);
    await expect.poll(async () => (await state()).checking, { timeout: 60_000 }).toBe(false);
    expect((await state()).problem).toMatch(/^There is no database/u);
  });

  test('cannot be started where nobody could start the gateway again', async () => {
    const answer = await gateway.request('POST', '/console/upgrade', {
      json: { database: FIXTURE.from, files: FIXTURE.files },
    });
    expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([409, 'upgrade_not_here']);
  });

  test('is named in System while settings are ignored', async () => {
    const { warnings } = await json<{ warnings: string[] }>('/console/status');
    expect(warnings.filter((text) => text.includes('PLUGIN_REGISTRY_PATH'))).toHaveLength(1);
  });
});
