import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { LogLine } from '../../shared/api/console.ts';
import { openCommandLine } from '../cli/cli-setup.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

type Line = z.infer<typeof LogLine>;
interface Page {
  items: Line[];
  next_cursor: string | null;
}

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  folder = join(gateway.dataFolder, 'logs');
});
beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
});
afterAll(() => gateway.close());

const line = (number: number, rest: Record<string, unknown> = {}) =>
  `${JSON.stringify({
    level: 'info',
    time: new Date(Date.UTC(2026, 10, 21) + number * 1000).toISOString(),
    logger: 'gateway:outbound',
    number,
    ...rest,
    msg: `line ${number}`,
  })}\n`;

const lines = (from: number, to: number, rest?: (number: number) => Record<string, unknown>) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index, rest?.(from + index))).join('');

async function page(query: Record<string, string> = {}): Promise<Page> {
  const answer = await gateway.request('GET', `/console/logs?${new URLSearchParams(query).toString()}`);
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await answer.json()) as Page;
}

/** Every line that a query finds, page by page. */
async function all(query: Record<string, string>): Promise<Line[]> {
  const found: Line[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: Page = await page(cursor === '' ? query : { ...query, cursor });
    found.push(...next.items);
    cursor = next.next_cursor;
  }
  return found;
}

const numbers = (found: readonly Line[]) => found.map(({ facts }) => facts['number']);
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('the log', () => {
  test('is empty while nothing was written', async () => {
    expect(await page()).toEqual({ items: [], next_cursor: null });
  });

  test('comes newest first, with level, room, words and facts', async () => {
    await writeFile(join(folder, 'gateway.log'), lines(1, 3));
    const { items } = await page();
    expect(numbers(items)).toEqual([3, 2, 1]);
    expect(items[0]).toEqual({
      id: expect.any(String) as string,
      at: '2026-11-21T00:00:03.000Z',
      level: 'info',
      room: 'outbound',
      message: 'line 3',
      facts: { number: 3 },
    });
  });

  test('is paged over all its files, each line once', async () => {
    const wide = (number: number) => ({ pad: 'ü'.repeat((number * 37) % 900) });
    await writeFile(join(folder, 'gateway.2.log'), lines(1, 120, wide));
    await writeFile(join(folder, 'gateway.1.log'), lines(121, 400, wide));
    await writeFile(join(folder, 'gateway.log'), lines(401, 500, wide));
    for (const limit of ['7', '100', '200']) expect(numbers(await all({ limit }))).toEqual(down(500, 1));
  });

  test('goes on where a page ended although lines were added and the files moved on', async () => {
    await writeFile(join(folder, 'gateway.log'), lines(1, 30));
    const first = await page({ limit: '10' });
    await rename(join(folder, 'gateway.log'), join(folder, 'gateway.1.log'));
    await writeFile(join(folder, 'gateway.log'), lines(31, 60));
    const second = await page({ limit: '15', cursor: String(first.next_cursor) });
    expect(numbers([...first.items, ...second.items])).toEqual(down(30, 6));
  });

  test('ends where the lines of a page are gone', async () => {
    await writeFile(join(folder, 'gateway.log'), lines(1, 30));
    const { next_cursor } = await page({ limit: '10' });
    await writeFile(join(folder, 'gateway.log'), lines(100, 130));
    expect(await page({ cursor: String(next_cursor) })).toEqual({ items: [], next_cursor: null });
  });

  test('is filtered by level and by a text in any case', async () => {
    const level = (number: number) => ({ level: ['debug', 'info', 'warn', 'error', 'fatal'][number % 5] });
    await writeFile(join(folder, 'gateway.log'), lines(1, 50, level));
    expect(numbers(await all({ level: 'error' }))).toEqual(down(50, 1).filter((number) => number % 5 > 2));
    expect(numbers(await all({ q: 'LINE 4' }))).toEqual([...down(49, 40), 4]);
    expect(numbers(await all({ q: 'Line 4', level: 'fatal' }))).toEqual([49, 44, 4]);
    expect(await all({ q: 'no such thing' })).toEqual([]);
  });

  test('leaves out what is no line: one that is being written, one that was cut, and other text', async () => {
    const torn = `${lines(1, 2)}{"level":"info","msg":"to\nsome words\n[1]\n{"level":"loud"}\n${lines(3, 4)}{"level":"in`;
    await writeFile(join(folder, 'gateway.log'), torn);
    expect(numbers((await page()).items)).toEqual([4, 3, 2, 1]);
  });

  test('answers after a large part was searched in vain, and can go on', async () => {
    const pad = 'x'.repeat(2_000);
    await writeFile(
      join(folder, 'gateway.log'),
      line(0, { needle: 'here' }) + lines(1, 5_000, () => ({ pad })),
    );
    const first = await page({ q: 'needle' });
    expect(first.items).toEqual([]);
    expect(first.next_cursor).not.toBeNull();
    expect(numbers(await all({ q: 'needle' }))).toEqual([0]);
  });

  test('refuses a cursor that is none, and a level that is none', async () => {
    for (const query of ['cursor=nonsense', 'cursor=../../etc/passwd-1', 'level=loud', 'limit=0'])
      expect([query, (await gateway.request('GET', `/console/logs?${query}`)).status]).toEqual([query, 400]);
  });

  test('can be had whole, oldest line first', async () => {
    await writeFile(join(folder, 'gateway.1.log'), lines(1, 20));
    await writeFile(join(folder, 'gateway.log'), lines(21, 40));
    const answer = await gateway.request('GET', '/console/logs/file');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="faxdesk-log.ndjson"');
    expect(await answer.text()).toBe(lines(1, 40));
  });
});

test('a gateway on its own writes its log to files of its owner, and shows it', async () => {
  const commands = await openCommandLine();
  try {
    await commands.serve();
    const url = /http:\/\/[\d.:]+/u.exec(commands.ready)?.[0] ?? '';
    const key = (await readFile(join(commands.folder, 'installation.key'), 'utf8')).trim();
    const shown = async () => {
      const answer = await fetch(`${url}/console/logs?q=ready`, { headers: { 'X-API-Key': key } });
      return ((await answer.json()) as Page).items.map(({ message }) => message);
    };
    await expect.poll(shown).toContain('the gateway is ready');
    const logs = join(commands.folder, 'logs');
    expect((await stat(join(logs, 'gateway.log'))).mode & 0o777).toBe(0o600);
    expect((await stat(logs)).mode & 0o777).toBe(0o700);
  } finally {
    await commands.close();
  }
});
