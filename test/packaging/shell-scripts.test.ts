import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Language, Parser } from '@vscode/tree-sitter-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { checkPublisher } from '../../main/updates/publisher.ts';
import { filesBelow, ROOT } from '../../scripts/source-tree.ts';
import { SHELL_SCRIPTS } from '../../server/cli/completion/shell-scripts.ts';
import { windowsSteps } from '../../server/cli/service/windows.ts';
import { addPrinterCommand, removePrinterCommand } from '../../shared/printer-command.ts';

const require = createRequire(import.meta.url);
const treeSitter = require('@vscode/tree-sitter-wasm') as {
  Language: typeof Language;
  Parser: typeof Parser;
};
const grammarOf = (name: string) => require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`);

let parsers: Readonly<Record<string, Parser>>;
beforeAll(async () => {
  await treeSitter.Parser.init();
  const named = ['bash', 'powershell'].map(async (name) => {
    const parser = new treeSitter.Parser();
    parser.setLanguage(await treeSitter.Language.load(grammarOf(name)));
    return [name, parser] as const;
  });
  parsers = Object.fromEntries(await Promise.all(named));
});

/** Returns the lines (from 1) at which a script does not follow the grammar of its shell. */
function errorsOf(shell: 'bash' | 'powershell', script: string): number[] {
  const root = parsers[shell]?.parse(script)?.rootNode;
  if (root === undefined) throw new Error(`${shell} was not parsed`);
  const lines: number[] = [];
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.isError || node.isMissing) lines.push(node.startPosition.row + 1);
    else if (node.hasError) pending.push(...node.children.filter((child) => child !== null));
  }
  return lines.toSorted((one, other) => one - other);
}

interface Workflow {
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly { readonly name?: string; readonly run?: string; readonly shell?: string }[];
      }
    >
  >;
}

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));

/** Steps of a workflow with their scripts; the runner puts values in place of its expressions. */
function scriptsOf(name: string) {
  const workflow = parseYaml(readFileSync(join(ROOT, '.github/workflows', name), 'utf8')) as Workflow;
  const usual = workflow.defaults?.run?.shell ?? 'bash';
  return Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run, shell = usual, ...step }) =>
      run === undefined
        ? []
        : [{ title: step.name ?? run, shell, script: run.replaceAll(/\$\{\{.*?\}\}/gsu, 'value') }],
    ),
  );
}

describe('the scripts of the workflows', () => {
  it.each(WORKFLOWS)('of %s follow the grammar of their shells', (name) => {
    const scripts = scriptsOf(name);
    expect(scripts.length).toBeGreaterThan(2);
    for (const { title, shell, script } of scripts) {
      expect(['bash', 'pwsh'], title).toContain(shell);
      expect(errorsOf(shell === 'pwsh' ? 'powershell' : 'bash', script), title).toEqual([]);
    }
  });
});

describe('PowerShell that Faxdesk runs or prints', () => {
  it('follows the grammar: the completion and the commands of printers', () => {
    const printer = { name: 'Faxdesk', uri: 'ipps://fax.example.office:6311/ipp/print' };
    for (const { words } of [
      addPrinterCommand('win32', printer),
      removePrinterCommand('win32', printer.name),
    ])
      expect(errorsOf('powershell', words.at(-1) ?? '')).toEqual([]);
    expect(errorsOf('powershell', SHELL_SCRIPTS.powershell)).toEqual([]);
  });

  it('follows the grammar: the question who published an update', async () => {
    const scripts: string[] = [];
    await checkPublisher('C:\\Users\\mara\\Faxdesk.exe', {
      platform: 'win32',
      program: 'C:\\Program Files\\Faxdesk\\Faxdesk.exe',
      systemFolder: undefined,
      isFromMakers: false,
      run: (_, words) => {
        scripts.push(words.at(-1) ?? '');
        return Promise.resolve({ isFailed: true, output: '' });
      },
    });
    expect(scripts).toHaveLength(1);
    expect(errorsOf('powershell', scripts.join())).toEqual([]);
  });

  it.each(['own', 'other'] as const)('follows the grammar: the questions about owners (%s)', (found) => {
    const folders = {
      programFiles: 'C:\\Program Files',
      programData: 'C:\\ProgramData',
      system: 'C:\\Windows',
    };
    const spec = {
      program: 'C:\\Program Files\\Faxdesk',
      dataFolder: "D:\\Mara's faxes",
      port: null,
      isNew: true,
    };
    const scripts = windowsSteps({ ...spec, found }, folders, { isEntered: false }).flatMap((step) =>
      'program' in step && step.program.endsWith('powershell.exe') ? [step.words.at(-1) ?? ''] : [],
    );
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(errorsOf('powershell', script)).toEqual([]);
  });

  it('follows the grammar: the blocks of the documentation', () => {
    const blocks = filesBelow('docs')
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) => [
        ...readFileSync(join(ROOT, path), 'utf8').matchAll(/^```powershell\n(.*?)^```$/gmsu),
      ])
      .map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(errorsOf('powershell', block), block).toEqual([]);
  });
});

it('finds the line at which a script breaks the grammar', () => {
  expect(errorsOf('bash', 'set -e\nif true; then\n  echo yes\n')).not.toEqual([]);
  expect(errorsOf('bash', 'echo "one\n')).not.toEqual([]);
  expect(errorsOf('powershell', "$a = 1\nif ($a -eq 1) { Write-Output 'one' \n")).not.toEqual([]);
  expect(errorsOf('powershell', "Start-Process 'a.exe' '/S\n")).not.toEqual([]);
});
