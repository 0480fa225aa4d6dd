import { createServer } from 'node:http';
import { runInThisContext } from 'node:vm';
import { app } from './app.ts';

/** Runs what a test posts, a function of `(electron, argument)`, as Playwright does with a real Electron. */
export function listenToTests(socket: string, electron: object): void {
  createServer((request, response) => {
    let text = '';
    request.on('data', (bytes) => {
      text += bytes;
    });
    request.on('end', () => void run(text, electron).then((answer) => response.end(JSON.stringify(answer))));
  }).listen(socket);
}

async function run(text: string, electron: object): Promise<{ value: unknown } | { error: string }> {
  try {
    await app.whenReady();
    const { source, argument } = JSON.parse(text) as { source: string; argument: unknown };
    const work = runInThisContext(`(${source})`) as (...args: unknown[]) => unknown;
    return { value: await work(electron, argument) };
  } catch (error) {
    return { error: String(error) };
  }
}
