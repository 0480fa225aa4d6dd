import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OfficeType } from '../../../shared/document-types.ts';
import type { OfficeConverter, OfficeFile, OfficeResult } from '../../documents/office-port.ts';
import type { Logger } from '../../platform/logger.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { createTurns } from '../../platform/turns.ts';
import { type Confinement, type ConversionLimits, confine } from './confinement.ts';
import { findOffice } from './find-office.ts';
import { writeProfile } from './profile.ts';

export interface LibreOfficeOptions {
  /** Path of the program; null for none. Found by itself when left out. */
  readonly program?: string | null | undefined;
  /** Variables of the operating system. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
  /** Limits of the gateway when left out. */
  readonly limits?: Partial<ConversionLimits>;
  /** Documents that wait for another one. */
  readonly maxWaiting?: number;
}

const mebibyte = 1024 * 1024;
const LIMITS: ConversionLimits = {
  seconds: 60,
  memoryBytes: 1536 * mebibyte,
  fileBytes: 512 * mebibyte,
};
const MAX_WAITING = 20;
const MAX_LAST_WORDS = 1_000;

/** Names of the filters that read a type and write it as PDF: the content cannot choose others. */
const FILTERS: Readonly<Record<OfficeType, { readonly from: string; readonly to: string }>> = {
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
    from: 'MS Word 2007 XML',
    to: 'writer_pdf_Export',
  },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': {
    from: 'Calc MS Excel 2007 XML',
    to: 'calc_pdf_Export',
  },
  'application/vnd.oasis.opendocument.text': { from: 'writer8', to: 'writer_pdf_Export' },
  'text/html': { from: 'HTML (StarWriter)', to: 'writer_pdf_Export' },
};

/**
 * LibreOffice of this computer. It converts one document at a time, each in a process of its own with a new profile, which is
 * ended when its time is over and when the gateway ends.
 */
export function createLibreOffice(options: LibreOfficeOptions): OfficeConverter {
  return new LibreOffice(options);
}

class LibreOffice implements OfficeConverter {
  readonly #options: LibreOfficeOptions;
  readonly #limits: ConversionLimits;
  #confinement: Promise<Confinement> | null = null;
  readonly #inTurn = createTurns();
  #waiting = 0;
  #running: ChildProcess | null = null;
  #isClosed = false;

  constructor(options: LibreOfficeOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
  }

  find(): Promise<string | null> {
    return findOffice(this.#options.program, this.#options.environment);
  }

  async convert(file: OfficeFile): Promise<OfficeResult> {
    if (this.#waiting > (this.#options.maxWaiting ?? MAX_WAITING)) return { problem: 'busy' };
    this.#waiting += 1;
    try {
      return await this.#inTurn(() => this.#convertNow(file));
    } finally {
      this.#waiting -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running) await endAll(this.#running);
    await this.#inTurn(async () => undefined);
  }

  async #convertNow(file: OfficeFile): Promise<OfficeResult> {
    if (this.#isClosed) return { problem: 'busy' };
    const program = await this.find();
    if (program === null) return { problem: 'missing' };
    const output = join(file.folder, 'output');
    const profile = join(file.folder, 'profile');
    for (const folder of [output, profile]) await makeFolder(folder);
    await writeProfile(profile);
    const outcome = await this.#run(program, wordsFor(file, { output, profile }), profile);
    const pdf = join(output, `${basename(file.path)}.pdf`);
    if (outcome === null && (await isFilled(pdf))) return { pdf };
    const fields = { type: file.type, reason: outcome?.reason ?? 'no PDF was written' };
    this.#options.logger?.warn(fields, 'a document was not converted');
    return { problem: outcome?.isLate ? 'late' : 'failed' };
  }

  /** Returns null when the program ended well. */
  async #run(
    program: string,
    words: readonly string[],
    home: string,
  ): Promise<{ isLate: boolean; reason: string } | null> {
    this.#confinement ??= confine(this.#limits);
    const { command } = await this.#confinement;
    const [file = program, ...all] = [...command, program, ...words];
    const child = spawn(file, all, {
      cwd: home,
      env: environmentOf(home, this.#options.environment['SystemRoot']),
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, which is ended as a whole.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#running = child;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      void endAll(child);
    }, this.#limits.seconds * 1000);
    try {
      const reason = await endOf(child);
      return reason === null ? null : { isLate, reason };
    } finally {
      clearTimeout(timer);
      this.#running = null;
      await endAll(child);
    }
  }
}

function wordsFor(
  { path, type }: OfficeFile,
  { output, profile }: { output: string; profile: string },
): string[] {
  const { from, to } = FILTERS[type];
  return [
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    '--headless',
    '--norestore',
    '--nologo',
    '--nodefault',
    '--nolockcheck',
    '--nofirststartwizard',
    `--infilter=${from}`,
    '--convert-to',
    `pdf:${to}`,
    '--outdir',
    output,
    path,
  ];
}

/** Nothing of the environment of the gateway, which can have keys. */
function environmentOf(home: string, systemRoot: string | undefined): NodeJS.ProcessEnv {
  if (process.platform === 'win32')
    return { SystemRoot: systemRoot, TEMP: home, TMP: home, USERPROFILE: home, APPDATA: home };
  return { HOME: home, TMPDIR: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' };
}

/** Resolves when the process has ended: null when it ended well, otherwise the reason with its last words. */
function endOf(child: ChildProcess): Promise<string | null> {
  let lastWords = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    lastWords = (lastWords + bytes.toString('utf8')).slice(-MAX_LAST_WORDS);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? null : `${signal ?? code}: ${lastWords.trim()}`),
    );
  });
}

/** Ends a process and those that it has started. */
async function endAll(child: ChildProcess): Promise<void> {
  child.stderr?.destroy();
  if (child.pid === undefined) return;
  if (process.platform !== 'win32') endGroup(child.pid);
  else if (child.exitCode === null)
    await new Promise<void>((resolve) => {
      execFile('taskkill', ['/pid', `${child.pid}`, '/T', '/F'], () => resolve());
    });
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

async function isFilled(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0;
  } catch {
    return false;
  }
}
