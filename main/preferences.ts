import { join } from 'node:path';
import { type DesktopGatewayChoice, DesktopPreferences } from '../shared/desktop.ts';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const USUAL: DesktopPreferences = {
  startAtLogin: false,
  closeToTraySaid: false,
  noticesNameSender: false,
  gateway: { kind: 'own' },
};

/** A file that is damaged or of a newer release counts as none: nothing in it is worth not starting for. */
export async function openPreferences(folder: string): Promise<Preferences> {
  const path = join(folder, 'preferences.json');
  return new Preferences(path, parse(await readOwnerFile(path).catch(() => null)));
}

export type { Preferences };

/** Preferences of this person for the application on this computer; stored in `preferences.json` of its own folder. */
class Preferences {
  readonly #path: string;
  #present: DesktopPreferences;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, present: DesktopPreferences) {
    this.#path = path;
    this.#present = present;
  }

  get present(): DesktopPreferences {
    return this.#present;
  }

  get gateway(): DesktopGatewayChoice {
    return this.#present.gateway;
  }

  async change(changes: Partial<DesktopPreferences>): Promise<DesktopPreferences> {
    this.#present = DesktopPreferences.parse({ ...this.#present, ...changes });
    const text = `${JSON.stringify(this.#present, null, 2)}\n`;
    this.#writing = this.#writing.catch(() => {}).then(() => writeOwnerFile(this.#path, text));
    await this.#writing;
    return this.#present;
  }
}

function parse(text: string | null): DesktopPreferences {
  try {
    return DesktopPreferences.parse({ ...USUAL, ...(JSON.parse(text ?? '{}') as object) });
  } catch {
    return USUAL;
  }
}
