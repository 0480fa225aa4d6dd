import { posix, win32 } from 'node:path';
import type { ServiceSystem } from '../../server/cli/service/service-system.ts';
import type { Answer } from '../../server/cli/service/steps.ts';
import type { Entry } from '../../server/cli/service/trusted-folder.ts';

/** Stand-in for a computer: files in memory, and programs of the system that answer as they are given. */
export class ServiceComputer implements ServiceSystem {
  readonly platform: NodeJS.Platform;
  isRoot = true;
  program: string | null;
  readonly windows = {
    programFiles: String.raw`C:\Program Files`,
    programData: String.raw`C:\ProgramData`,
    system: String.raw`C:\Windows`,
  };
  /** Texts of files by path; folders and copies are noted by their path alone. */
  readonly files = new Map<string, string>();
  readonly links = new Map<string, string>();
  readonly modes = new Map<string, number>();
  /** Numbers of the accounts that own a file, where it is not root. */
  readonly owners = new Map<string, number>();
  /** Words of the programs that were run, without the folder of the program. */
  readonly calls: string[] = [];
  /** Returns the answer of a program; `undefined` for the usual one, success without words. */
  answer: (call: string) => Partial<Answer> | undefined | Promise<Partial<Answer> | undefined> = () =>
    undefined;

  constructor(platform: 'win32' | 'darwin' | 'linux') {
    this.platform = platform;
    this.program =
      platform === 'win32'
        ? String.raw`C:\Program Files\Faxdesk\resources\gateway`
        : '/Applications/Faxdesk.app/Contents/Resources/gateway';
  }

  run = async (program: string, words: readonly string[]): Promise<Answer> => {
    const { basename } = this.platform === 'win32' ? win32 : posix;
    const call = [basename(program), ...words].join(' ');
    this.calls.push(call);
    return { code: 0, output: '', ...(await this.answer(call)) };
  };
  exists = (path: string) => this.files.has(path) || this.links.has(path);
  linkTarget = (path: string) => this.links.get(path) ?? null;
  entry = (path: string): Entry | null => {
    const isThere = [...this.files.keys(), ...this.links.keys()].some((name) => this.#isIn(path, name));
    return isThere ? { path, isLink: this.links.has(path), owner: this.owners.get(path) ?? 0 } : null;
  };
  async *entriesBelow(folder: string): AsyncGenerator<Entry> {
    for (const path of [...this.files.keys(), ...this.links.keys()])
      if (path !== folder && this.#isIn(folder, path))
        yield { path, isLink: this.links.has(path), owner: this.owners.get(path) ?? 0 };
  }
  #isIn(folder: string, path: string): boolean {
    return path === folder || path.startsWith(`${folder}${this.platform === 'win32' ? '\\' : '/'}`);
  }
  read = async (path: string) => this.files.get(path) ?? null;
  write = async (path: string, text: string, mode: number) => {
    this.files.set(path, text);
    this.modes.set(path, mode);
  };
  makeFolder = async () => undefined;
  makeNewFolder = async (path: string) => this.entry(path) === null;
  copy = async (from: string, to: string) => void this.files.set(to, `copy of ${from}`);
  move = async (from: string, to: string) => {
    for (const [path, text] of Array.from(this.files))
      if (path === from || path.startsWith(`${from}/`)) {
        this.files.delete(path);
        this.files.set(`${to}${path.slice(from.length)}`, text);
      }
  };
  remove = async (path: string) => {
    for (const name of this.files.keys())
      if (name === path || name.startsWith(`${path}/`)) this.files.delete(name);
  };
  pause = async () => undefined;
}
