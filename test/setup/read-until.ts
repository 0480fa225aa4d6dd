import type { Readable } from 'node:stream';

/**
 * Returns the output of a process once there is enough of it, or all of it at its end. The rest is read and dropped: a process
 * whose output nobody reads stands still as soon as the pipe is full.
 */
export function readUntil(output: Readable, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let text: string | null = '';
    const finish = () => {
      if (text !== null) resolve(text);
      text = null;
    };
    output.on('data', (chunk) => {
      if (text === null) return;
      text += String(chunk);
      if (isEnough(text)) finish();
    });
    output.once('close', finish);
  });
}
