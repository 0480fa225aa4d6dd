import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { chmod, cp, opendir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '../../config/env.ts';
import { makeFolder, makeNewFolder } from '../../platform/make-folder.ts';
import { CommandFailure } from '../exit-codes.ts';
import { type Answer, describeStep, type Step } from './steps.ts';
import { carryOutTrustStep, type Entry, type TrustSystem } from './trusted-folder.ts';
import type { WindowsFolders } from './windows.ts';

/** Access to the service manager and the files of the computer. */
export interface ServiceSystem extends TrustSystem {
  readonly platform: NodeJS.Platform;
  /** True for root; the rights on Windows are a question to the system. */
  readonly isRoot: boolean;
  /** Folder with the gateway of an installer that this command runs from; null for any other. */
  readonly program: string | null;
  readonly windows: WindowsFolders;
  readonly exists: (path: string) => boolean;
  /** Target of a link; null for anything else. */
  readonly linkTarget: (path: string) => string | null;
  readonly read: (path: string) => Promise<string | null>;
  readonly write: (path: string, text: string, mode: number) => Promise<void>;
  readonly makeFolder: (path: string) => Promise<void>;
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

const PAUSE_MS = 500;
/** Of a stop, with the time after which the service manager ends the processes. */
const MAX_WAIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1_000_000;
const MAX_RUN_MS = 120_000;

/** Carries out the steps one after the other. Throws CommandFailure with the step that failed. */
export async function carryOut(system: ServiceSystem, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await carryOutStep(system, step);
}

async function carryOutStep(system: ServiceSystem, step: Step): Promise<void> {
  switch (step.kind) {
    case 'run': {
      const answer = await system.run(step.program, step.words);
      if (answer.code !== 0 && step.mayFail !== true) throw failureOf(step, answer);
      return;
    }
    case 'until-fails':
      return waitUntil(system, step, ({ code }) => code !== 0);
    case 'until-shows':
      return waitUntil(system, step, ({ output }) => output.includes(step.text));
    case 'folder':
      return system.makeFolder(step.path);
    case 'new-folder':
    case 'require-empty':
    case 'require-trusted':
    case 'require-no-answer':
      return carryOutTrustStep(system, step);
    case 'write':
      return system.write(step.path, step.text, step.mode);
    case 'copy':
      return system.copy(step.from, step.to);
    case 'move':
      return system.move(step.from, step.to);
    case 'remove':
      return system.remove(step.path);
    default:
      step satisfies never;
  }
}

async function waitUntil(
  system: ServiceSystem,
  step: Extract<Step, { kind: 'until-fails' | 'until-shows' }>,
  isDone: (answer: Answer) => boolean,
): Promise<void> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const answer = await system.run(step.program, step.words);
    if (isDone(answer)) return;
    if (waited >= MAX_WAIT_MS) throw failureOf(step, answer);
    await system.pause(PAUSE_MS);
  }
}

function failureOf(step: Step, { code, output }: Answer): CommandFailure {
  const reason =
    output
      .trim()
      .split(/\s*\n\s*/u)
      .join(' ') || `exit code ${code ?? 'none'}`;
  return new CommandFailure(`The system did not carry out “${describeStep(step)}” (${reason}).`);
}

/** Returns the computer that this process runs on. */
export function thisSystem(): ServiceSystem {
  const environment = processEnvironment();
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    program: installedProgram(),
    windows: {
      programFiles: environment['ProgramFiles'] ?? String.raw`C:\Program Files`,
      programData: environment['ProgramData'] ?? String.raw`C:\ProgramData`,
      system: environment['SystemRoot'] ?? String.raw`C:\Windows`,
    },
    run: runProgram,
    exists: existsSync,
    linkTarget: (path) => {
      try {
        return readlinkSync(path);
      } catch {
        return null;
      }
    },
    entry: entryAt,
    entriesBelow,
    read: (path) => readFile(path, 'utf8').catch(() => null),
    write: async (path, text, mode) => {
      await writeFile(path, text, { mode });
      // The mode of a file that was there stays, and the mask of this process takes rights away.
      await chmod(path, mode);
    },
    makeFolder: async (path) => void (await makeFolder(path)),
    makeNewFolder,
    copy: async (from, to) => cp(from, to, { recursive: true, verbatimSymlinks: true }),
    move: rename,
    remove: async (path) => rm(path, { recursive: true, force: true }),
    async pause(milliseconds) {
      await pause(milliseconds);
    },
  };
}

/** The Node.js that runs is the one beside the gateway, as the installers bring it. */
function installedProgram(): string | null {
  const folder = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[\\/]$/u, '');
  return dirname(process.execPath) === join(folder, 'bin') ? folder : null;
}

function entryAt(path: string): Entry | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : { path, isLink: stats.isSymbolicLink(), owner: stats.uid };
}

async function* entriesBelow(folder: string): AsyncGenerator<Entry> {
  for await (const item of await opendir(folder)) {
    const entry = entryAt(join(folder, item.name));
    if (entry === null) continue;
    yield entry;
    if (item.isDirectory() && !entry.isLink) yield* entriesBelow(entry.path);
  }
}

function runProgram(program: string, words: readonly string[]): Promise<Answer> {
  const options = { timeout: MAX_RUN_MS, maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true };
  return new Promise((resolve) => {
    execFile(program, [...words], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}
