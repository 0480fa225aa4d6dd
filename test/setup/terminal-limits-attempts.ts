import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { closeComputer } from '../../server/cli/terminal-session/no-computer.ts';

// A process that takes the computer from itself, tries to reach it all the same, and prints what it reached.

const [secret = '', target = ''] = process.argv.slice(2);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CODE = ['server', 'shared', 'node_modules', 'package.json'].map((name) => join(ROOT, name));
closeComputer(CODE);

const ATTEMPTS: Readonly<Record<string, () => unknown>> = {
  'read a file': () => readFileSync(secret),
  'read a file later': () => readFile(secret),
  'read a file through a folder of the code': () => readFile(join(ROOT, 'server', '..', '..', secret)),
  'read a file by its address': () => readFile(new URL(`file://${secret}`)),
  'open a file': () => open(secret),
  'list a folder': () => readdir(dirname(secret)),
  'find a file': () => existsSync(secret) || Promise.reject(new Error('not found')),
  'write a file': () => writeFileSync(target, 'x'),
  'write a file later': () => writeFile(target, 'x'),
  'write into the code': () => open(join(ROOT, 'package.json'), 'r+'),
  'write into the code by number': () => open(join(ROOT, 'package.json'), 2),
  'remove a file': () => rm(secret),
  'start a program': () => spawnSync('/bin/true'),
  'start a thread': () => new Worker('0', { eval: true }),
  'require a file': () => createRequire(import.meta.url)('node:fs').readFileSync(secret),
  'load a native module': () => process.dlopen({ exports: {} }, '/nothing.node'),
};

const reached: string[] = [];
for (const [name, attempt] of Object.entries(ATTEMPTS))
  try {
    await attempt();
    reached.push(name);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== 'ERR_ACCESS_DENIED' && message !== 'not found') reached.push(`${name}: ${message}`);
  }
// The code itself is still loaded, as commands are.
const exitCodes = await import('../../server/cli/exit-codes.ts');
const loads = Object.keys(exitCodes).length > 0 && (await readFile(join(ROOT, 'package.json'))).length > 0;
process.stdout.write(JSON.stringify({ reached, attempts: Object.keys(ATTEMPTS).length, loads }));
