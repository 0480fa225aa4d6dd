import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileSink } from '../../server/adapters/audit/file-sink.ts';
import { makeFolder } from '../../server/platform/make-folder.ts';
import { eventually } from '../setup/eventually.ts';

const EVENT = {
  at: '2026-05-06T07:08:09.123Z',
  event: 'job_created',
  request_id: null,
  job_id: 'j',
} as const;
const onLinux = test.skipIf(process.platform !== 'linux');

let folder: string;
let problems: Error[];
const onError = (error: Error): void => void problems.push(error);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-audit-'));
  problems = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('an audit file that cannot be written', () => {
  test('says why before there is an event, and says nothing any more when it can', async () => {
    const path = join(folder, 'audit.log');
    await mkdir(path);
    const sink = createFileSink({ path, onError });
    await eventually(() =>
      expect(sink.problem()).toBe(
        'The audit file cannot be written: there is a folder of that name. Faxdesk keeps the lines until it can write them.',
      ),
    );
    sink.write(EVENT);
    await rm(path, { recursive: true });
    await eventually(() => expect(sink.problem()).toBeNull());
    await sink.close();
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(EVENT);
    expect(problems).toHaveLength(1);
  });

  onLinux('neither keeps a core busy nor the gateway from ending where no folder can be made', async () => {
    const sink = createFileSink({ path: '/proc/faxdesk/audit/audit.log', onError });
    sink.write(EVENT);
    await sink.close();
    expect(sink.problem()).toContain('its folder cannot be created');
    expect(problems.at(-1)?.message).toContain('1 audit events were lost');
  });

  onLinux('does not wait for the reader of a pipe, nor fill a device', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/full', '/dev/null']) {
      const sink = createFileSink({ path, onError });
      sink.write(EVENT);
      await sink.close();
      expect(sink.problem()).toContain('The audit file cannot be written');
    }
  });
});

describe('making a folder', () => {
  test('answers the first one that was missing', async () => {
    expect(await makeFolder(join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
    expect(await makeFolder(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'));
    expect(await makeFolder(join(folder, 'a/b'))).toBeNull();
    const many = await Promise.all(Array.from({ length: 5 }, () => makeFolder(join(folder, 'at/once'))));
    expect(many.every((made) => made === null || made.startsWith(join(folder, 'at')))).toBe(true);
  });

  onLinux('fails where the system takes none', async () => {
    await expect(makeFolder('/proc/faxdesk/x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFolder('/dev/null/x')).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
