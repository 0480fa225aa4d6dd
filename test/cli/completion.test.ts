import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complete } from '../../server/cli/completion/complete.ts';
import { splitLine, wordsOf } from '../../server/cli/completion/split-line.ts';
import { createProgram } from '../../server/cli/program.ts';
import type { Fax } from '../setup/gateway.ts';
import { needTools } from '../setup/tools.ts';
import { type CommandLine, openCommandLine, PASSED_ON } from './cli-setup.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function valuesAfter(line: string): Promise<readonly string[]> {
  const { items, files } = await complete(createProgram(), splitLine(line).words, async () => []);
  return files ? [':files'] : items.map(({ value }) => value);
}

describe('completion by the table of commands', () => {
  test.each([
    ['jo', ['jobs']],
    // Earlier words lead to the same options.
    ['work statistics --save x --over', ['--overwrite']],
    ['jobs about some-id --sub', ['--subject']],
    ['jobs re', ['release', 'reconcile', 'report', 'reports', 'resend', 'retry', 'refresh']],
    ['jobs list --st', ['--state']],
    ['jobs list --state in', ['in_progress']],
    ['jobs list --state=su', ['--state=submitting', '--state=success']],
    ['--url http://127.0.0.1:1 jobs rel', ['release']],
    ['users change mara --enabled ', ['yes', 'no']],
    ['keys create --scope fax:s', ['fax:send']],
    ['keys create --scope fax:send fax:rea', ['fax:read']],
    ['jobs document some-id --output let', [':files']],
    ['send +12025550123 ', [':files']],
    ['jobs list -- --st', []],
    ['completion ', []],
    ['complet', ['completion']],
    ['nowhere li', []],
  ])('after "%s"', async (line, expected) => {
    expect((await valuesAfter(line)).toSorted()).toEqual(expected.toSorted());
  });

  test('offers every command that the documentation lists, and no option twice', async () => {
    const program = createProgram();
    const hidden = ['complete', 'terminal'];
    const names = program.commands.map((command) => command.name()).filter((name) => !hidden.includes(name));
    expect(await valuesAfter('')).toEqual(names);
    expect(await valuesAfter('jobs list --state held --')).not.toContain('--state');
  });

  test('reads words as a shell does', () => {
    expect(wordsOf(String.raw`jobs  list --search "a \"b\" c" 'd e'f g\ h`)).toEqual([
      'jobs',
      'list',
      '--search',
      'a "b" c',
      'd ef',
      'g h',
    ]);
    expect(wordsOf('   ')).toEqual([]);
    expect(() => wordsOf('jobs "list')).toThrow('The quote " is not closed.');
  });
});

