import process from 'node:process';
import type * as Run from '../../server/cli/run.ts';
import { makeForOwnerOnly } from '../../server/config/owner-only.ts';
import { builtCommandLine } from '../../server/platform/built-code.ts';
import { keepNoConnections } from '../setup/kept-connections.ts';
import type { HostedCommand, HostedResult } from './command-host.ts';

// Runs one command after another by the entry function of the command line, loaded once. Started by `command-host.ts`.

const given = { input: '' };
const written = { out: '', err: '' };
process.stdout.write = (text: string | Uint8Array) => {
  written.out += String(text);
  return true;
};
process.stderr.write = (text: string | Uint8Array) => {
  written.err += String(text);
  return true;
};
// Commands read the whole of a pipe.
const stdin = {
  async *[Symbol.asyncIterator]() {
    if (given.input !== '') yield Buffer.from(given.input);
  },
};
Object.defineProperty(process, 'stdin', { value: stdin });

makeForOwnerOnly();
// A command leaves none behind, since its process ends.
keepNoConnections();
const { runCommandLine } = (await import(
  builtCommandLine() ?? new URL('../../server/cli/run.ts', import.meta.url).href
)) as Pick<typeof Run, 'runCommandLine'>;

process.on('message', ({ words, environment, input }: HostedCommand) => {
  process.env = { ...environment };
  given.input = input;
  Object.assign(written, { out: '', err: '' });
  void runCommandLine(words).then((code) => {
    const result: HostedResult = { code, ...written };
    process.send?.(result);
  });
});
process.on('disconnect', () => process.exit(0));
