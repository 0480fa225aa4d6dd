import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  buildServiceHost,
  COMPILER,
  COMPILER_VERSION,
  SERVICE_HOST,
} from '../../scripts/build-service-host.ts';
import { needTools, toolPath } from '../setup/tools.ts';
import { WineComputer } from './wine.ts';

/** In the place of Node.js: notes what happens to it, and ends half a second after Ctrl-C, or with the code that it is given. */
const PROGRAM = String.raw`
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
static HANDLE asked;
static void note(const char *words, const char *more) {
  FILE *file = fopen("C:\\faxdesk\\notes.txt", "a");
  fprintf(file, "%s%s\n", words, more);
  fclose(file);
}
static BOOL WINAPI on_event(DWORD event) {
  note(event == CTRL_C_EVENT ? "Ctrl-C" : "another event", "");
  SetEvent(asked);
  return TRUE;
}
int main(int count, char **words) {
  asked = CreateEvent(NULL, TRUE, FALSE, NULL);
  SetConsoleCtrlHandler(on_event, TRUE);
  for (int at = 1; at < count; at++) note("word ", words[at]);
  fprintf(stderr, "a sentence\n");
  fflush(stderr);
  if (count > 2) return atoi(words[2]);
  note("runs", "");
  WaitForSingleObject(asked, INFINITE);
  Sleep(500);
  note("ends", "");
  return 0;
}`;

let computer: WineComputer;
const hasTools = toolPath('wine') !== null && toolPath(COMPILER) !== null;

beforeAll(() => {
  if (!hasTools) return;
  computer = new WineComputer();
  computer.restart();
  mkdirSync(computer.path('faxdesk'));
  copyFileSync(SERVICE_HOST, computer.path('faxdesk/host.exe'));
  const source = join(computer.folder, 'program.c');
  writeFileSync(source, PROGRAM);
  const { status, stderr } = spawnSync(COMPILER, [source, '-o', computer.path('faxdesk/program.exe')]);
  expect(status, String(stderr)).toBe(0);
}, 180_000);
afterAll(() => computer?.close());
beforeEach((context) => needTools(context, 'wine', COMPILER));

const log = String.raw`C:\faxdesk\a log.txt`;
const notes = () => {
  const file = computer.path('faxdesk/notes.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(/\r?\n/u) : [];
};

/** Makes a service of the host with a program, and starts it. */
function start(name: string, program: string, words: string): void {
  rmSync(computer.path('faxdesk/notes.txt'), { force: true });
  const command = `"C:\\faxdesk\\host.exe" ${name} "${log}" "C:\\faxdesk\\${program}" ${words}`;
  computer.run('sc', 'create', name, 'binPath=', command, 'start=', 'demand');
  computer.run('sc', 'start', name);
}

function stateOf(name: string): string {
  const { output } = computer.run('sc', 'query', name);
  const [, state = ''] = /STATE\s*: \d+\s+(\w+)/u.exec(output) ?? [];
  const [, code = ''] = /WIN32_EXIT_CODE\s*: (\d+)/u.exec(output) ?? [];
  const [, own = ''] = /SERVICE_EXIT_CODE\s*: (\d+)/u.exec(output) ?? [];
  return `${state} ${code} ${own}`;
}

const expectState = (name: string, state: string) =>
  vi.waitFor(() => expect(stateOf(name)).toBe(state), { timeout: 20_000, interval: 200 });

it('is what its source compiles to', (context) => {
  const version = spawnSync(COMPILER, ['-dumpversion'], { encoding: 'utf8' }).stdout;
  if (version.split(/[-.]/u)[0] !== COMPILER_VERSION) context.skip(`another compiler: ${version.trim()}`);
  const file = join(computer.folder, 'host.exe');
  buildServiceHost(file);
  expect(readFileSync(file).equals(readFileSync(SERVICE_HOST))).toBe(true);
});

it('rule (desktop): the service of Windows is stopped as Ctrl-C does, and its program ends by itself', async () => {
  start('Faxdesk', 'program.exe', '"serve this"');
  await expectState('Faxdesk', 'RUNNING 0 0');
  await vi.waitFor(() => expect(notes()).toEqual(['word serve this', 'runs']), { timeout: 20_000 });
  expect(readFileSync(computer.path('faxdesk/a log.txt'), 'utf8')).toBe('a sentence\r\n');
  computer.run('sc', 'stop', 'Faxdesk');
  await expectState('Faxdesk', 'STOPPED 0 0');
  expect(notes()).toEqual(['word serve this', 'runs', 'Ctrl-C', 'ends']);
}, 120_000);

it.each([
  ['reports success for the exit code 0', 'One', 'program.exe', 'serve 0', 'STOPPED 0 0'],
  ['reports a failure with any other exit code', 'Two', 'program.exe', 'serve 8', 'STOPPED 1066 8'],
  ['reports a program that is not there', 'Three', 'none.exe', 'serve', 'STOPPED 2 0'],
])(
  '%s',
  async (_, name, program, words, state) => {
    start(name, program, words);
    await expectState(name, state);
  },
  120_000,
);

it('does nothing where a person starts it', () => {
  expect(computer.run(computer.path('faxdesk/host.exe'), 'Faxdesk', log, 'program.exe').code).not.toBe(0);
});