describe('completion in a shell', () => {
  let cli: CommandLine;
  let fax: Fax;
  beforeAll(async () => {
    cli = await openCommandLine();
    await cli.serve();
    const letter = join(cli.folder, 'letter.txt');
    await writeFile(letter, 'Dear colleague\n');
    fax = await cli.json<Fax>('send', '(202) 555-0123', letter);
    await cli.create('/access/mailboxes', { label: 'Front Desk' });
  });
  afterAll(() => cli.close());

  test('completes ids and names through the gateway, and stays silent where none answers', async () => {
    const ids = await cli.run(['complete', '--', 'faxdesk jobs show ']);
    expect(ids).toEqual({ code: 0, out: expect.stringContaining(`${fax.id}\t+12025550123, `), err: '' });
    const mailboxes = await cli.run(['complete', '--', 'faxdesk work list --mailbox "Front']);
    expect(mailboxes.out).toBe('Front Desk\n');
    const encoded = Buffer.from('faxdesk settings show FAX_BACK').toString('base64');
    expect((await cli.run(['complete', '--base64', '--', encoded])).out).toBe('FAX_BACKEND\n');
    const away = await cli.run(['complete', '--', 'faxdesk --url http://127.0.0.1:1 jobs show ']);
    expect(away).toEqual({ code: 0, out: '', err: '' });
  });

  test('bash replaces the word at the cursor, with colons, quotes and file names', async () => {
    const { out } = await cli.run(['completion', 'bash']);
    const script = `${out}
faxdesk() { ${JSON.stringify(process.execPath)} ${JSON.stringify(`${ROOT}server/faxdesk.mjs`)} "$@"; }
compopt() { echo "compopt $*"; }
try() { COMP_LINE="$1"; COMP_POINT=\${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _faxdesk; printf '[%s]' "\${COMPREPLY[@]}"; echo; }
try 'faxdesk jobs rel' faxdesk jobs rel
try 'faxdesk keys create --scope fax:s' faxdesk keys create --scope fax : s
try 'faxdesk work list --mailbox ' faxdesk work list --mailbox ''
try 'faxdesk work list --mailbox "Front D' faxdesk work list --mailbox '"Front D'
try 'faxdesk settings change FAX_BACKE' faxdesk settings change FAX_BACKE
try 'faxdesk send +12025550123 let' faxdesk send +12025550123 let
`;
    const env = { ...PASSED_ON, FAXDESK_DATA: cli.folder };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { env });
    expect(stdout.trimEnd().split('\n')).toEqual([
      '[release]',
      '[send]',
      String.raw`[Front\ Desk]`,
      '[Front Desk]',
      'compopt -o nospace',
      '[FAX_BACKEND=]',
      'compopt -o default',
      '[]',
    ]);
  });

  test('zsh completes what is typed in a terminal, with quotes, values after a sign and file names', async (context) => {
    needTools(context, 'zsh');
    const { out } = await cli.run(['completion', 'zsh']);
    const [inner, outer] = [join(cli.folder, 'inner.zsh'), join(cli.folder, 'outer.zsh')];
    const program = [process.execPath, join(ROOT, 'server/faxdesk.mjs')].map((each) => JSON.stringify(each));
    // The command prints its words, so that what was typed is run as it was completed.
    await writeFile(
      inner,
      `PROMPT= RPROMPT= zle_bracketed_paste=()
autoload -U compinit && compinit -u -D
${out}
faxdesk() {
  if [[ "$1" == complete ]]; then ${program.join(' ')} "$@"; return; fi
  print -rn -- 'RUN:'; printf '[%s]' "$@"; print -r -- ':END'
}
print -r -- 'REA''DY'
`,
    );
    const letter = join(cli.folder, 'lett');
    const typed = [
      'faxdesk jobs rel\tx',
      'faxdesk keys create --scope fax:s\tx',
      'faxdesk work list --mailbox Fro\tx',
      'faxdesk work list --mailbox "Front D\tx',
      'faxdesk settings change FAX_BACKE\tcloudone',
      'faxdesk jobs list --state=succ\tx',
      `faxdesk send +12025550123 ${letter}\tx`,
    ];
    await writeFile(
      outer,
      `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'source ${inner}'
zpty -r z seen '*READY*'
for line in ${typed.map((line) => `$'${line.replaceAll("'", "\\'")}'`).join(' ')}; do
  zpty -w z "$line"
  zpty -r z seen '*RUN:*:END*'
  print -r -- "\${\${seen##*RUN:}%%:END*}"
done
zpty -d z
`,
    );
    const env = { ...PASSED_ON, FAXDESK_DATA: cli.folder, TERM: 'dumb', HOME: cli.folder };
    const { stdout } = await promisify(execFile)('zsh', ['-f', outer], { env, timeout: 60_000 });
    expect(stdout.trimEnd().split('\n')).toEqual([
      '[jobs][release][x]',
      '[keys][create][--scope][fax:send][x]',
      '[work][list][--mailbox][Front Desk][x]',
      '[work][list][--mailbox][Front Desk][x]',
      '[settings][change][FAX_BACKEND=cloudone]',
      '[jobs][list][--state=success][x]',
      `[send][+12025550123][${letter}er.txt][x]`,
    ]);
  });

  test('prints a script for each shell, and refuses another', async () => {
    expect((await cli.run(['completion', 'zsh'])).out).toMatch(/^#compdef faxdesk\n/u);
    expect((await cli.run(['completion', 'powershell'])).out).toContain('Register-ArgumentCompleter -Native');
    expect(await cli.run(['completion', 'fish'])).toEqual({
      code: 2,
      out: '',
      err: 'The shell must be one of bash, zsh, powershell.\n',
    });
  });
});
