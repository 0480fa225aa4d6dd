import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';
import { allRoutes } from '../setup/every-route.ts';
import { INSTALLATION_KEY, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { needTools } from '../setup/tools.ts';

const run = promisify(execFile);
const docs = (name: string) => readFile(join(ROOT, 'docs', name), 'utf8');

/** Calls of the page that need nothing but a gateway, by their summaries. */
const SAMPLE = [
  'Submit a fax',
  'List faxes, newest first',
  'Count faxes by state',
  'Get the facts about a number before sending a fax to it',
  'Create a preview of the pages as the receiving machine prints them',
];

describe('a call of docs/curl.md', () => {
  let gateway: TestGateway;
  let folder: string;
  let page: string;
  beforeAll(async () => {
    [gateway, folder, page] = [
      await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } }),
      await mkdtemp(join(tmpdir(), 'faxdesk-calls-')),
      await docs('curl.md'),
    ];
    await writeFile(join(folder, 'letter.txt'), 'Dear colleague,\n');
  });
  beforeEach((context) => needTools(context, 'curl'));
  afterAll(async () => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(SAMPLE)('works as it is written: %s', async (summary) => {
    await expectToWork(summary);
  });

  test('that reads without an id works as it is written', async () => {
    const blocks = page.matchAll(/\*\*(?<summary>[^*]+)\*\*\n\n```sh\n(?<command>[^`]+?)\n```/gu);
    const reads = [...blocks].filter(
      ({ groups }) =>
        !/-X |019a8f00|\/019a|-o out|\/console\/(?:events|logs)|\/mcp/u.test(groups?.['command'] ?? '') &&
        /"\$FAXDESK\/(?:fax|inbound|work|contacts|access|routing\/routes|health)/u.test(
          groups?.['command'] ?? '',
        ),
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { groups } of reads) await expectToWork(groups?.['summary'] ?? '');
  });

  async function expectToWork(summary: string): Promise<void> {
    const start = page.indexOf(`**${summary}**\n`);
    const command = page.slice(start).split('```sh\n')[1]?.split('\n```')[0] ?? '';
    expect([summary, start >= 0]).toEqual([summary, true]);
    const env = { ...process.env, FAXDESK: gateway.url, FAXDESK_KEY: INSTALLATION_KEY };
    const { code = 0, stdout } = (await run('sh', ['-c', command], { cwd: folder, env }).catch(
      (error: { code: number; stdout: string }) => error,
    )) as { code?: number; stdout: string };
    expect([command, stdout, code]).toEqual([command, stdout, 0]);
  }
});

describe('docs/faxdesk.postman_collection.json', () => {
  interface Item {
    readonly name: string;
    readonly item?: readonly Item[];
    readonly request?: {
      readonly method: string;
      readonly url: {
        readonly raw: string;
        readonly host: readonly string[];
        readonly path: readonly string[];
        readonly variable?: readonly { key: string }[];
      };
      readonly body?: {
        readonly mode: string;
        readonly raw?: string;
        readonly formdata?: readonly { key: string; type: string }[];
      };
    };
  }

  test('is a collection of version 2.1 with a folder for each group and a request for each call', async () => {
    const { info, auth, variable, item } = JSON.parse(await docs('faxdesk.postman_collection.json')) as {
      info: { name: string; schema: string };
      auth: { type: string };
      variable: { key: string }[];
      item: Item[];
    };
    expect(info).toMatchObject({
      name: 'Faxdesk',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    });
    expect([auth.type, variable.map(({ key }) => key)]).toEqual(['apikey', ['base_url', 'api_key']]);
    const requests = item.flatMap((folder) => folder.item ?? []);
    expect(requests.length).toBeGreaterThan(150);
    const addresses = new Set(
      allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+\./gu, '1.')}`),
    );
    for (const { name, request } of requests) {
      if (!request) throw new Error(`${name} has no request`);
      const { raw, host, path, variable: given = [] } = request.url;
      expect([name, raw.startsWith(`{{base_url}}/${path.join('/')}`), host]).toEqual([
        name,
        true,
        ['{{base_url}}'],
      ]);
      expect([name, addresses.has(`${request.method} /${path.join('/')}`)]).toEqual([name, true]);
      const named = path.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
      expect([name, given.map(({ key }) => key)]).toEqual([name, named]);
      if (request.body?.mode === 'raw') JSON.parse(request.body.raw ?? '');
      else if (request.body)
        expect(request.body.formdata?.every(({ type }) => ['file', 'text'].includes(type))).toBe(true);
    }
  });
});
