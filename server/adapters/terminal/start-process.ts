import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  FromTerminal,
  StartTerminalProcess,
  TerminalProcess,
} from '../../features/terminal/terminal-process-port.ts';
import { builtCommandLine } from '../../platform/built-code.ts';

const CODE = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCE = join(CODE, 'server', 'cli', 'terminal-session', 'main.ts');
const BUILT = 'terminal-process.mjs';
const CODE_READ = ['server', 'shared', 'node_modules', 'package.json'];
const MAX_HEAP_MB = 128;
const MAX_LAST_WORDS = 2_000;

/**
 * Starts the process of a terminal as a child of this one, in an empty folder and with an empty environment. Node's
 * permission model lets it read the code alone: no file of the computer, no other program. It ends with this process.
 */
export const startTerminalChild: StartTerminalProcess = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-terminal-'));
  const entry = entryFile();
  const child = spawn(process.execPath, [...nodeOptions(entry), entry], {
    cwd: folder,
    // On Windows libuv adds what no program starts without.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  return connectionTo(child, () => rm(folder, { recursive: true, force: true }));
};

/** Returns the built program while it matches the sources, since that starts sooner; otherwise the sources. */
function entryFile(): string {
  const built = builtCommandLine();
  return built === null ? SOURCE : join(dirname(fileURLToPath(built)), BUILT);
}

function nodeOptions(entry: string): string[] {
  const own = CODE_READ.map((name) => join(CODE, name)).filter((path) => existsSync(path));
  const code = [...own, dirname(entry)];
  // Access is checked by both names of a linked folder.
  const readable = [...new Set(code.flatMap((path) => [path, realpathSync(path)]))];
  // Releases of Node that hold the network as well are told that this process reaches the gateway.
  const network = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : [];
  return [
    '--permission',
    ...network,
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${MAX_HEAP_MB}`,
    '--max-semi-space-size=2',
  ];
}

function connectionTo(child: ChildProcess, cleanUp: () => Promise<void>): TerminalProcess {
  let lastWords = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    lastWords = (lastWords + bytes.toString('utf8')).slice(-MAX_LAST_WORDS);
  });
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`${signal ?? code}: ${lastWords.trim()}`));
  });
  const ended = closed.then(async (words) => {
    await cleanUp();
    return words;
  });
  return {
    // A process that has just ended receives nothing.
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromTerminal)),
    onEnd: (listener) => void ended.then(listener),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
