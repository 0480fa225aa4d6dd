import { execFile as execFileWithCallback } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { Assistant, WAYS, type Way } from './assistant-setup.ts';

const execFile = promisify(execFileWithCallback);
const TO = '+12025550123';
const HTTP = WAYS[0];
const OLDER = WAYS[1];
const EVENTS = WAYS[4];
const fileContent = Buffer.from(textPdf(1)).toString('base64');
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

let gateway: TestGateway;
let key: string;
let other: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  [key, other] = [await keyFor(), await keyFor()];
});
afterAll(() => gateway.close());
beforeEach(() => gateway.set({ ASSISTANT_ENABLED: true, ASSISTANT_CONFIRM: 'always' }));

async function keyFor(): Promise<string> {
  const json = { scopes: ['fax:send', 'fax:read'], name: 'Program' };
  const answer = await gateway.request('POST', '/admin/api-keys', { json });
  return ((await answer.json()) as { token: string }).token;
}

const post = (body: unknown, more: { key?: string | null; headers?: Record<string, string> } = {}) =>
  gateway.request('POST', '/mcp', {
    key: more.key === undefined ? key : more.key,
    json: body,
    headers: { ...JSON_TYPE, ...more.headers },
  });

/** Sends a new fax and counts the questions. */
async function questions(way: Way): Promise<number> {
  let asked = 0;
  const confirm = () => {
    asked += 1;
    return 'yes' as const;
  };
  const assistant = await Assistant.connect({ way, url: gateway.url, key, confirm });
  await assistant.facts('send_fax', { to: TO, fileContent, operationId: crypto.randomUUID() });
  await assistant.close();
  return asked;
}

describe.each([HTTP, OLDER])('the setting ASSISTANT_CONFIRM in revision $revision', (way) => {
  test('asks always, the first time to a number, or never', async () => {
    expect(await questions(way)).toBe(1);
    expect(await questions(way)).toBe(1);
    await gateway.set({ ASSISTANT_CONFIRM: 'first_time' });
    expect(await questions(way)).toBe(0);
    await gateway.set({ ASSISTANT_CONFIRM: 'never' });
    expect(await questions(way)).toBe(0);
  });
});

test('asks a person the first time to a number', async () => {
  await gateway.set({ ASSISTANT_CONFIRM: 'first_time' });
  const asked: string[] = [];
  const confirm = (question: string) => {
    asked.push(question);
    return 'yes' as const;
  };
  const assistant = await Assistant.connect({ way: HTTP, url: gateway.url, key, confirm });
  for (const operationId of ['first', 'second'])
    await assistant.facts('send_fax', { to: '+12025550177', fileContent, operationId });
  await assistant.close();
  expect(asked).toHaveLength(1);
});

test('sends without a question where the program cannot show one', async () => {
  const assistant = await Assistant.connect({ way: HTTP, url: gateway.url, key, plainHeader: true });
  await assistant.facts('send_fax', { to: TO, fileContent, operationId: 'no-question' });
  await assistant.close();
});

