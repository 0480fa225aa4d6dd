import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { filesBelow, ROOT } from '../scripts/source-tree.ts';
import { createProgram } from '../server/cli/program.ts';

/** Files that people read: the sentences of the product, its documentation, and the output of its scripts. */
const READ = [
  ...['server', 'shared', 'renderer', 'main', 'scripts', 'docs'].flatMap((folder) => filesBelow(folder)),
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'package.json',
  'electron-builder.yml',
].filter((path) => /\.(?:ts|tsx|mjs|md|json|yml|html|sh|service)$/u.test(path));

/** With the options that follow on the line, up to the end of the code or the quotation. */
const COMMAND = /\bfaxdesk ((?:[a-z][a-z-]*)[^`'"|\n]*)/gu;
const SCRIPT = /\bnpm (?:run (?:-s )?)?((?<=run (?:-s )?)[a-z][a-z:-]*|start|test)\b/gu;
/** Names of derived keys, which are no commands. */
const NO_COMMANDS = ['csrf'];

const texts = READ.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

function found(pattern: RegExp): { path: string; words: string }[] {
  return texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, words]) => ({ path, words: (words ?? '').trim() })),
  );
}

/** Returns the part of a command that the command line would not accept; null when it accepts all of it. */
function notUnderstood(words: string): string | null {
  let command: Command = createProgram();
  const known = new Set(optionsOf(command));
  const parts = words.split(/[\s,.;:)]+/u);
  while (command.commands.length > 0) {
    const name = parts.shift() ?? '';
    const next = command.commands.find((child) => child.name() === name || child.aliases().includes(name));
    // A group alone stands for all of its commands.
    if (!next && name === '') return null;
    if (!next) return command.parent === null ? name : `${command.name()} ${name}`;
    command = next;
    for (const option of optionsOf(command)) known.add(option);
  }
  return parts.find((part) => /^--[a-z]/u.test(part) && !known.has(part.replace(/=.*$/u, ''))) ?? null;
}

const optionsOf = (command: Command): string[] => [
  '--help',
  ...command.options.flatMap(({ long }) => (long ? [long] : [])),
];

describe('a hint', () => {
  test('names no command or option that the command line does not have', () => {
    const hints = found(COMMAND).filter(({ words }) => !NO_COMMANDS.includes(words));
    expect(hints.length).toBeGreaterThan(50);
    const wrong = hints.flatMap(({ path, words }) => {
      const problem = notUnderstood(words);
      return problem === null ? [] : [`${path}: faxdesk ${words}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  test('names no script that the package does not have', () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const scripts = found(SCRIPT);
    expect(scripts.length).toBeGreaterThan(20);
    expect(scripts.filter(({ words }) => !Object.hasOwn(manifest.scripts, words))).toEqual([]);
  });

  test('is looked at closely enough to be found wrong', () => {
    expect(notUnderstood('settings polish FAX_NUMBER=1')).toBe('settings polish');
    expect(notUnderstood('dance')).toBe('dance');
    expect(notUnderstood('send +12025550123 letter.pdf --faster')).toBe('--faster');
    expect(notUnderstood('send +12025550123 letter.pdf --wait --json')).toBeNull();
  });
});
