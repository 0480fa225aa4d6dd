import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endedChildrenMs, ownChildren } from './own-children.ts';

/** A process of its own that a bench measures. It says one message when it is ready and answers each call. */
export interface Child<R> {
  readonly ready: R;
  readonly pid: number;
  call<A>(name: string, argument?: unknown): Promise<A>;
  /** Lets it close what it opened and waits for its end. */
  stop(): Promise<void>;
}

/** Starts Node by a shell, which sets the limit first. */
function limitDescriptors(descriptors: number, execArgv: string[]): { execPath: string; execArgv: string[] } {
  const script = `ulimit -n ${descriptors}; exec "$0" "$@"`;
  return { execPath: '/bin/sh', execArgv: ['-c', script, process.execPath, ...execArgv] };
}

/** Starts `file` of this folder. `execArgv` goes to Node; `descriptors` is how many files it may have open. Throws when it ends before it is ready. */
export async function startChild<R>(
  file: string,
  options: unknown,
  execArgv: string[] = [],
  { descriptors }: { descriptors?: number } = {},
): Promise<Child<R>> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, [JSON.stringify(options)], {
    ...(descriptors === undefined ? { execArgv } : limitDescriptors(descriptors, execArgv)),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = (await nextMessage(child, file)) as R;
  return {
    ready,
    pid: child.pid ?? 0,
    async call(name, argument) {
      child.send({ name, argument });
      return (await nextMessage(child, file)) as never;
    },
    async stop() {
      child.send({ name: 'stop' });
      await once(child, 'exit');
    },
  };
}

async function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal: ended.signal }).then(() => {
        throw new Error(`${file} ended early`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}

/** Runs in the child process: reports that it is ready and answers calls until it is stopped. */
export function serveCalls(ready: unknown, calls: Record<string, (argument: never) => unknown>): void {
  process.on('message', (message: { name: string; argument?: unknown }) => {
    void (async () => {
      const answer = await calls[message.name]?.(message.argument as never);
      if (message.name === 'stop') process.exit();
      process.send?.(answer ?? null);
    })();
  });
  // A bench that was ended takes its children with it.
  process.on('disconnect', () => process.exit());
  process.send?.(ready);
}

/** The options a child was started with. */
export function childOptions(): unknown {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Processor time of the whole process so far, of its threads and its child processes, also those that have ended. Milliseconds. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const ofChildren = ownChildren().reduce((sum, child) => sum + child.processorMs, endedChildrenMs());
  return (user + system) / 1000 + ofChildren;
}
