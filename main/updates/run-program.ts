import { execFile } from 'node:child_process';
import { environmentWith } from '../environment.ts';
import type { RunProgram } from './publisher.ts';

/** Signatures of a large program take time on a slow disk. */
const TIMEOUT_MS = 120_000;

/** Runs a program of the system; its output is that of both streams. */
export const runProgram: RunProgram = (program, words, environment = {}) =>
  new Promise((resolve, reject) => {
    const options = { env: environmentWith(environment), timeout: TIMEOUT_MS, windowsHide: true };
    execFile(program, words, options, (error, stdout, stderr) => {
      // A program that ended has the number of its end as the code.
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ isFailed: error !== null, output: `${stdout}${stderr}` });
    });
  });
