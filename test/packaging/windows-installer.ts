import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import { WineComputer } from './wine.ts';

export const INCLUDE = join(ROOT, 'resources/windows/installer.nsh');

/** Lines of electron-builder that look for running programs. */
const CHECK = join(
  dirname(createRequire(import.meta.url).resolve('app-builder-lib/package.json')),
  'templates/nsis/include/allowOnlyOneInstallerInstance.nsh',
);

type Scope = 'account' | 'everyone';

/** Our lines with as much of electron-builder's script around them as they use. */
function script(scope: Scope, cpu: 'x86' | 'amd64', file: string): string {
  const folder = scope === 'everyone' ? '$PROGRAMFILES64' : String.raw`$LOCALAPPDATA\Programs`;
  return `
Target ${cpu}-unicode
Unicode true
Name "Faxdesk"
OutFile "${file}"
RequestExecutionLevel user
!include LogicLib.nsh
!include FileFunc.nsh
!define APP_EXECUTABLE_FILENAME "Faxdesk.exe"
${scope === 'everyone' ? '!define INSTALL_MODE_PER_ALL_USERS' : ''}
!macro _isUpdated _a _b _t _f
  ClearErrors
  \${GetParameters} $R9
  \${GetOptions} $R9 "--updated" $R9
  IfErrors \`\${_f}\` \`\${_t}\`
!macroend
!define isUpdated \`"" isUpdated ""\`
!define FAXDESK_ROUNDS 12
!include "${INCLUDE}"
; Of a plugin that is not here; our lines use none of it.
!define nsProcess::FindProcess ""
!include "${CHECK}"
Function .onInit
  SetShellVarContext ${scope === 'everyone' ? 'all' : 'current'}
  StrCpy $INSTDIR "${folder}\\Faxdesk"
  !insertmacro customInit
FunctionEnd
Section
  !insertmacro CHECK_APP_RUNNING
  SetOutPath "$INSTDIR\\resources"
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Function un.onInit
  SetShellVarContext ${scope === 'everyone' ? 'all' : 'current'}
  !insertmacro customCheckAppRunning
FunctionEnd
Section "Uninstall"
  !insertmacro customUnInstall
SectionEnd
`;
}

/** A program that adds the words of its call to a file and ends with a code. */
const recorder = (file: string, notes: string, code: number) => `
Target amd64-unicode
Name "recorder"
OutFile "${file}"
SilentInstall silent
RequestExecutionLevel user
Section
  FileOpen $0 "C:\\${notes}" a
  FileSeek $0 0 END
  FileWrite $0 "$CMDLINE$\\n"
  FileClose $0
  SetErrorLevel ${code}
SectionEnd
`;

/** A program that ends when it is requested to, or only when the test ends it. */
const running = (file: string, ends: boolean) =>
  String.raw`
Target amd64-unicode
Name "running"
OutFile "${file}"
SilentInstall silent
RequestExecutionLevel user
Section
  FileOpen $0 "C:\running.txt" w
  FileClose $0
  again:
  Sleep 100
  IfFileExists "C:\end.txt" end
  IfFileExists "$EXEDIR\resources\close-requested" ${ends ? 'end' : 'again'} again
  end:
  FileOpen $0 "C:\ended.txt" w
  FileClose $0
SectionEnd
`;

