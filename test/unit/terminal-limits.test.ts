import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/steps.ts';

const run = promisify(execFile);

test('rule (terminal): the process of a terminal in the desktop application reads the code alone, and starts and writes nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-limits-'));
  try {
    const [secret, target] = [join(folder, 'data.key'), join(folder, 'new.txt')];
    await writeFile(secret, 'secret');
    const program = join(ROOT, 'test/setup/terminal-limits-attempts.ts');
    const { stdout } = await run(process.execPath, ['--no-warnings', program, secret, target]);
    expect(JSON.parse(stdout)).toEqual({ reached: [], attempts: 16, loads: true });
    expect([existsSync(secret), existsSync(target)]).toEqual([true, false]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
