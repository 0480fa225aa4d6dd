import type { Argument, Command, Option } from 'commander';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { choicesOf } from '../choice-option.ts';
import { placeholderOf, takesFile } from '../file-placeholders.ts';
import { renewWords } from '../older-words.ts';

/** Word that can follow on a command line. */
export interface Completion {
  readonly value: string;
  /** One line about it; empty for none. */
  readonly help: string;
}

interface Completions {
  readonly items: readonly Completion[];
  /** True where a file or folder of this computer follows. */
  readonly files: boolean;
}

/** Loads the stored things that a placeholder stands for: `contact` of `contacts show`. An empty list for unknown ones. */
export type LoadStored = (subject: { placeholder: string; path: readonly string[] }) => Promise<Completion[]>;

/** Place on a command line. */
interface Position {
  readonly command: Command;
  /** Names of the commands, from the first below the program. */
  readonly path: readonly string[];
  readonly given: readonly string[];
  /** Option whose value follows; null for none. */
  readonly open: Option | null;
  readonly argumentCount: number;
  /** False after `--`. */
  readonly takesOptions: boolean;
}

/** Lists the completions of the last word, by the table of commands. */
export async function complete(
  program: Command,
  words: readonly string[],
  loadStored: LoadStored,
): Promise<Completions> {
  const typed = words.at(-1) ?? '';
  const position = locate(program, renewWords(program, words.slice(0, -1)));
  const [flag = '', ofFlag] = /^(--[a-z-]+)=(.*)$/u.exec(typed)?.slice(1) ?? [];
  const { command, path, open, takesOptions } = position;
  if (ofFlag !== undefined && takesOptions) {
    const option = optionsOf(command).find(({ long }) => long === flag);
    const { items, files } = await valuesOf(option, { path, loadStored });
    return matching(
      { items: items.map((item) => ({ ...item, value: `${flag}=${item.value}` })), files },
      typed,
    );
  }
  if (open) return matching(await valuesOf(open, { path, loadStored }), typed);
  if (takesOptions && typed.startsWith('-'))
    return matching({ items: flagsOf(position), files: false }, typed);
  if (command.commands.length > 0) return matching({ items: subcommandsOf(command), files: false }, typed);
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[position.argumentCount] ?? (last?.variadic ? last : undefined);
  return matching(await valuesOf(argument, { path, loadStored }), typed);
}

/** Returns the command that words lead to, and what follows them there. */
export function locate(program: Command, words: readonly string[]): Position {
  let command = program;
  const path: string[] = [];
  const given: string[] = [];
  let open: Option | null = null;
  let argumentCount = 0;
  let takesOptions = true;
  for (const word of words) {
    if (takesOptions && word === '--') {
      takesOptions = false;
      open = null;
    } else if (takesOptions && word.startsWith('-') && word.length > 1) {
      const [flag = word] = word.split('=', 1);
      given.push(flag);
      const option = optionsOf(command).find(({ long, short }) => long === flag || short === flag);
      open = option && !word.includes('=') && placeholderOf(option) !== '' ? option : null;
    } else if (open) open = open.variadic ? open : null;
    else {
      const child = argumentCount === 0 ? command.commands.find((one) => one.name() === word) : undefined;
      if (child) {
        command = child;
        path.push(word);
      } else argumentCount += 1;
    }
  }
  return { command, path, given, open, argumentCount, takesOptions };
}

/** Options of a command and of those above it. */
function optionsOf(command: Command): Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}

function flagsOf({ command, given }: Position): Completion[] {
  const options = optionsOf(command).filter(
    ({ long, hidden, variadic }) => long && !hidden && (variadic || !given.includes(long)),
  );
  const items = options.map(({ long, description }) => ({ value: long ?? '', help: description }));
  return [...items, { value: '--help', help: 'show help' }];
}

function subcommandsOf(command: Command): Completion[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible
    .filter((child) => command.commands.includes(child))
    .map((child) => ({ value: child.name(), help: child.description() }));
}

async function valuesOf(
  part: Option | Argument | undefined,
  { path, loadStored }: { path: readonly string[]; loadStored: LoadStored },
): Promise<Completions> {
  if (!part) return { items: [], files: false };
  if (takesFile(part)) return { items: [], files: true };
  const fixed = 'flags' in part ? choicesOf(part) : null;
  const placeholder = placeholderOf(part);
  if (fixed) return { items: fixed.map((value) => ({ value, help: '' })), files: false };
  if (placeholder === 'permission')
    return { items: ALL_PERMISSIONS.map((value) => ({ value, help: '' })), files: false };
  return { items: await loadStored({ placeholder, path }), files: false };
}

function matching({ items, files }: Completions, typed: string): Completions {
  const start = typed.toLowerCase();
  return { items: items.filter(({ value }) => value.toLowerCase().startsWith(start)), files };
}
