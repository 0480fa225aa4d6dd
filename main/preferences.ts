import { join } from 'node:path';
import { type DesktopGatewayChoice, DesktopPreferences, type OfficeDecision } from '../shared/desktop.ts';
import type { OfficeDecisions } from './office-file.ts';
import type { OtherGateway } from './other-gateway.ts';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const DEFAULTS: DesktopPreferences = {
  startAtLogin: false,
  closeToTraySaid: false,
  noticesNameSender: false,
  mailbox: null,
  printer: null,
  quietUntil: null,
  gateway: { kind: 'own' },
};

/**
 * Opens the preferences of this person. A file that is damaged or of a newer release counts as none: nothing in it is worth not starting
 * for. `service` is the gateway of this computer in place of one of the account; null without one.
 */
export async function openPreferences(
  folder: string,
  office: OfficeDecisions,
  service: OtherGateway | null,
): Promise<Preferences> {
  const path = join(folder, 'preferences.json');
  return new Preferences(path, parse(await readOwnerFile(path).catch(() => null)), { office, service });
}

export type { Preferences };

/** Preferences of this person for the application on this computer; stored in `preferences.json` of its own folder. */
class Preferences {
  readonly #path: string;
  readonly #decided: Partial<Pick<DesktopPreferences, OfficeDecision>>;
  readonly #service: OtherGateway | null;
  #current: DesktopPreferences;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    path: string,
    current: DesktopPreferences,
    { office, service }: { office: OfficeDecisions; service: OtherGateway | null },
  ) {
    const { gateway, startAtLogin } = office;
    this.#path = path;
    this.#service = service;
    this.#current = current;
    this.#decided = {
      ...(gateway === undefined ? {} : { gateway: { kind: 'other', ...gateway } }),
      ...(startAtLogin === undefined ? {} : { startAtLogin }),
    };
  }

  /** The decisions of the office go before those of the person, which are kept for the day when there are none. */
  get current(): DesktopPreferences {
    const chosen = this.#current;
    const isOfService = chosen.gateway.kind === 'own' && this.#service !== null;
    const gateway = isOfService ? ({ kind: 'other', ...this.#service } as const) : chosen.gateway;
    return { ...chosen, gateway, ...this.#decided };
  }

  get gateway(): DesktopGatewayChoice {
    return this.current.gateway;
  }

  isDecided(what: OfficeDecision): boolean {
    return what in this.#decided;
  }

  async change(changes: Partial<DesktopPreferences>): Promise<DesktopPreferences> {
    this.#current = DesktopPreferences.parse({ ...this.#current, ...changes });
    const text = `${JSON.stringify(this.#current, null, 2)}\n`;
    this.#writing = this.#writing.catch(() => {}).then(() => writeOwnerFile(this.#path, text));
    await this.#writing;
    return this.current;
  }
}

function parse(text: string | null): DesktopPreferences {
  try {
    return DesktopPreferences.parse({ ...DEFAULTS, ...(JSON.parse(text ?? '{}') as object) });
  } catch {
    return DEFAULTS;
  }
}
