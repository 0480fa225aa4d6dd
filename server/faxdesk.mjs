#!/usr/bin/env node
// In plain JavaScript: a single file of TypeScript costs Node 30 MB and 50 ms, and the gateway that was built needs none.
import { existsSync } from 'node:fs';

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

const built = new URL('../out/gateway/faxdesk.mjs', import.meta.url);
await import(existsSync(built) ? built.href : './cli.ts');
