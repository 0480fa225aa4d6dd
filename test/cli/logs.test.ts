import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readableLine } from '../../server/cli/show-log.ts';
import { unitIn } from '../../server/cli/system-service.ts';
import { type CommandLine, openCommandLine } from './cli-setup.ts';

let faxdesk: CommandLine;
let folder: string;

beforeAll(async () => {
  faxdesk = await openCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-services-'));
  await faxdesk.serve();
});
afterAll(async () => {
  await faxdesk.close();
  await rm(folder, { recursive: true, force: true });
});

describe('faxdesk logs', () => {
  test('prints the newest lines of the log for a person, and as they were logged', async () => {
    const { code, out } = await faxdesk.run(['logs', '--lines', '3']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(3);
    expect(out).toMatch(/^\d{4}-\d\d-\d\dT\S+Z (?:info|warn|error|debug) +[\w:-]+: /mu);
    const lines = (await faxdesk.run(['logs', '--json'])).out.trim().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('time');
  });

  test('prints only lines since a time', async () => {
    expect((await faxdesk.run(['logs', '--since', '2999-01-01T00:00'])).out).toBe('');
    expect((await faxdesk.run(['logs', '--since', '2020-01-01T00:00'])).out).not.toBe('');
    expect(await faxdesk.run(['logs', '--lines', '0'])).toMatchObject({ code: 9 });
  });

  test('prints the log also while a wrong value keeps the gateway from starting', async () => {
    expect((await faxdesk.run(['logs', '--lines', '1'], { PORT: 'wrong' })).code).toBe(0);
  });

  test('reports a folder without a log', async () => {
    expect(await faxdesk.run(['logs', '--data', folder])).toMatchObject({
      code: 5,
      err: expect.stringContaining('There is no log in') as string,
    });
  });

  test('reads the journal of the service, and the files where the journal has nothing', async () => {
    const programs = await standIns({ journalctl: 'echo "$*"' });
    const environment = { FAXDESK_SERVICE: 'faxdesk.service', PATH: programs };
    const { out } = await faxdesk.run(['logs', '--lines', '7', '--follow'], environment);
    expect(out).toBe('--unit=faxdesk.service --output=cat --quiet --lines=7 --follow\n');
    const silent = await standIns({ journalctl: 'exit 1' });
    const files = await faxdesk.run(['logs', '--lines', '3'], { ...environment, PATH: silent });
    expect(files.out.trim().split('\n')).toHaveLength(3);
  });

  test('prints a line that is no JSON as it is, without control characters', () => {
    expect(readableLine('{"level":"warn","time":"t","logger":"gateway:jobs","msg":"late","count":3}')).toBe(
      't warn  jobs: late count=3',
    );
    expect(readableLine('There is no \u001B[31mfolder.')).toBe('There is no  [31mfolder.');
    expect(readableLine('{broken')).toBe('{broken');
  });
});

describe('faxdesk restart', () => {
  test('says what to do where no service runs the gateway', async () => {
    expect(await faxdesk.run(['restart'])).toMatchObject({
      code: 5,
      err: expect.stringContaining('No service of this computer runs a gateway on') as string,
    });
  });

  test('passes on what the service manager refuses', async () => {
    const programs = await standIns({ systemctl: 'echo "Access denied" >&2; exit 1' });
    const environment = { FAXDESK_SERVICE: 'faxdesk.service', PATH: programs };
    expect(await faxdesk.run(['restart'], environment)).toMatchObject({
      code: 1,
      err: expect.stringContaining('did not restart faxdesk.service (Access denied)') as string,
    });
  });

  test('finds the unit of a process, and none of a person', () => {
    expect(unitIn('0::/system.slice/faxdesk.service\n')).toBe('faxdesk.service');
    expect(unitIn('0::/system.slice/system-faxdesk.slice/faxdesk@two.service/child\n')).toBe(
      'faxdesk@two.service',
    );
    expect(unitIn('0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.scope\n')).toBeNull();
    expect(unitIn('')).toBeNull();
  });
});

/** Returns a PATH on which these programs come first. */
async function standIns(programs: Readonly<Record<string, string>>): Promise<string> {
  const place = await mkdtemp(join(folder, 'bin-'));
  await mkdir(place, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(place, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(place, name), 0o755);
  }
  return [place, process.env['PATH']].join(delimiter);
}
