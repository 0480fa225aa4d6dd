import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecurityAudit, type SecurityEvent } from '../../server/features/audit/service.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { type Answer, INSTALLATION_KEY, signIn, startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const EVENT: SecurityEvent = {
  actor: { id: 'ada', name: 'Ada' },
  credentialKind: 'session',
  operation: 'user.create',
  target: { kind: 'principal', id: 'bob' },
  outcome: 'done',
  policyVersion: 3,
  requestId: 'r1',
};

type Recorded = Partial<Omit<SecurityEvent, 'operation'> & { operation: string }>;

/** Records events of another release, one second after another. */
async function record(...events: Recorded[]): Promise<void> {
  const audit = createSecurityAudit({ clock: gateway.clock });
  await gateway.db.transaction(async (tx) => {
    for (const event of events) {
      gateway.clock.ms += 1000;
      await audit.record(tx, { ...EVENT, ...event } as SecurityEvent);
    }
  });
}

const list = (query = ''): Promise<Answer> =>
  gateway.request('GET', `/access/audit${query}`, { key: INSTALLATION_KEY });

async function operations(query: string): Promise<string[]> {
  const answer = await list(query);
  expect(answer.status).toBe(200);
  return answer.body.items.map((item: { operation: string }) => item.operation);
}

const download = (query = '') =>
  fetch(`${gateway.url}/access/audit/export${query}`, { headers: { 'X-API-Key': INSTALLATION_KEY } });

describe('the security audit', () => {
  it('shows what was done, by whom and with what, newest first', async () => {
    const made = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { scopes: ['audit:read'] },
    });
    const seen = await gateway.request('GET', '/access/audit', { key: made.body.token });
    expect(seen.status).toBe(200);
    const [newest] = seen.body.items;
    expect(newest).toEqual({
      id: expect.any(String),
      at: new Date(gateway.clock.ms).toISOString(),
      last_at: new Date(gateway.clock.ms).toISOString(),
      seq: expect.any(Number),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
      count: 1,
      actor: { id: 'bootstrap', name: 'Installation key' },
      credential_kind: 'installation_key',
      operation: 'key.create',
      target: { kind: 'api_key', id: made.body.key_id },
      outcome: 'done',
      policy_version: expect.any(Number),
      request_id: made.headers.get('x-request-id'),
      details: expect.objectContaining({ ceiling: ['audit:read on installation'], expires_at: null }),
      fax: null,
    });
    expect(seen.body.items.at(-1).operation).toBe('role.refresh');
  });

  it('finds what somebody did, what happened to something, what was refused, and when', async () => {
    await record(
      { operation: 'a' },
      { operation: 'b', actor: { id: 'eve', name: 'Eve' }, outcome: 'refused' },
      { operation: 'c', target: { kind: 'principal', id: 'carol' } },
    );
    expect(await operations('?actor_id=eve')).toEqual(['b']);
    expect(await operations('?target_id=bob')).toEqual(['b', 'a']);
    expect(await operations('?operation=c')).toEqual(['c']);
    expect(await operations('?operation=c,a')).toEqual(['c', 'a']);
    expect(await operations('?operation=c&operation=b')).toEqual(['c', 'b']);
    expect(await operations('?outcome=refused')).toEqual(['b']);
    expect(await operations('?outcome=refused&actor_id=ada')).toEqual([]);
    const at = (seconds: number) => new Date(gateway.clock.ms - seconds * 1000).toISOString();
    expect(await operations(`?actor_id=ada&since=${at(1)}`)).toEqual(['c']);
    expect(await operations(`?since=${at(2)}&until=${at(0)}`)).toEqual(['b', 'a']);
    // The same moment, written in another time zone.
    const there = new Date(gateway.clock.ms + 2 * 3_600_000).toISOString().replace('Z', '%2B02:00');
    expect(await operations(`?actor_id=ada&since=${there}`)).toEqual(['c']);
    expect((await list('?since=yesterday')).status).toBe(400);
    expect((await list('?cursor=nonsense')).status).toBe(400);
  });

  it('is read page by page without gaps or repeats while more is recorded', async () => {
    await record(...Array.from({ length: 5 }, (_, n) => ({ operation: `step.${n}` })));
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=2&target_id=bob${cursor}`);
      seen.push(...page.body.items.map((item: { operation: string }) => item.operation));
      cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
      await record({ operation: 'later' });
    } while (cursor !== '');
    expect(seen).toEqual(['step.4', 'step.3', 'step.2', 'step.1', 'step.0']);
  });
});

describe('the security audit as a file', () => {
  it('is CSV with a name and a line for each event, over many pages of the store', async () => {
    await record(...Array.from({ length: 1203 }, (_, n) => ({ operation: `step.${n}` })));
    const file = await download('?target_id=bob');
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="faxdesk-audit-2026-10-05.csv"',
    );
    const lines = (await file.text()).split('\r\n');
    expect(lines.shift()).toBe(
      'at,actor_id,actor_name,credential_kind,operation,target_kind,target_id,outcome,policy_version,request_id,details,id,last_at,count,seq,digest',
    );
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => line.split(',')[4])).toEqual(
      Array.from({ length: 1203 }, (_, n) => `step.${1202 - n}`),
    );
  });

  it('has no cell that a spreadsheet takes for a formula, and keeps commas, quotes and line breaks', async () => {
    await addPerson(gateway, { login: '=2+3' });
    expect((await signIn(gateway, '=2+3', GOOD_PASSWORD)).status).toBe(200);
    const names = ['+1', '-1', '@SUM(A1)', '\t=1', 'Ada, "the first"\nof many', 'Æ 5=5'];
    await record(...names.map((name) => ({ actor: { id: null, name }, details: { name: 'a,"b"' } })));
    const text = await (await download()).text();
    for (const cell of [`,'=2+3,`, `,'+1,`, `,'-1,`, `,'@SUM(A1),`, `,'\t=1,`, ',Æ 5=5,'])
      expect(text).toContain(cell);
    expect(text).toContain(',"Ada, ""the first""\nof many",');
    expect(text).toContain(',"{""name"":""a,\\""b\\""""}",');
  });

  it('is JSON that shows what the list shows, also when nothing fits', async () => {
    await record(...Array.from({ length: 3 }, (_, n) => ({ operation: `step.${n}` })));
    const file = await download('?format=json&target_id=bob');
    expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="faxdesk-audit-2026-10-05.json"',
    );
    expect(await file.json()).toEqual((await list('?target_id=bob')).body.items);
    expect(await (await download('?format=json&target_id=nobody')).json()).toEqual([]);
    expect((await download('?format=xml')).status).toBe(400);
  });

  it('needs audit:read', async () => {
    const made = await gateway.request('POST', '/admin/api-keys', { key: INSTALLATION_KEY, body: {} });
    for (const path of ['/access/audit', '/access/audit/export'])
      expect((await gateway.request('GET', path, { key: made.body.token })).status).toBe(403);
  });
});
