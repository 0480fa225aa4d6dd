import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromProcess } from '../process/messages.ts';
import { confinementOfSystem, permissionOptions } from './confinement.ts';
import type { DocumentConnection, StartDocumentProcess } from './connection.ts';

const ENTRY = fileURLToPath(new URL('../process/main.ts', import.meta.url));
const MAX_LAST_WORDS = 2_000;

/**
 * Starts the process as a child of this one: with an empty environment, held by Node's permission model and by what the
 * system has. It ends with this process, however that ends.
 */
export const startChildProcess: StartDocumentProcess = (folders) => startConfined(ENTRY, folders);

/** As {@link startChildProcess}, with another program. */
export async function startConfined(entry: string, folders: readonly string[]): Promise<DocumentConnection> {
  const { command, confinedBy } = await confinementOfSystem();
  const [file, ...words] = [...command, process.execPath, ...permissionOptions(folders, entry), entry];
  const child = spawn(file, words, {
    // On Windows libuv adds what no program starts without.
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  return connectionTo(child, ['an empty environment', ...confinedBy]);
}

function connectionTo(child: ChildProcess, confinedBy: readonly string[]): DocumentConnection {
  let lastWords = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    lastWords = (lastWords + bytes.toString('utf8')).slice(-MAX_LAST_WORDS);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(`${signal ?? code}: ${lastWords.trim()}`));
  });
  return {
    confinedBy,
    // A process that has just ended receives nothing; its jobs are settled by its end.
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromProcess)),
    onEnd: (listener) => void ended.then(listener),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
