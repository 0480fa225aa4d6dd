import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const env = process.env;

interface Settings {
  /** Folder where the operating system would keep the data of applications. */
  readonly appData: string;
  /** A Unix socket on which the test asks for things. */
  readonly control: string | null;
  /** Version of the application; that of the repository when null. */
  readonly version: string | null;
  /** Path of the installed program; in the folder of applications' data when null. */
  readonly program: string | null;
  readonly chromium: string;
  readonly headless: boolean;
  /** The keyring of the desktop: `basic_text` is none, `locked` gives nothing out. */
  keyring: string;
  readonly screen: { readonly width: number; readonly height: number };
}

/** Settings that a test passes to the stand-in when it starts it. */
export const settings: Settings = {
  appData: env['STANDIN_APP_DATA'] ?? mkdtempSync(join(tmpdir(), 'standin-')),
  control: env['STANDIN_CONTROL'] ?? null,
  version: env['STANDIN_VERSION'] ?? null,
  program: env['STANDIN_PROGRAM'] ?? null,
  chromium: env['STANDIN_CHROMIUM'] ?? '/usr/bin/chromium',
  headless: env['STANDIN_HEADED'] !== '1',
  keyring: env['STANDIN_KEYRING'] ?? 'gnome_libsecret',
  screen: { width: Number(env['STANDIN_SCREEN_WIDTH'] ?? 1440), height: 900 },
};
