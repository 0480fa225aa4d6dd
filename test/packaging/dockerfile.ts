import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

/** One instruction of a Dockerfile, with lines that go on joined. */
interface Instruction {
  readonly name: string;
  readonly words: string;
}

/** Returns the instructions of our Dockerfile in their order. */
export function dockerInstructions(): Instruction[] {
  const text = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/gu, '');
  return text
    .split('\n')
    .filter((line) => /^[A-Z]/u.test(line))
    .map((line) => ({ name: line.split(' ')[0] ?? '', words: line.slice(line.indexOf(' ') + 1) }));
}

/** Returns the instructions of the image that is kept: those of the last stage. */
export function keptInstructions(): Instruction[] {
  const all = dockerInstructions();
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM') + 1);
}
