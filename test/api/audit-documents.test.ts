import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { sessionWith } from './console-stream.ts';

const READING = ['fax:read', 'fax:document', 'inbound:list', 'inbound:read', 'inbound:document'];

let gateway: TestGateway;
let received: string;
let sent: string;
let key: string;
let keyId: string;
let session: Record<string, string>;

beforeEach(async () => {
  gateway = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
  sent = (await gateway.send()).id;
  const made = await gateway.request('POST', '/inbound/test', { json: {} });
  received = ((await made.json()) as { id: string }).id;
  const answer = await gateway.request('POST', '/admin/api-keys', { json: { scopes: READING } });
  ({ token: key, key_id: keyId } = (await answer.json()) as { token: string; key_id: string });
  session = await sessionWith(gateway, key);
});
afterEach(() => gateway.close());

const read = async (path: string, headers = session) => {
  const answer = await gateway.request('GET', path, { key: null, headers });
  await answer.arrayBuffer();
  return answer.status;
};
const withKey = () => ({ 'X-API-Key': key });

interface Entry {
  readonly operation: string;
  readonly credential_kind: string;
  readonly target: { kind: string; id: string };
  readonly details: Record<string, string>;
  readonly fax: unknown;
  readonly count: number;
  readonly at: string;
  readonly last_at: string;
}

/** Lists the audit entries about the document of a fax, oldest first. */
async function recorded(id: string): Promise<Entry[]> {
  const operation = 'document.opened,document.printed,document.downloaded';
  const answer = await gateway.request('GET', `/access/audit?target_id=${id}&operation=${operation}`);
  return ((await answer.json()) as { items: Entry[] }).items.toReversed();
}
const inShort = async (id: string) =>
  (await recorded(id)).map(({ operation, credential_kind, details, count }) => [
    operation.replace('document.', ''),
    details['document'],
    credential_kind,
    count,
  ]);

describe('the fax of an entry', () => {
  const faxOf = async (id: string, headers: Record<string, string>) => {
    const answer = await gateway.request('GET', `/access/audit?target_id=${id}`, { key: null, headers });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { items: Entry[] }).items.map(({ fax }) => fax);
  };
  const keyWith = async (...scopes: string[]) => {
    const answer = await gateway.request('POST', '/admin/api-keys', { json: { scopes } });
    return { 'X-API-Key': ((await answer.json()) as { token: string }).token };
  };

  test('is named for who may see it', async () => {
    expect(await read(`/fax/${sent}/document`)).toBe(200);
    expect(await read(`/inbound/${received}/pdf`)).toBe(200);
    const reader = await keyWith('audit:read', 'fax:read', 'inbound:list');
    expect(await faxOf(sent, reader)).toEqual([
      expect.objectContaining({ id: sent, direction: 'sent', number: '+12025550123', pages: 1, name: null }),
    ]);
    const [fax] = await faxOf(received, reader);
    expect(fax).toMatchObject({ id: received, direction: 'received', pages: 1 });
    const exported = await gateway.request('GET', `/access/audit/export?format=json&target_id=${received}`);
    expect(((await exported.json()) as Entry[])[0]?.fax).toMatchObject({ id: received });
  });

  test('is not named for who may not see it, nor for what is no fax', async () => {
    expect(await read(`/fax/${sent}/document`)).toBe(200);
    expect(await read(`/inbound/${received}/pdf`)).toBe(200);
    const reader = await keyWith('audit:read', 'inbound:list');
    expect(await faxOf(sent, reader)).toEqual([null]);
    expect(await faxOf(received, await keyWith('audit:read', 'fax:read'))).toEqual([null, null]);
    expect(await faxOf(keyId, await keyWith('audit:read', 'fax:read', 'inbound:list'))).toEqual([null]);
  });
});

