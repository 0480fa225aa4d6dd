import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface HostedCommand {
  readonly words: readonly string[];
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Standard input, to its end. */
  readonly input: string;
}

export interface HostedResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const SCRIPT = fileURLToPath(new URL('./command-host-process.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Hosts without a command. They go from one file of this process to the next. */
const freeHosts: ChildProcess[] = [];

/**
 * Runs a command in a process that ran others before: loading the command line costs ten times as much as most commands.
 * Each host runs one at a time. Throws when the host ended, which no command may bring about.
 */
export async function runHosted(command: HostedCommand): Promise<HostedResult> {
  const host = freeHosts.pop() ?? startHost(command.environment);
  const settled = new AbortController();
  const answer = once(host, 'message', settled) as Promise<[HostedResult]>;
  const ended = once(host, 'exit', settled).then(([code]) => {
    throw new Error(`the process of commands ended with ${String(code)}: ${command.words.join(' ')}`);
  });
  host.ref();
  host.channel?.ref();
  host.send(command);
  const [result] = await Promise.race([answer, ended]).finally(() => settled.abort());
  // One that is free keeps no process running.
  host.unref();
  host.channel?.unref();
  freeHosts.push(host);
  return result;
}

function startHost(env: Readonly<Record<string, string>>): ChildProcess {
  return fork(SCRIPT, [], { cwd: ROOT, env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}