/** Compiles a script, with warnings as errors. Returns what the compiler printed, or null when it found nothing. */
function compile(text: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-nsis-'));
  writeFileSync(join(folder, 'installer.nsi'), text);
  const { status, stdout } = spawnSync('makensis', ['-WX', join(folder, 'installer.nsi')], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return status === 0 ? null : stdout;
}

/** Compiles our lines for an installer. Returns what is wrong with them, or null. */
export function compileLines(scope: Scope, cpu: 'x86' | 'amd64'): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-nsis-'));
  try {
    return compile(script(scope, cpu, join(folder, 'installer.exe')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A Windows of the test's own in Wine, with our lines as installers. */
export class WindowsComputer extends WineComputer {
  readonly #started = new Set<ChildProcess>();

  constructor() {
    super('netsh.exe,sc.exe=n');
    for (const scope of ['account', 'everyone'] as const)
      mustCompile(script(scope, 'amd64', join(this.folder, `${scope}.exe`)));
    this.answerFirewall(0);
    this.answerServiceManager(0);
  }

  /** Runs an installer without its window. Returns its exit code. */
  install(scope: Scope, ...args: string[]): number | null {
    return this.run(`${scope}.exe`, '/S', ...args).code;
  }

  /** Runs the uninstaller, which works on from a copy of itself: the pipe closes when that has ended, too. */
  uninstall(scope: Scope, ...args: string[]): void {
    const folder = scope === 'everyone' ? String.raw`C:\Program Files` : this.#localPrograms;
    const words = [`${folder}\\Faxdesk\\uninstall.exe`, '/S', ...args];
    spawnSync('wine', words, { cwd: this.folder, env: this.env, timeout: 120_000 });
  }

  get #localPrograms(): string {
    const { output } = this.run('cmd', '/c', 'echo %LOCALAPPDATA%');
    return String.raw`${output.trim()}\Programs`;
  }

  /** A key of the registry as `reg` prints it; empty where there is none. */
  registry(key: string): string {
    const { code, output } = this.run('reg', 'query', key, '/s');
    return code === 0 ? output : '';
  }

  /** Has the firewall answer with an exit code from now on. */
  answerFirewall(code: number): void {
    const program = this.path('windows/system32/netsh.exe');
    rmSync(program, { force: true });
    mustCompile(recorder(program, 'netsh.txt', code));
  }

  /** Has the command for services of Windows answer with an exit code from now on. */
  answerServiceManager(code: number): void {
    const program = this.path('windows/system32/sc.exe');
    rmSync(program, { force: true });
    mustCompile(recorder(program, 'sc.txt', code));
  }

  /** Words of the commands to the service manager since the last look. */
  serviceManagerCalls(): string[] {
    return this.#calls('sc.txt', /sc\.exe" (.*)/u);
  }

  /** Words of the calls of the firewall since the last look. */
  firewallCalls(): string[] {
    return this.#calls('netsh.txt', /netsh\.exe" (.*)/u);
  }

  /** Starts a program in a folder of the computer. It ends when it is requested to, or by `endProgram`. */
  async startProgram(name: string, folder: string, { ends }: { ends: boolean }): Promise<void> {
    for (const file of ['running.txt', 'ended.txt', 'end.txt']) rmSync(this.path(file), { force: true });
    mkdirSync(this.path(folder, 'resources'), { recursive: true });
    mustCompile(running(this.path(folder, name), ends));
    const child = spawn('wine', [this.path(folder, name)], { env: this.env, stdio: 'ignore' });
    this.#started.add(child);
    child.on('exit', () => this.#started.delete(child));
    await expect.poll(() => existsSync(this.path('running.txt')), { timeout: 30_000 }).toBe(true);
  }

  /** True when the program of `startProgram` has ended as it does itself. */
  get hasProgramEnded(): boolean {
    return existsSync(this.path('ended.txt'));
  }

  async endProgram(): Promise<void> {
    writeFileSync(this.path('end.txt'), '');
    await expect.poll(() => this.#started.size, { timeout: 30_000 }).toBe(0);
  }

  /** Puts a program in the place of the Node.js of the service, which ends with a code. */
  answerService(code: number): void {
    const folder = this.path('Program Files/Faxdesk/resources/gateway/bin');
    mkdirSync(folder, { recursive: true });
    mustCompile(recorder(join(folder, 'node.exe'), 'node.txt', code));
  }

  /** Words of the commands about the service since the last look. */
  serviceCalls(): string[] {
    return this.#calls('node.txt', /faxdesk\.mjs" (.*)/u);
  }

  #calls(name: string, pattern: RegExp): string[] {
    const file = this.path(name);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    rmSync(file, { force: true });
    return text.split('\n').flatMap((line) => pattern.exec(line)?.[1]?.trim() ?? []);
  }
}

function mustCompile(text: string): void {
  const problem = compile(text);
  if (problem !== null) throw new Error(problem);
}
