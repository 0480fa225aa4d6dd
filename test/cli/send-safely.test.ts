import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODE_HEADER } from '../../shared/errors/all.ts';
import { type AnswerHandler, answerJson, faxAnswer, startAnsweringServer } from './answering-server.ts';
import { PASSED_ON } from './cli-setup.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let letter: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-send-'));
  letter = join(folder, 'letter.txt');
  await writeFile(letter, 'Dear colleague\n');
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startServer(answering: AnswerHandler) {
  const server = await startAnsweringServer(answering);
  closing.push(server.close);
  return server;
}

function start(...words: string[]) {
  const env = { ...PASSED_ON, FAXDESK_DATA: folder };
  const child = spawn(process.execPath, ['server/faxdesk.mjs', ...words], { cwd: ROOT, env });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, ended };
}

const run = (...words: string[]) => start(...words).ended;

describe('faxdesk send', () => {
  it.each([
    ['other_data_key', 1],
    ['database_damaged', 1],
    ['too_busy', 4],
  ])('says what the gateway says of %s, and nothing of a doubt', async (code, times) => {
    const { url, asked } = await startServer((_, response) =>
      answerJson(response, 503, { detail: 'Refused.' }, { 'Retry-After': '0', [ERROR_CODE_HEADER]: code }),
    );
    const told = await run('send', '+12025550123', letter, '--url', url);
    expect([told.code, told.err.split('\n').at(-2)]).toEqual([1, expect.stringMatching(/^Refused\. /u)]);
    expect(told.err).not.toContain('not certain');
    expect(asked).toHaveLength(times);
  });

  it('repeats a lost request and an unclear one with the same key', async () => {
    const { url, asked } = await startServer((_, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) answerJson(response, 503, { detail: 'In doubt.' }, { 'Retry-After': '0' });
      else answerJson(response, 202, faxAnswer());
    });
    const { code, out, err } = await run('send', '+12025550123', letter, '--url', url, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'fax-1' });
    expect(err).toContain('This does not send a second fax.');
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(asked.every(({ body }) => body.includes('Dear colleague'))).toBe(true);
  });

  it('names the key with which to go on when it stays uncertain', async () => {
    const { url, asked } = await startServer((_, response) =>
      answerJson(response, 503, { detail: 'In doubt.' }, { 'Retry-After': '0' }),
    );
    const { code, err } = await run(
      'send',
      '+12025550123',
      letter,
      '--url',
      url,
      '--idempotency-key',
      'mine',
    );
    expect(code).toBe(1);
    expect(err).toContain('Repeat the command with --idempotency-key mine');
    expect(asked).toHaveLength(4);
  });

  it('does not repeat what was refused', async () => {
    const { url, asked } = await startServer((_, response) =>
      answerJson(response, 409, { detail: 'No provider.' }),
    );
    const { code, err } = await run('send', '+12025550123', letter, '--url', url, '--json');
    expect([code, asked.length]).toEqual([6, 1]);
    expect(JSON.parse(err)).toEqual({ detail: 'No provider.', exit_code: 6 });
  });

  it('with --wait ends with the question when the outcome is unknown', async () => {
    const unconfirmed = {
      delivery_state: 'reconciliation_required',
      reconciliation_reason: 'Ask the receiver.',
    } as const;
    const { url } = await startServer((asked, response) =>
      asked.method === 'POST'
        ? answerJson(
            response,
            202,
            faxAnswer({ document: { ...faxAnswer().document, file_name: 'a\u001B[2J.txt' } }),
          )
        : answerJson(response, 200, faxAnswer(unconfirmed)),
    );
    const { code, out, err } = await run('send', '+12025550123', letter, '--url', url, '--wait');
    expect(code).toBe(1);
    expect(out).toMatch(/Needs confirmation because: +Ask the receiver\./u);
    expect(`${out}${err}`).not.toContain('\u001B');
  });

  it('with --wait leaves the fax as it is on Ctrl-C and says so', async () => {
    const looked = Promise.withResolvers<void>();
    const { url, asked } = await startServer((one, response) => {
      if (one.method === 'GET') looked.resolve();
      answerJson(response, one.method === 'POST' ? 202 : 200, faxAnswer({ delivery_state: 'in_progress' }));
    });
    const { child, ended } = start('send', '+12025550123', letter, '--url', url, '--wait');
    await looked.promise;
    child.kill('SIGINT');
    const { code, err } = await ended;
    expect(code).toBe(130);
    expect(err).toContain('was not canceled. Check it with: faxdesk status fax-1');
    expect(asked.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});

describe('The installation key', () => {
  it('goes to no other program of this computer', async () => {
    const { url, asked } = await startServer((_, response) =>
      answerJson(response, 401, { detail: 'Sign in.' }),
    );
    const data = join(folder, 'data');
    await mkdir(data);
    await writeFile(join(data, 'installation.key'), 'secret-key\n');
    expect((await run('me', '--data', data, '--url', url)).code).toBe(3);
    // A crashed gateway left its note behind, and another program listens there now.
    await writeFile(join(data, 'gateway.json'), JSON.stringify({ url, pid: 2 ** 22 + 1 }));
    const { code, err } = await run('me', '--data', data);
    expect([code, err]).toEqual([8, expect.stringContaining('No gateway is running on')]);
    // While it runs, its own commands find it by either name of this computer.
    await writeFile(join(data, 'gateway.json'), JSON.stringify({ url, pid: process.pid }));
    await run('me', '--data', data, '--url', url.replace('127.0.0.1', 'localhost'));
    expect(asked.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, 'secret-key']);
  });
});

