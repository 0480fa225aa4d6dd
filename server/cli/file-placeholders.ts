import type { Argument, Option } from 'commander';

/** Placeholders of arguments and options that name a file or folder of the computer the command runs on. */
const PLACEHOLDERS = ['file', 'files', 'folder', 'path', 'pdf', 'csv', 'zip', 'directory'];

/** Returns true when an argument or the value of an option is a file or folder. */
export function takesFile(part: Argument | Option): boolean {
  return PLACEHOLDERS.includes(placeholderOf(part));
}

/** Returns the placeholder of a value, without its brackets and dots; empty for an option without a value. */
export function placeholderOf(part: Argument | Option): string {
  const text = 'flags' in part ? (/[<[]([^>\]]+)[>\]]/u.exec(part.flags)?.[1] ?? '') : part.name();
  return text.replace(/\.{3}$/u, '');
}
