import { fork } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs a script that was built before in a process of its own; returns the message that it sends, or null when it was killed.
 * Throws when it fails.
 */
export async function runChild<Result>(script: string, plan: object): Promise<Result | null> {
  const child = fork(script, [JSON.stringify(plan)], {
    // The heap as the scripts of package.json start the product.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  let result: Result | null = null;
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  child.on('message', (message) => {
    result = message as Result;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL') return null;
  if (code !== 0 || result === null) throw new Error(`${script} ended with ${code}: ${errors}`);
  return result;
}
