import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { clientProgram, hasClientPrograms, NOT_INSTALLED } from '../setup/client-programs.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';
const TOOLS = [
  'send_fax',
  'get_fax_status',
  'get_fax',
  'list_inbound',
  'get_inbound_pdf',
  'list_work',
  'acknowledge_work',
  'find_contact',
];

let gateway: TestGateway;
let key: string;
let home: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  home = await mkdtemp(join(tmpdir(), 'faxdesk-inspector-'));
  const scopes = ['fax:send', 'fax:read', 'inbound:list', 'inbound:document', 'work:read', 'contacts:read'];
  const made = await gateway.request('POST', '/admin/api-keys', { json: { scopes, name: 'Inspector' } });
  ({ token: key } = (await made.json()) as { token: string });
});
beforeEach((context) => {
  if (!hasClientPrograms()) context.skip(NOT_INSTALLED);
});
afterAll(async () => {
  await gateway.close();
  await rm(home, { recursive: true, force: true });
});

const WAYS: Readonly<Record<string, () => readonly string[]>> = {
  http: () => ['--server-url', `${gateway.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${key}`],
  stdio: () => [
    process.execPath,
    join(ROOT, 'server/faxdesk.mjs'),
    'assistant',
    '-e',
    `FAXDESK_URL=${gateway.url}`,
    '-e',
    `FAXDESK_API_KEY=${key}`,
  ],
};

/** Runs a method by the command line of the vendor's inspector; returns its result. */
async function inspect(way: string, ...args: readonly string[]): Promise<unknown> {
  const program = [clientProgram(INSPECTOR), '--cli', ...(WAYS[way]?.() ?? []), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { PATH: process.env['PATH'], HOME: home, MCP_AUTO_OPEN_ENABLED: 'false' },
  });
  return JSON.parse(stdout);
}

describe.each(Object.keys(WAYS))("the command line of the vendor's inspector over %s", (way) => {
  test('lists the tools and finds no fault in their schemas', async () => {
    const { tools } = (await inspect(way, '--method', 'tools/list', '--strict')) as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name).sort((a, b) => a.localeCompare(b))).toEqual(
      TOOLS.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  test('calls one', async () => {
    const { id } = await gateway.send();
    const call = ['--method', 'tools/call', '--tool-name', 'get_fax_status', '--tool-arg', `id=${id}`];
    expect(await inspect(way, ...call)).toMatchObject({ structuredContent: { fax: { id } } });
  });
});
