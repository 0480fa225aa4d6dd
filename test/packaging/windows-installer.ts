import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/source-tree.ts';

export const INCLUDE = join(ROOT, 'resources/windows/installer.nsh');

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
!include "${INCLUDE}"
Function .onInit
  SetShellVarContext ${scope === 'everyone' ? 'all' : 'current'}
  StrCpy $INSTDIR "${folder}\\Faxdesk"
  !insertmacro customInit
FunctionEnd
Section
  SetOutPath "$INSTDIR\\resources"
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\uninstall.exe"
SectionEnd
Function un.onInit
  SetShellVarContext ${scope === 'everyone' ? 'all' : 'current'}
FunctionEnd
Section "Uninstall"
  !insertmacro customUnInstall
SectionEnd
`;
}

/** A program that adds the words of its call to a file and ends with a code. */
const recorder = (file: string, code: number) => `
Target amd64-unicode
Name "recorder"
OutFile "${file}"
SilentInstall silent
RequestExecutionLevel user
Section
  FileOpen $0 "C:\\netsh.txt" a
  FileSeek $0 0 END
  FileWrite $0 "$CMDLINE$\\n"
  FileClose $0
  SetErrorLevel ${code}
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
export class WindowsComputer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'faxdesk-wine-'));

  constructor() {
    for (const scope of ['account', 'everyone'] as const)
      mustCompile(script(scope, 'amd64', join(this.#folder, `${scope}.exe`)));
    mkdirSync(join(this.#folder, 'home'));
    // Otherwise it ends and starts again with every program.
    spawnSync('wineserver', ['--persistent'], { env: { ...process.env, ...this.#env }, stdio: 'ignore' });
    this.run('wineboot', '--init');
    this.answerFirewall(0);
  }

  path(...parts: string[]): string {
    return join(this.#folder, 'prefix/drive_c', ...parts);
  }

  /** Runs a program of Windows and waits for its end. */
  run(program: string, ...args: string[]): { code: number | null; output: string } {
    // A pipe would wait for the services of Wine, which have it as well.
    const file = join(this.#folder, 'output');
    const output = openSync(file, 'w');
    const { status } = spawnSync('wine', [program, ...args], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', output, 'ignore'],
      timeout: 120_000,
    });
    closeSync(output);
    return { code: status, output: readFileSync(file, 'utf8') };
  }

  /** Runs an installer without its window. Returns its exit code. */
  install(scope: Scope, ...args: string[]): number | null {
    return this.run(`${scope}.exe`, '/S', ...args).code;
  }

  /** Runs the uninstaller, which works on from a copy of itself: the pipe closes when that has ended, too. */
  uninstall(scope: Scope, ...args: string[]): void {
    const folder = scope === 'everyone' ? String.raw`C:\Program Files` : this.#localPrograms;
    const words = [`${folder}\\Faxdesk\\uninstall.exe`, '/S', ...args];
    spawnSync('wine', words, { cwd: this.#folder, env: { ...process.env, ...this.#env }, timeout: 120_000 });
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
    mustCompile(recorder(program, code));
  }

  /** Words of the calls of the firewall since the last look. */
  firewallCalls(): string[] {
    const file = this.path('netsh.txt');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    rmSync(file, { force: true });
    return text.split('\n').flatMap((line) => /netsh\.exe" (.*)/u.exec(line)?.[1]?.trim() ?? []);
  }

  close(): void {
    spawnSync('wineserver', ['--kill'], { env: { ...process.env, ...this.#env }, stdio: 'ignore' });
    spawnSync('wineserver', ['--wait'], {
      env: { ...process.env, ...this.#env },
      stdio: 'ignore',
      timeout: 60_000,
    });
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #env() {
    const [home, prefix] = [join(this.#folder, 'home'), join(this.#folder, 'prefix')];
    // Neither a window nor the programs that it would offer to download.
    return {
      HOME: home,
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml=;netsh.exe=n',
      DISPLAY: '',
    };
  }
}

function mustCompile(text: string): void {
  const problem = compile(text);
  if (problem !== null) throw new Error(problem);
}
