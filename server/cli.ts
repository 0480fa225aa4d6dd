#!/usr/bin/env node
import type * as Run from './cli/run.ts';
import { makeForOwnerOnly } from './config/owner-only.ts';
import { builtCommandLine } from './platform/built-code.ts';
import { cacheCompiledModules } from './platform/compile-cache.ts';

type CommandLine = Pick<typeof Run, 'runCommandLine'>;

makeForOwnerOnly();
cacheCompiledModules();
const built = builtCommandLine();
const { runCommandLine }: CommandLine =
  built === null ? await import('./cli/run.ts') : ((await import(built)) as CommandLine);

// A pipe that is closed early, as by `| head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runCommandLine(process.argv.slice(2));
