import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sessionWith } from '../api/console-stream.ts';
import { AccessOffice, type Item } from '../setup/access-office.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { BOUNDARY, END, FILE, MEGABYTE, part, RawCaller, TO } from '../setup/raw-form.ts';
import type { RawLine } from '../setup/raw-line.ts';

const SCOPES = ['fax:send', 'fax:read', 'settings:write', 'roles:manage', 'logs:read'];

let desk: TestGateway;
let office: AccessOffice;
let caller: RawCaller;
beforeAll(async () => {
  desk = await startTestGateway();
  office = new AccessOffice(desk);
  caller = new RawCaller(desk);
});
afterEach(() => caller.close());
afterAll(() => desk.close());

interface Somebody {
  readonly token: string;
  readonly assignment: Item;
  readonly key: { keyId: string; version: number };
}

async function somebody(): Promise<Somebody> {
  const person = await office.integration('Somebody');
  const role = await office.role(`Role of ${person.id}`, SCOPES);
  const assignment = await office.assign(person, role);
  const key = await office.key(person, SCOPES);
  return { token: key.token, assignment, key };
}

const takeRole = ({ assignment }: Somebody) =>
  office.made('POST', `/access/assignments/${assignment.id}/remove`, { version: assignment.version });
const revoke = ({ key }: Somebody) =>
  office.made('POST', `/access/keys/${key.keyId}/revoke`, { version: key.version });

/** A request of which all but the end is at the gateway, which waits for the rest. */
async function begun(who: Somebody, request: { method?: string; path: string; type: string; body: string }) {
  const { method = 'POST', path, type, body } = request;
  const line = await caller.open();
  const heads = [`X-API-Key: ${who.token}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
  await line.send(
    [`${method} ${path} HTTP/1.1`, 'Host: gateway', 'Expect: 100-continue', ...heads, '', ''].join('\r\n'),
  );
  // The go-ahead comes once the door was passed and the body is read.
  const goAhead = await line.answer();
  expect(goAhead.status).toBe(100);
  await line.send(body.slice(0, -2));
  return { line, finish: () => ended(line, body.slice(-2)) };
}

async function ended(line: RawLine, rest: string): Promise<[number, unknown]> {
  await line.send(rest);
  const { status, body } = await line.answer();
  return [status, JSON.parse(body)];
}

const GONE = [
  ['the role was taken away', takeRole, [403, { detail: 'You may not do that here.' }]],
  ['the key was revoked', revoke, [401, { detail: 'That API key was revoked.' }]],
] as const;
const FORM = { path: '/fax', type: `multipart/form-data; boundary=${BOUNDARY}`, body: `${TO}${FILE}${END}` };
const JSON_TYPE = 'application/json';

test.each(GONE)('an upload during which %s is no fax', async (_what, change, refusal) => {
  const who = await somebody();
  const faxes = await caller.faxCount();
  const upload = await begun(who, FORM);
  await change(who);
  expect(await upload.finish()).toEqual(refusal);
  expect(await caller.faxCount()).toBe(faxes);
  await caller.workFolderHas(0);
});

test.each(GONE)(
  'settings that are on their way while %s stay as they were',
  async (_what, change, refusal) => {
    const who = await somebody();
    const body = JSON.stringify({ changes: { FAX_ORGANIZATION: 'Another Clinic' } });
    const writing = await begun(who, { method: 'PUT', path: '/admin/settings', type: JSON_TYPE, body });
    await change(who);
    expect(await writing.finish()).toEqual(refusal);
    expect((await office.get('/console/installation')).organization).toBe('Example Clinic');
  },
);

test.each(GONE)('a role that is on its way while %s is not made', async (_what, change, refusal) => {
  const who = await somebody();
  const name = `Never ${who.key.keyId}`;
  // The policy version as it will be after the change: only the caller is out of date.
  const body = JSON.stringify({
    name,
    permissions: [],
    expected_policy_version: (await office.policy()) + 1,
  });
  const making = await begun(who, { path: '/access/roles', type: JSON_TYPE, body });
  await change(who);
  expect(await making.finish()).toEqual(refusal);
  const { items } = await office.get('/access/roles?limit=200');
  expect(items.map((role: { name: string }) => role.name)).not.toContain(name);
});

test('an upload whose sender keeps the right is a fax', async () => {
  const upload = await begun(await somebody(), {
    ...FORM,
    body: `${TO}${part('name="titles"', 'a')}${FILE}${END}`,
  });
  expect((await upload.finish())[0]).toBe(202);
});

test('a download that began before its session ended may end, and nothing begins after it', async () => {
  const who = await somebody();
  const session = await sessionWith(desk, who.token);
  const line = `${JSON.stringify({ level: 'info', msg: 'x'.repeat(1000) })}\n`;
  await mkdir(join(desk.dataFolder, 'logs'), { recursive: true });
  const whole = line.repeat(Math.ceil((24 * MEGABYTE) / line.length));
  await writeFile(join(desk.dataFolder, 'logs', 'gateway.log'), whole);
  const ask = () => desk.request('GET', '/console/logs/file', { key: null, headers: session });
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
