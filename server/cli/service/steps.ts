/** Answer of a program of the system. */
export interface Answer {
  /** Null where the program could not be started. */
  readonly code: number | null;
  /** Both streams. */
  readonly output: string;
}

/** One step of adding or removing a service, in the order in which it is carried out. */
export type Step =
  | {
      readonly kind: 'run';
      readonly program: string;
      readonly words: readonly string[];
      /** It fails where there is nothing to do. */
      readonly mayFail?: true;
    }
  /** Repeats a question to the system until it fails: a service ends after the answer to the order. */
  | { readonly kind: 'until-fails'; readonly program: string; readonly words: readonly string[] }
  /** Repeats a question until its answer contains a text. */
  | {
      readonly kind: 'until-shows';
      readonly program: string;
      readonly words: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'folder'; readonly path: string }
  /** Makes a folder that nobody has made before. */
  | { readonly kind: 'new-folder'; readonly path: string }
  | { readonly kind: 'require-empty'; readonly path: string }
  /** Refuses a folder that is a link or belongs to another account. */
  | {
      readonly kind: 'require-trusted';
      readonly path: string;
      readonly owners: readonly number[];
      /** Also everything in it. */
      readonly isDeep?: true;
    }
  /** Refuses a folder where a question to the system has an answer. */
  | {
      readonly kind: 'require-no-answer';
      readonly program: string;
      readonly words: readonly string[];
      readonly path: string;
    }
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string };

export const run = (program: string, ...words: string[]): Step => ({ kind: 'run', program, words });
export const tryRun = (program: string, ...words: string[]): Step => ({
  kind: 'run',
  program,
  words,
  mayFail: true,
});

const SHOWN: Readonly<
  Record<Exclude<Step['kind'], 'run' | 'until-fails' | 'until-shows' | 'require-no-answer'>, string>
> = {
  folder: 'make the folder',
  'new-folder': 'make the new folder',
  'require-empty': 'go on if nothing is in',
  'require-trusted': 'go on if no link and of no other account is',
  write: 'write',
  copy: 'copy',
  move: 'move',
  remove: 'remove',
};

/** Returns a step as a line for a person. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'run':
      return [step.program, ...step.words].map(quoted).join(' ');
    case 'until-fails':
    case 'until-shows':
      return `wait for: ${[step.program, ...step.words].map(quoted).join(' ')}`;
    case 'require-no-answer':
      return `go on if nothing is printed by: ${[step.program, ...step.words].map(quoted).join(' ')}`;
    case 'copy':
    case 'move':
      return `${SHOWN[step.kind]} ${quoted(step.from)} to ${quoted(step.to)}`;
    case 'write':
      return `write ${quoted(step.path)}:\n${step.text.trimEnd().replaceAll(/^/gmu, '    ')}`;
    default:
      return `${SHOWN[step.kind]} ${quoted(step.path)}`;
  }
}

const quoted = (word: string) => (/^[\w./:=,*\\-]+$/u.test(word) ? word : `'${word}'`);
