import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import {
  createService,
  removeService,
  restartComputerService,
  showService,
  stopService,
} from '../../server/cli/service/manage-service.ts';
import { freePort } from '../setup/free-port.ts';
import { ServiceComputer } from '../setup/service-computer.ts';
import { PASSED_ON } from './cli-setup.ts';

const SERVICE_FILE = '/Library/Application Support/Faxdesk/service.json';

let folder: string;
let computer: ServiceComputer;
let gateway: ChildProcess | null;
let words = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdesk-service-'));
  gateway = null;
  words = '';
  computer = new ServiceComputer('darwin');
  computer.answer = async (call) => {
    if (call.startsWith('launchctl bootstrap')) await start(call.split(' ').slice(3).join(' '));
    if (call.startsWith('launchctl bootout')) gateway?.kill('SIGTERM');
    if (!call.startsWith('launchctl print')) return undefined;
    return gateway === null || gateway.exitCode !== null ? { code: 113 } : { output: '\tstate = running\n' };
  };
  computer.pause = async () => void (await new Promise((resolve) => setTimeout(resolve, 50)));
  computer.write = async (path, text, mode) => {
    computer.files.set(path, text);
    computer.modes.set(path, mode);
    if (path === join(folder, '.env')) await writeOwn(path, text);
  };
});
afterEach(async () => {
  gateway?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function writeOwn(path: string, text: string): Promise<void> {
  await writeFile(path, `${text}HTTPS_PORT=${await freePort()}\n`);
}

/** In the place of launchd: starts the program of a property list, with the gateway of the repository. */
async function start(plist: string): Promise<void> {
  const list = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/su.exec(computer.files.get(plist) ?? '');
  const args = [...(list?.[1] ?? '').matchAll(/<string>(.*?)<\/string>/gu)].map((it) => it[1] ?? '');
  const own = args.slice(args.findIndex((word) => word.endsWith('/server/faxdesk.mjs')) + 1);
  await mkdir(folder, { recursive: true });
  gateway = spawn(process.execPath, [join(ROOT, 'server/faxdesk.mjs'), ...own], { env: PASSED_ON });
  gateway.stderr?.on('data', (bytes: Buffer) => {
    words += bytes.toString('utf8');
  });
}

test('rule (desktop): a service is ready when its command ends, and the windows of the computer find its address and certificate', async () => {
  const port = await freePort();
  const url = await createService({ data: folder, port }, null, computer);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const facts = JSON.parse(computer.files.get(SERVICE_FILE) ?? '') as Record<string, string>;
  expect(facts).toMatchObject({ data: folder, port });
  expect(facts['gateway']).toMatch(/^https:\/\/localhost:\d+$/u);
  expect(facts['certificate']).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/u);
  expect(computer.modes.get(SERVICE_FILE)).toBe(0o644);
  expect(await showService(computer)).toMatchObject({ isRunning: true, url, gateway: facts['gateway'] });

  // Renewed as after an update, with the data and the port that it has.
  const former = gateway;
  expect(await createService({ data: null, port: null }, null, computer)).toBe(url);
  expect(former?.exitCode).toBe(0);
  expect(await restartComputerService(folder, computer)).toBe(url);

  await stopService(null, computer);
  expect(gateway?.exitCode).toBe(0);
  expect(await showService(computer)).toMatchObject({ exists: true, isRunning: false, url: null });
  expect(await removeService(null, computer)).toBe(folder);
  // The log is in the data folder alone.
  expect(words).not.toContain('"level"');
  expect(await readFile(join(folder, 'logs/gateway.log'), 'utf8')).toContain('"level":"info"');
}, 120_000);

test('rule (cli): a gateway that cannot start ends with success for a service that would start it again and again', async () => {
  const run = async (...more: string[]) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'server/faxdesk.mjs'), 'serve', '--data', folder, '--port', 'x', ...more],
      { env: PASSED_ON },
    );
    let text = '';
    child.stderr.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
    });
    const [code] = (await once(child, 'close')) as [number];
    return { code, text };
  };
  const sentence = '--port must be a number from 0 to 65535.\n';
  expect(await run()).toEqual({ code: 9, text: sentence });
  expect(await run('--as-service')).toEqual({ code: 0, text: sentence });
}, 60_000);
