import type { Command, Option } from 'commander';
import { placeholderOf } from './file-placeholders.ts';

/** Earlier names of commands, which go on working, with their present names in the same group. */
export const OLDER_COMMANDS: Readonly<Record<string, string>> = {
  'settings get': 'show',
  'settings set': 'change',
  'settings unset': 'remove',
  'contacts add': 'create',
  'contacts opt-outs add': 'create',
  'covers add': 'create',
  'signatures add': 'create',
  'routes add': 'create',
  'costs cards add': 'create',
  'costs limits set': 'change',
  'direct partners add': 'create',
  'printer add': 'create',
  'groups add': 'add-member',
  'groups remove': 'remove-member',
  'grants give': 'create',
  'grants take': 'remove',
  'defaults set': 'change',
  'jobs about': 'change',
  'jobs try-again': 'retry',
  'inbound about': 'change',
  'drafts rename': 'change',
  'https status': 'show',
  'storage status': 'show',
  'webhooks secret': 'rotate',
  'webhooks send-again': 'retry',
};

/** Earlier names of options, by command. */
export const OLDER_OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'work statistics': { '--save': '--output' },
  'costs sums': { '--save': '--output' },
  'telephony config': { '--out': '--output' },
  'covers show': { '--picture': '--output' },
};

/** Arguments that are options now: their place among the arguments, counted from 0, and the option. */
export const OLDER_ARGUMENTS: Readonly<Record<string, readonly [number, string]>> = {
  'audit export': [0, '--output'],
  'contacts export': [0, '--output'],
  'https root': [0, '--output'],
  'backup create': [0, '--output'],
  'drafts change': [1, '--name'],
};

/** Group whose command may be left out. */
const IMPLIED: Readonly<Record<string, string>> = { backup: 'create' };

/** Rewrites a command line with earlier words into the present ones; any other stays as it is. */
export function renewWords(program: Command, words: readonly string[]): string[] {
  const renewed: string[] = [];
  let command = program;
  let path = '';
  let open: Option | null = null;
  let argumentCount = 0;
  for (const [at, word] of words.entries()) {
    if (word === '--') return [...renewed, ...words.slice(at)];
    if (word.startsWith('-') && word.length > 1) {
      const flag = renewFlag(path, word);
      const [name] = flag.split('=', 1);
      const option = optionsOf(impliedOf(command, path)).find(
        ({ long, short }) => long === name || short === name,
      );
      open = option && !flag.includes('=') && placeholderOf(option) !== '' ? option : null;
      renewed.push(flag);
    } else if (open) {
      open = open.variadic ? open : null;
      renewed.push(word);
    } else {
      const name = OLDER_COMMANDS[`${path} ${word}`] ?? word;
      const child = argumentCount === 0 ? command.commands.find((one) => one.name() === name) : undefined;
      if (child) {
        command = child;
        path = `${path} ${name}`.trim();
        renewed.push(name);
      } else {
        renewed.push(...renewArgument(path, { word, place: argumentCount }));
        argumentCount += 1;
      }
    }
  }
  return renewed;
}

function renewFlag(path: string, word: string): string {
  const [flag = word] = word.split('=', 1);
  return (OLDER_OPTIONS[path]?.[flag] ?? flag) + word.slice(flag.length);
}

function renewArgument(path: string, { word, place }: { word: string; place: number }): string[] {
  const implied = IMPLIED[path];
  const older = OLDER_ARGUMENTS[implied === undefined ? path : `${path} ${implied}`];
  return older?.[0] === place ? [older[1], word] : [word];
}

/** Returns the command that a group stands for where its own name is left out. */
function impliedOf(command: Command, path: string): Command {
  return command.commands.find((child) => child.name() === IMPLIED[path]) ?? command;
}

/** Options of a command and of those above it. */
function optionsOf(command: Command): Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}
