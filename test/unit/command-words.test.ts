import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { takesFile } from '../../server/cli/file-placeholders.ts';
import { OLDER_ARGUMENTS, OLDER_COMMANDS, OLDER_OPTIONS, renewWords } from '../../server/cli/older-words.ts';
import { createProgram } from '../../server/cli/program.ts';

/** One verb for one act: what every group uses for the same act. */
const VERBS = ['create', 'list', 'show', 'change', 'remove'];

/** Acts of the field, which none of the verbs above describes. */
const FIELD_VERBS = [
  'acknowledge',
  'add-member',
  'adopt',
  'allow',
  'apply',
  'approve',
  'assign',
  'block',
  'cancel',
  'challenge',
  'check',
  'confirm',
  'continue',
  'create-key',
  'decode',
  'done',
  'end',
  'enroll',
  'export',
  'fetch',
  'forbid',
  'forget-line',
  'import',
  'move',
  'not-junk',
  'note',
  'pause',
  'quote',
  'reconcile',
  'recover',
  'refresh',
  'release',
  'remove-member',
  'reopen',
  'replace',
  'resend',
  'reset-password',
  'reset-quick-sign-in',
  'reset-two-factor',
  'retry',
  'revoke',
  'rotate',
  'schedule',
  'send',
  'stop',
  'test',
  'test-fax',
  'turn',
  'unblock',
  'validate',
  'verify',
  'verify-receipt',
  'why',
];

/** Parts and views of a thing, named as the screens name them. */
const NOUNS = [
  'blocked',
  'calendar',
  'call-log',
  'card',
  'config',
  'deliveries',
  'delivery',
  'destination',
  'destinations',
  'directory',
  'document',
  'history',
  'keys',
  'numbers',
  'oauth',
  'original',
  'password',
  'pdf',
  'permissions',
  'plans',
  'presets',
  'readers',
  'removals',
  'report',
  'reports',
  'revisions',
  'root',
  'senders',
  'settings',
  'statistics',
  'sums',
];

/** Every command below a group with its words. */
function leavesOf(command: Command, words: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

const leaves = new Map(leavesOf(createProgram()).filter(([words]) => words.includes(' ')));
const lastOf = (words: string) => words.split(' ').at(-1) ?? '';

test('rule (cli): a command is named by one of the five verbs, a verb of the field, or the part it shows', () => {
  const known = [...VERBS, ...FIELD_VERBS, ...NOUNS];
  expect([...leaves.keys()].filter((words) => !known.includes(lastOf(words)))).toEqual([]);
  const used = new Set([...leaves.keys()].map(lastOf));
  expect(known.filter((word) => !used.has(word))).toEqual([]);
});

test('rule (cli): a file that a command writes is always named by --output', () => {
  const others = [...leaves].flatMap(([words, { options }]) =>
    options
      .filter((option) => takesFile(option) && /write|save/iu.test(option.description))
      .filter(({ long }) => long !== '--output')
      .map(({ long }) => `${words} ${long}`),
  );
  expect(others).toEqual([]);
});

test.each(Object.entries(OLDER_COMMANDS))(
  'rule (cli): older words of commands go on working [%s: %s]',
  (older, verb) => {
    const present = [...older.split(' ').slice(0, -1), verb];
    expect(leaves.has(older)).toBe(false);
    expect(leaves.has(present.join(' '))).toBe(true);
    const options = ['--url', 'http://127.0.0.1:1', ...older.split(' '), '--json', 'one'];
    expect(renewWords(createProgram(), options)).toEqual([
      '--url',
      'http://127.0.0.1:1',
      ...present,
      '--json',
      'one',
    ]);
  },
);

test('older options and arguments become the present ones', () => {
  const renew = (words: string) => renewWords(createProgram(), words.split(' ')).join(' ');
  for (const [command, options] of Object.entries(OLDER_OPTIONS))
    for (const [older, present] of Object.entries(options)) {
      expect(renew(`${command} ${older} file`)).toBe(`${command} ${present} file`);
      expect(renew(`${command} ${older}=file`)).toBe(`${command} ${present}=file`);
      expect(leaves.get(command)?.options.map(({ long }) => long)).toContain(present);
    }
  for (const [command, [, option]] of Object.entries(OLDER_ARGUMENTS))
    expect(leaves.get(command)?.options.map(({ long }) => long)).toContain(option);
  expect(renew('audit export --format json a.json --overwrite')).toBe(
    'audit export --format json --output a.json --overwrite',
  );
  expect(renew('https root --der root.der')).toBe('https root --der --output root.der');
  expect(renew('drafts rename Monday Tuesday')).toBe('drafts change Monday --name Tuesday');
  expect(renew('backup monday.zip')).toBe('backup --output monday.zip');
  expect(renew('backup --output monday.zip')).toBe('backup --output monday.zip');
  expect(renew('send +12025550123 settings set')).toBe('send +12025550123 settings set');
  expect(renew('contacts show -- add')).toBe('contacts show -- add');
});
