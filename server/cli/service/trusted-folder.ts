import { CommandFailure, EXIT } from '../exit-codes.ts';
import type { Answer, Step } from './steps.ts';

/** Entry of a file system itself, never the target of a link. */
export interface Entry {
  readonly path: string;
  /** A symbolic link, or a junction of Windows. */
  readonly isLink: boolean;
  /** Number of the account that owns it; 0 on Windows. */
  readonly owner: number;
}

export interface TrustSystem {
  readonly run: (program: string, words: readonly string[]) => Promise<Answer>;
  /** Null for a path without one. */
  readonly entry: (path: string) => Entry | null;
  /** Everything in a folder, without following links. */
  readonly entriesBelow: (folder: string) => AsyncIterable<Entry>;
  /** Returns false where there is an entry of that name. */
  readonly makeNewFolder: (path: string) => Promise<boolean>;
}

/** Step that looks at who could have changed a folder. */
export type TrustStep = Extract<
  Step,
  { kind: 'new-folder' | 'require-empty' | 'require-trusted' | 'require-no-answer' }
>;

/**
 * Carries out a step that keeps out content of other accounts: settings in the data folder decide the actions of the service. Throws
 * CommandFailure.
 */
export async function carryOutTrustStep(system: TrustSystem, step: TrustStep): Promise<void> {
  switch (step.kind) {
    case 'new-folder':
      if (await system.makeNewFolder(step.path)) return;
      throw foreign(step.path);
    case 'require-empty':
      for await (const { path } of system.entriesBelow(step.path)) throw foreign(path);
      return;
    case 'require-trusted':
      return requireTrusted(system, step);
    case 'require-no-answer': {
      const { code, output } = await system.run(step.program, step.words);
      const words = output.trim();
      if (code !== 0)
        throw new CommandFailure(`The owners of what is in ${step.path} could not be read (${words}).`);
      if (words !== '') throw foreign(words);
      return;
    }
    default:
      step satisfies never;
  }
}

/** Returns true where an entry is missing, or belongs to one of the accounts and is no link. */
export function isTrusted(entry: Entry | null, owners: readonly number[]): boolean {
  return entry === null || (!entry.isLink && owners.includes(entry.owner));
}

async function requireTrusted(
  system: TrustSystem,
  { path, owners, isDeep }: Extract<Step, { kind: 'require-trusted' }>,
): Promise<void> {
  if (!isTrusted(system.entry(path), owners)) throw foreign(path);
  if (isDeep === true)
    for await (const entry of system.entriesBelow(path))
      if (!isTrusted(entry, owners)) throw foreign(entry.path);
}

function foreign(path: string): CommandFailure {
  return new CommandFailure(
    `${path} is a link or belongs to an account that is no administrator, which could change what the service does. Look at it, move it away and run the command again.`,
    EXIT.notAllowed,
  );
}