describe('who got which document to see', () => {
  test('is recorded for received faxes by what they wanted it for', async () => {
    const path = `/inbound/${received}`;
    for (const asked of [
      '/pdf',
      '/pdf?purpose=open',
      '/pages/1.png',
      '/pdf?purpose=print',
      '/pdf?purpose=download',
    ])
      expect(await read(path + asked)).toBe(200);
    expect(await read(`${path}/pdf?purpose=fun`)).toBe(400);
    expect(await read(`${path}/pages/9.png`)).toBe(404);
    expect(await inShort(received)).toEqual([
      ['opened', 'received fax', 'session', 3],
      ['printed', 'received fax', 'session', 1],
      ['downloaded', 'received fax', 'session', 1],
    ]);
    expect((await recorded(received))[0]?.target).toEqual({ kind: 'inbound_fax', id: received });
  });

  test('is recorded for sent faxes and their reports, at the older address as well', async () => {
    for (const path of [
      `/fax/${sent}/document`,
      `/admin/fax-jobs/${sent}/pdf`,
      `/fax/${sent}/report`,
      `/fax/${sent}/report?purpose=print`,
    ])
      expect(await read(path)).toBe(200);
    expect(await inShort(sent)).toEqual([
      ['opened', 'sent fax', 'session', 2],
      ['opened', 'transmission report', 'session', 1],
      ['printed', 'transmission report', 'session', 1],
    ]);
    expect((await recorded(sent))[0]?.target).toEqual({ kind: 'fax', id: sent });
  });

  test('of a program that does not say what for, is that it has them; with its key', async () => {
    expect(await read(`/inbound/${received}/pdf`, withKey())).toBe(200);
    expect(await read(`/inbound/${received}/pages/1.png`, withKey())).toBe(200);
    expect(await inShort(received)).toEqual([
      ['downloaded', 'received fax', 'key', 1],
      ['opened', 'received fax', 'key', 1],
    ]);
    expect((await recorded(received)).map(({ details }) => details['key'])).toEqual([keyId, keyId]);
  });

  test('is one record an hour for 50 pictures at once, with their number, and the next hour another', async () => {
    const path = `/inbound/${received}/pages/1.png`;
    const began = new Date(gateway.clock.now()).toISOString();
    await Promise.all(Array.from({ length: 50 }, () => read(path)));
    gateway.clock.advance(MINUTE);
    await read(path);
    const last = new Date(gateway.clock.now()).toISOString();
    expect(await recorded(received)).toMatchObject([{ count: 51, at: began, last_at: last }]);
    gateway.clock.advance(HOUR);
    session = await sessionWith(gateway, key);
    await read(path);
    expect((await recorded(received)).map(({ count }) => count)).toEqual([51, 1]);
  });

  test('is not lost with a restart right after the answer', async () => {
    for (let time = 0; time < 3; time += 1) await read(`/inbound/${received}/pages/1.png`);
    gateway = await gateway.restart();
    await read(`/inbound/${received}/pages/1.png`);
    expect(await inShort(received)).toEqual([['opened', 'received fax', 'session', 4]]);
  });

  test('is nothing where nothing was shown', async () => {
    const other = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:read'] } });
    const { token } = (await other.json()) as { token: string };
    expect(await read(`/fax/${sent}/document`, { 'X-API-Key': token })).toBe(403);
    expect(await read(`/fax/${sent}/pdf?token=wrong`, {})).toBe(404);
    for (const path of [
      `/inbound/${received}/pdf`,
      `/inbound/${received}/pages/1.png`,
      `/fax/${sent}/report`,
    ])
      expect((await gateway.request('HEAD', path)).status).toBe(200);
    expect([await recorded(sent), await recorded(received)]).toEqual([[], []]);
    const fax = await (await gateway.request('GET', `/inbound/${received}`)).json();
    expect(fax).toMatchObject({ read_at: null });
  });
});

describe('an audit that cannot be written', () => {
  test('keeps nobody from a fax, is a warning, and has the record when it can be written again', async () => {
    const db = openDatabase({ postgresUrl: null, sqliteFile: join(gateway.dataFolder, 'faxdesk.sqlite') });
    const rename = (from: string, to: string) =>
      db.unrestricted.schema.alterTable(from).renameTo(to).execute();
    const warnings = async () =>
      ((await (await gateway.request('GET', '/health/ready')).json()) as { warnings?: string[] }).warnings ??
      [];
    try {
      await rename('security_event', 'away');
      expect(await read(`/inbound/${received}/pdf?purpose=print`)).toBe(200);
      expect(await read(`/fax/${sent}/document`)).toBe(200);
      expect((await warnings()).join(' ')).toMatch(
        /The security audit has not been written since .*: 2 records wait/u,
      );
      await rename('away', 'security_event');
    } finally {
      await db.close();
    }
    expect(await inShort(received)).toEqual([['printed', 'received fax', 'session', 1]]);
    expect((await warnings()).join(' ')).not.toContain('security audit');
  });
});
