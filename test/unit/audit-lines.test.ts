import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditChain, createAuditSinks } from '../../server/adapters/audit/create-sinks.ts';
import type { AuditEvent } from '../../server/adapters/audit/port.ts';
import { verifyChainedLines } from '../../server/platform/chained-lines.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createSeal } from '../../server/platform/seal.ts';

const SEAL = createSeal(new Uint8Array(32).fill(3));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-audit-lines-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const eventOf = (job: number): AuditEvent => ({
  at: '2026-10-01T08:30:00.000Z',
  event: 'job_created',
  request_id: null,
  job_id: `j${job}`,
  reason: 'a "b" seq=9',
  pages: job,
});

/** Writes the lines of one run of the gateway. */
async function write(format: 'json' | 'text', jobs: readonly number[]): Promise<void> {
  const chain = createAuditChain(join(folder, 'end'), SEAL);
  const settings = {
    enabled: true,
    format,
    file: join(folder, 'audit.log'),
    syslog: false,
    syslogAddress: null,
  };
  const [sink] = createAuditSinks(settings, { log: () => undefined, onError: () => undefined });
  for (const job of jobs) sink?.write(chain.next(eventOf(job), format));
  await sink?.close();
  chain.close();
}

async function lines(): Promise<string[]> {
  return (await readFile(join(folder, 'audit.log'), 'utf8')).trimEnd().split('\n');
}

async function* given(texts: readonly string[]) {
  yield* texts;
}
const verify = (texts: readonly string[]) => verifyChainedLines(given(texts));

describe.each(['json', 'text'] as const)('the lines of an audit file, as %s', (format) => {
  it('go on from one run to the next, and are whole', async () => {
    await write(format, [1, 2]);
    await write(format, [3, 4]);
    expect(await verify(await lines())).toEqual({
      intact: true,
      first: 1,
      last: 4,
      sentence: 'The file is complete and unchanged from line number 1 to 4.',
    });
    expect((await stat(join(folder, 'end'))).mode & 0o777).toBe(0o600);
  });

  it('go on in a new file after the old one was rotated away', async () => {
    await write(format, [1, 2]);
    await rm(join(folder, 'audit.log'));
    await write(format, [3]);
    expect(await verify(await lines())).toMatchObject({ intact: true, first: 3, last: 3 });
  });

  it('show the first that was altered, removed, put elsewhere or cut off', async () => {
    await write(format, [1, 2, 3, 4]);
    const [one = '', two = '', three = '', four = ''] = await lines();
    const sentence = async (texts: readonly string[]) => (await verify(texts)).sentence;
    expect(await sentence([one, two.replace('j2', 'j9'), three])).toBe('Line 2 of the file was altered.');
    expect(await sentence([one, three, four])).toBe('Before line 2 of the file, number 2 is missing.');
    expect(await sentence([one, four])).toBe('Before line 2 of the file, numbers 2 to 3 are missing.');
    expect(await sentence([one, three, two])).toMatch(/^Before line 2 of the file/u);
    expect(await sentence([one, two, one])).toBe('Line 3 of the file does not follow the one before it.');
    expect(await sentence([one, two.slice(0, -8)])).toBe('Line 2 of the file was altered or is incomplete.');
    expect(await verify([one, 'anything'])).toMatchObject({ intact: false, first: 1, last: 1 });
    expect(await verify(['anything'])).toMatchObject({ intact: false, first: null });
  });

  it('show what was cut off while nobody wrote, as soon as somebody writes again', async () => {
    await write(format, [1, 2, 3]);
    const before = await lines();
    await rm(join(folder, 'audit.log'));
    await write(format, [4]);
    expect(await verify([...before.slice(0, 2), ...(await lines())])).toMatchObject({
      intact: false,
      sentence: 'Before line 3 of the file, number 3 is missing.',
    });
  });

  it('begin with the first that has a digest', async () => {
    await write(format, [1]);
    expect(await verify(['{"event":"job_created"}', '', ...(await lines())])).toMatchObject({ intact: true });
  });
});

it('the lines of the log can be checked as well', async () => {
  const logged: string[] = [];
  const logger = createLogger({ write: (line) => logged.push(line) }).room('audit');
  const chain = createAuditChain(join(folder, 'end'), SEAL);
  for (const job of [1, 2, 3]) logger.info(chain.next(eventOf(job), 'json'), 'audit');
  chain.close();
  expect(await verify(logged)).toMatchObject({ intact: true, first: 1, last: 3 });
  expect(await verify([logged[0] ?? '', logged[2] ?? ''])).toMatchObject({ intact: false });
});