describe('Commands on the data folder', () => {
  it('say in one sentence that there is nothing to back up or to restore', async () => {
    const data = join(folder, 'empty');
    const backup = await run('backup', join(folder, 'b.zip'), '--data', data);
    expect([backup.code, backup.err]).toEqual([
      5,
      `There is no folder ${data}. Use --data to give another.\n`,
    ]);
    expect(existsSync(join(folder, 'b.zip'))).toBe(false);
    const taken = join(folder, 'taken.zip');
    await writeFile(taken, '');
    // Its name depends on the settings, so the folder is looked for first.
    expect((await run('backup', taken, '--data', data)).code).toBe(5);
    expect(await readFile(taken, 'utf8')).toBe('');
    const restore = await run('restore', letter, '--data', data);
    expect([restore.code, restore.err]).toEqual([
      1,
      expect.stringContaining('not a backup, or it is damaged'),
    ]);
  });

  it('back up to a .zip file only, so that no word of a command is taken for its name', async () => {
    const data = join(folder, 'empty');
    for (const words of [['list'], ['create', 'create'], ['create', letter]]) {
      const { code, err } = await run('backup', ...words, '--data', data);
      const name = words.at(-1);
      expect([code, err]).toEqual([
        2,
        `A backup cannot be named "${name}". Use a name that ends in .zip, such as monday.zip.\n`,
      ]);
    }
    // Its own name is that of the time, so here it gets as far as the folder.
    expect((await run('backup', '--data', data)).err).toBe(
      `There is no folder ${data}. Use --data to give another.\n`,
    );
  });

  it('diagnose an installation that does not run', async () => {
    const { code, out } = await run('diagnose', '--data', join(folder, 'empty'), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      faults: [{ kind: 'data_folder' }, { kind: 'not_running' }],
      gateway: { running: false },
      store: { database: 'sqlite', problem: expect.stringContaining('There is no installation in') },
    });
  });
});

describe('faxdesk jobs', () => {
  it('rule (crossings): a late delivery of an earlier attempt has its own line on the command line', async () => {
    const warning =
      'Route “One” reported an earlier attempt as delivered later (ID 7). The fax may arrive twice.';
    const { url } = await startServer((_, response) =>
      answerJson(response, 200, faxAnswer({ arrival_warning: warning })),
    );
    const { code, out } = await run('jobs', 'show', 'fax-1', '--url', url);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Warning: +${warning.replaceAll(/[().]/gu, '\\$&')}$`, 'mu'));
  });
});
