import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sessionWith } from '../api/console-stream.ts';
import { AccessAdministrator, type Item } from '../setup/access-administrator.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import type { RawConnection } from '../setup/raw-connection.ts';
import { BOUNDARY, END, FILE, MEGABYTE, part, RawCaller, TO } from '../setup/raw-form.ts';

const SCOPES = ['fax:send', 'fax:read', 'settings:write', 'roles:manage', 'logs:read'];

let gateway: TestGateway;
let administrator: AccessAdministrator;
let caller: RawCaller;
beforeAll(async () => {
  gateway = await startTestGateway();
  administrator = new AccessAdministrator(gateway);
  caller = new RawCaller(gateway);
});
afterEach(() => caller.close());
afterAll(() => gateway.close());

interface Somebody {
  readonly token: string;
  readonly assignment: Item;
  readonly key: { keyId: string; version: number };
}

async function somebody(): Promise<Somebody> {
  const person = await administrator.integration('Somebody');
  const role = await administrator.role(`Role of ${person.id}`, SCOPES);
  const assignment = await administrator.assign(person, role);
  const key = await administrator.key(person, SCOPES);
  return { token: key.token, assignment, key };
}

const takeRole = ({ assignment }: Somebody) =>
  administrator.sendOk('POST', `/access/assignments/${assignment.id}/remove`, {
    version: assignment.version,
  });
const revoke = ({ key }: Somebody) =>
  administrator.sendOk('POST', `/access/keys/${key.keyId}/revoke`, { version: key.version });

/** A request of which all but the end is at the gateway, which waits for the rest. */
async function beginRequest(
  who: Somebody,
  request: { method?: string; path: string; type: string; body: string },
) {
  const { method = 'POST', path, type, body } = request;
  const connection = await caller.open();
  const heads = [`X-API-Key: ${who.token}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
  await connection.send(
    [`${method} ${path} HTTP/1.1`, 'Host: gateway', 'Expect: 100-continue', ...heads, '', ''].join('\r\n'),
  );
  // The go-ahead comes once access was checked and the body is read.
  const goAhead = await connection.answer();
  expect(goAhead.status).toBe(100);
  await connection.send(body.slice(0, -2));
  return { line: connection, finish: () => finishRequest(connection, body.slice(-2)) };
}

async function finishRequest(connection: RawConnection, rest: string): Promise<[number, unknown]> {
  await connection.send(rest);
  const { status, body } = await connection.answer();
  return [status, JSON.parse(body)];
}

const GONE = [
  ['the role was taken away', takeRole, [403, { detail: 'You do not have permission to do that.' }]],
  ['the key was revoked', revoke, [401, { detail: 'That API key was revoked.' }]],
] as const;
const FORM = { path: '/fax', type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${TO}${FILE}${END}` };
const JSON_TYPE = 'application/json';

test.each(GONE)('an upload during which %s is no fax', async (_what, change, refusal) => {
  const who = await somebody();
  const faxes = await caller.faxCount();
  const upload = await beginRequest(who, FORM);
  await change(who);
  expect(await upload.finish()).toEqual(refusal);
  expect(await caller.faxCount()).toBe(faxes);
  await caller.expectWorkFiles(0);
});

test.each(GONE)(
  'settings that are on their way while %s stay as they were',
  async (_what, change, refusal) => {
    const who = await somebody();
    const body = JSON.stringify({ changes: { FAX_ORGANIZATION: 'Another Clinic' } });
    const writing = await beginRequest(who, {
      method: 'PUT',
      path: '/admin/settings',
      type: JSON_TYPE,
      body,
    });
    await change(who);
    expect(await writing.finish()).toEqual(refusal);
    expect((await administrator.get('/console/installation')).organization).toBe('Example Clinic');
  },
);

test.each(GONE)('a role that is on its way while %s is not made', async (_what, change, refusal) => {
  const who = await somebody();
  const name = `Never ${who.key.keyId}`;
  // The policy version as it will be after the change: only the caller is out of date.
  const body = JSON.stringify({
    name,
    permissions: [],
    expected_policy_version: (await administrator.policy()) + 1,
  });
  const making = await beginRequest(who, { path: '/access/roles', type: JSON_TYPE, body });
  await change(who);
  expect(await making.finish()).toEqual(refusal);
  const { items } = await administrator.get('/access/roles?limit=200');
  expect(items.map((role: { name: string }) => role.name)).not.toContain(name);
});

test('an upload whose sender keeps the right is a fax', async () => {
  const upload = await beginRequest(await somebody(), {
    ...FORM,
    body: `${TO}${part('name="titles"', 'a')}${FILE}${END}`,
  });
  expect((await upload.finish())[0]).toBe(202);
});

test('a download that began before its session ended may end, and nothing begins after it', async () => {
  const who = await somebody();
  const session = await sessionWith(gateway, who.token);
  const line = `${JSON.stringify({ level: 'info', msg: 'x'.repeat(1000) })}\n`;
  await mkdir(join(gateway.dataFolder, 'logs'), { recursive: true });
  const whole = line.repeat(Math.ceil((24 * MEGABYTE) / line.length));
  await writeFile(join(gateway.dataFolder, 'logs', 'gateway.log'), whole);
  const ask = () => gateway.request('GET', '/console/logs/file', { key: null, headers: session });
  const download = await ask();
  const reader = download.body?.getReader();
  let size = (await reader?.read())?.value?.length ?? 0;
  expect(size).toBeLessThan(whole.length);
  await revoke(who);
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    size += piece.value.length;
  }
  expect([download.status, size]).toEqual([200, whole.length]);
  expect((await ask()).status).toBe(401);
});
