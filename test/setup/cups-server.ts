import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STATUS } from '../../server/platform/ipp/codes.ts';
import { decodeMessage } from '../../server/platform/ipp/decode.ts';
import { encodeMessage } from '../../server/platform/ipp/encode.ts';
import { GROUP } from '../../server/platform/ipp/message.ts';
import { attribute } from '../../server/platform/ipp/values.ts';
import { freePort } from './free-port.ts';
import { postToPrinter } from './ipp-client.ts';
import { type Skippable, toolPath } from './tools.ts';

const FOLDERS = ['etc/ppd', 'cache', 'run/certs', 'spool/tmp', 'log'];

/** Operation of CUPS that gives a job its name and password. */
const AUTHENTICATE_JOB = 0x400e;

/** The print server of Debian with files of its own. */
interface CupsServer {
  readonly port: number;
  /** Runs a command of CUPS against it, and returns what it prints. */
  run(program: 'lpadmin' | 'lp' | 'lpstat', ...words: string[]): Promise<string>;
  /** Gives the name and password that a job waits for, as a person types them in a list of the print jobs. */
  signJob(number: number, login: string, password: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a print server; skips the test where CUPS is not installed or the test is not run by root. */
export async function startCups(context: Skippable): Promise<CupsServer> {
  if (process.getuid?.() !== 0) return context.skip('the print server is started by root');
  const missing = ['cupsd', 'lpadmin', 'lp', 'foomatic-rip'].filter((name) => toolPath(name) === null);
  if (missing.length > 0) return context.skip(`not installed: ${missing.join(', ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-cups-'));
  for (const name of FOLDERS) await mkdir(join(folder, name), { recursive: true });
  // Its filters run as another user.
  for (const name of ['', 'etc', 'cache', 'run', 'run/certs', 'spool', 'spool/tmp', 'log'])
    await chmod(join(folder, name), 0o777);
  const port = await freePort();
  await writeFile(join(folder, 'files.conf'), filesOf(folder));
  await writeFile(join(folder, 'cupsd.conf'), configurationOf(port));
  const server = spawn('cupsd', ['-f', '-c', join(folder, 'cupsd.conf'), '-s', join(folder, 'files.conf')], {
    stdio: 'ignore',
  });
  const ended = once(server, 'close');
  const env = { ...process.env, CUPS_SERVER: `127.0.0.1:${port}`, LC_ALL: 'C' };
  const run: CupsServer['run'] = async (program, ...words) =>
    (await promisify(execFile)(program, words, { env })).stdout;
  await waitUntilReady(server, () => run('lpstat', '-r'));
  return {
    port,
    async run(program, ...words) {
      return await run(program, ...words).catch(async (error: unknown) => {
        const log = await readFile(join(folder, 'log/error'), 'utf8').catch(() => '');
        throw new Error(`${String(error)}\n${log.slice(-2_000)}`);
      });
    },
    async signJob(number, login, password) {
      const uri = `ipp://127.0.0.1:${port}/jobs/${number}`;
      const attributes = [
        attribute('attributes-charset', 'charset', 'utf-8'),
        attribute('attributes-natural-language', 'naturalLanguage', 'en'),
        attribute('job-uri', 'uri', uri),
        attribute('requesting-user-name', 'name', 'root'),
        attribute('auth-info', 'text', login, password),
      ];
      const groups = [{ tag: GROUP.operation, attributes }];
      const message = { version: { major: 2, minor: 0 }, code: AUTHENTICATE_JOB, requestId: 1, groups };
      const { code } = decodeMessage(await postToPrinter(uri, encodeMessage(message)));
      if (code !== STATUS.ok) throw new Error(`the print server answered ${code}`);
    },
    async close() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilReady(server: ChildProcess, question: () => Promise<string>): Promise<void> {
  while (server.exitCode === null) {
    const answer = await question().catch(() => '');
    if (answer.includes('scheduler is running')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the print server did not start');
}

const filesOf = (folder: string): string =>
  [
    `ServerRoot ${folder}/etc`,
    `CacheDir ${folder}/cache`,
    `StateDir ${folder}/run`,
    `RequestRoot ${folder}/spool`,
    `TempDir ${folder}/spool/tmp`,
    `AccessLog ${folder}/log/access`,
    `ErrorLog ${folder}/log/error`,
    `PageLog ${folder}/log/page`,
    'User lp',
    'Group lp',
    'SystemGroup root',
    'Sandboxing relaxed',
    '',
  ].join('\n');

const configurationOf = (port: number): string =>
  [
    `Listen 127.0.0.1:${port}`,
    'LogLevel info',
    'Browsing Off',
    'WebInterface No',
    'DefaultAuthType None',
    '<Location />',
    'Order deny,allow',
    '</Location>',
    '<Policy default>',
    '<Limit All>',
    'Order deny,allow',
    '</Limit>',
    '</Policy>',
    '',
  ].join('\n');