test('starts by the command only with a key, and with folders that there are', async () => {
  const run = async (words: string[], environment: Record<string, string>) => {
    const env = { PATH: process.env['PATH'] ?? '', FAXDESK_URL: gateway.url, ...environment };
    const command = execFile(process.execPath, ['server/faxdesk.mjs', 'assistant', ...words], {
      cwd: ROOT,
      env,
    });
    return await command.then(
      () => 'it ended',
      ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr.trim()}`,
    );
  };
  expect(await run([], {})).toBe('3: An assistant needs an API key. Set FAXDESK_API_KEY, or give --key.');
  expect(await run([], { FAXDESK_API_KEY: 'key_live_wrong_wrong' })).toMatch(/^3: /u);
  await gateway.set({ ASSISTANT_ENABLED: false });
  expect(await run([], { FAXDESK_API_KEY: key })).toBe('5: Assistants are turned off in Settings.');
  const folder = '/nowhere/at/all';
  expect(await run(['--folder', folder], { FAXDESK_API_KEY: key })).toBe(`9: ${folder} is not a folder.`);
});

describe('the addresses of assistants', () => {
  test('need a key, and take no session of a browser', async () => {
    expect((await post(INITIALIZE, { key: null })).status).toBe(401);
    expect((await post(INITIALIZE, { key: 'key_live_wrong_wrong' })).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/mcp'],
      ['DELETE', '/mcp'],
      ['GET', '/mcp/sse'],
      ['POST', '/mcp/messages?sessionId=x'],
    ] as const)
      expect((await gateway.request(method, path, { key: null })).status, path).toBe(401);
  });

  test('refuse pages of other sites and unknown host names', async () => {
    const foreign = await post(INITIALIZE, { headers: { Origin: 'https://evil.example' } });
    expect([foreign.status, foreign.headers.get('X-Error-Code')]).toEqual([403, 'origin_refused']);
    const own = await post(INITIALIZE, { headers: { Origin: gateway.url } });
    expect(own.status).toBe(200);
  });

  test('answer 404 while assistants are turned off, and end their sessions', async () => {
    const assistant = await Assistant.connect({ way: OLDER, url: gateway.url, key });
    await gateway.set({ ASSISTANT_ENABLED: false });
    await expect(assistant.call('list_inbound')).rejects.toThrow();
    const answer = await post(INITIALIZE);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { detail: 'Assistants are turned off in Settings.' },
    ]);
    expect((await gateway.request('GET', '/mcp/rules', { key })).status).toBe(404);
    await assistant.close();
  });

  test('keep a session for the key that opened it', async () => {
    const begun = await post(INITIALIZE);
    const session = begun.headers.get('Mcp-Session-Id') ?? '';
    expect(session).toHaveLength(32);
    await begun.text();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    const headers = { 'Mcp-Session-Id': session };
    const stolen = await post(list, { key: other, headers });
    expect([stolen.status, stolen.headers.get('X-Error-Code')]).toEqual([404, 'no_such_assistant_session']);
    expect((await post(list, { headers })).status).toBe(200);
    const ended = await gateway.request('DELETE', '/mcp', { key, headers });
    expect(ended.status).toBe(200);
    expect((await post(list, { headers })).status).toBe(404);
  });

  test('refuse what is no message, with a code', async () => {
    const bad = await post({ nothing: true });
    expect([bad.status, bad.headers.get('X-Error-Code')]).toEqual([400, 'protocol_refused']);
    const form = await gateway.request('POST', '/mcp', { key, form: new FormData() });
    expect(form.status).toBe(415);
    const version = { 'MCP-Protocol-Version': '1999-01-01' };
    expect((await post({ jsonrpc: '2.0', id: 3, method: 'tools/list' }, { headers: version })).status).toBe(
      400,
    );
  });

  test('refuse a message above the limit of a document', async () => {
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    const large = { ...INITIALIZE, padding: 'x'.repeat(3 * 1024 * 1024) };
    expect((await post(large)).status).toBe(413);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
  });

  test('say that the transport by server-sent events is deprecated', async () => {
    const assistant = await Assistant.connect({ way: EVENTS, url: gateway.url, key });
    await assistant.facts('send_fax', { to: TO, fileContent, operationId: 'by-events' });
    await assistant.close();
    const answer = await gateway.request('POST', '/mcp/messages?sessionId=gone', { key, json: INITIALIZE });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Deprecation')).toBe('true');
    expect(answer.headers.get('Sunset')).toMatch(/ 2027 /u);
    expect(answer.headers.get('Link')).toBe('</mcp>; rel="successor-version"');
  });

  test('stop with the gateway although sessions are open', async () => {
    const assistant = await Assistant.connect({ way: OLDER, url: gateway.url, key });
    const began = performance.now();
    gateway = await gateway.restart();
    expect(performance.now() - began).toBeLessThan(10_000);
    await assistant.close();
  });
});
