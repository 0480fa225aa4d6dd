#!/usr/bin/env node
import { makeForOwnerOnly } from './config/owner-only.ts';
import { keepCompiled } from './platform/compile-cache.ts';

makeForOwnerOnly();
keepCompiled();
const { runCommandLine } = await import('./cli/run.ts');

// A pipe that is closed early, as by `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCommandLine(process.argv.slice(2));
