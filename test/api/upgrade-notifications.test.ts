import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InboundGateway, OWN_NUMBER, PUBLIC_URL, SENDER } from './inbound-setup.ts';

let inbound: InboundGateway;
beforeAll(async () => {
  inbound = await InboundGateway.start();
});
afterAll(() => inbound.close());

/** A received fax as an upgrade leaves it: its account was never recorded. */
function asOfEarlierRelease(id: string, numbers: { from?: string | null } = {}): void {
  const db = new BetterSqlite(join(inbound.gateway.dataFolder, 'faxdesk.sqlite'));
  const { from = SENDER } = numbers;
  db.prepare(
    "update inbound_fax set provider_account = 'cloudone:earlier-release', from_number = ?, captured = null where id = ?",
  ).run(from, id);
  db.close();
}

describe('rule (inbound): addresses of an earlier release answer as the present ones', () => {
  test('to a notification that is signed for the former address', async () => {
    const fax = inbound.arrive();
    const former = {
      url: `${inbound.gateway.url}/phaxio-inbound`,
      signedUrl: `${PUBLIC_URL}/phaxio-inbound`,
    };
    expect(await inbound.notify(fax, { ...former, tamper: 'signature' })).toMatchObject({ status: 401 });
    expect(
      await inbound.notify(fax, { ...former, signedUrl: `${PUBLIC_URL}/cloudone-inbound` }),
    ).toMatchObject({ status: 401 });
    expect(await inbound.list()).toEqual([]);
    expect(await inbound.notify(fax, former)).toMatchObject({ status: 200 });
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ status: 'received', provider_fax_id: String(fax.id) });
  });

  test.each([
    ['/phaxio-callback?job_id=a&attempt_id=b', '/cloudone-callback?job_id=a&attempt_id=b'],
    ['/sinch-inbound', '/cloudtwo-inbound'],
  ])('to %s, with a header that names the present one', async (former, present) => {
    const post = (path: string) => inbound.gateway.request('POST', path, { key: null, json: {} });
    const [a, b] = [await post(former), await post(present)];
    expect([a.status, await a.text()]).toEqual([b.status, await b.text()]);
    expect(a.headers.get('Deprecation')).toBe('true');
    expect(a.headers.get('Link')).toBe(`<${present.split('?')[0]}>; rel="successor-version"`);
    expect(b.headers.get('Deprecation')).toBeNull();
  });
});

describe('rule (inbound): a repeated notification of a fax that an earlier release received continues that fax', () => {
  test('whichever account the settings name by now', async () => {
    const [before] = await inbound.list();
    asOfEarlierRelease(before?.id ?? '');
    const fax = { id: Number(before?.provider_fax_id) } as Parameters<typeof inbound.notify>[0];
    expect(await inbound.notify(fax)).toMatchObject({ status: 200 });
    await inbound.work();
    expect(await inbound.only()).toMatchObject({ id: before?.id, status: 'received' });
  });

  test('but not where the numbers show another fax', async () => {
    const [before] = await inbound.list();
    asOfEarlierRelease(before?.id ?? '', { from: '+12025550777' });
    const fax = { id: Number(before?.provider_fax_id) } as Parameters<typeof inbound.notify>[0];
    expect(await inbound.notify(fax)).toMatchObject({ status: 200 });
    await inbound.work();
    expect(await inbound.list()).toHaveLength(2);
  });

  test('and one that was not received is fetched then', async () => {
    const arrived = inbound.arrive();
    await inbound.notifyBare(arrived);
    const waiting = (await inbound.list()).find((fax) => fax.provider_fax_id === String(arrived.id));
    const db = new BetterSqlite(join(inbound.gateway.dataFolder, 'faxdesk.sqlite'));
    db.prepare(
      "update inbound_fax set status = 'failed', problem = 'Its document is missing.', provider_account = 'cloudone:earlier-release', captured = null, retry_at = null where id = ?",
    ).run(waiting?.id);
    db.close();
    await inbound.notifyBare(arrived);
    await inbound.work();
    const fetched = (await inbound.list()).find((fax) => fax.id === waiting?.id);
    expect(fetched).toMatchObject({ status: 'received', problem: null, to: OWN_NUMBER });
  });
});

test('the evidence of a new fax names the notification that an earlier release had seen', async () => {
  const fax = inbound.arrive();
  const db = new BetterSqlite(join(inbound.gateway.dataFolder, 'faxdesk.sqlite'));
  db.prepare("insert into seen_notification values ('n', 'cloudone', ?, '2026-05-01T10:00:00.000Z')").run(
    String(fax.id),
  );
  db.close();
  await inbound.notifyBare(fax);
  const added = (await inbound.list()).find((each) => each.provider_fax_id === String(fax.id));
  const [first] = await inbound.evidence(added?.id ?? '');
  expect(first?.text).toContain('An earlier release saw a notification of this fax on 2026-05-01');
});
