import { ConsolePath, type DesktopCommand } from '../shared/desktop.ts';

const MAX_WAITING = 5;
const PROTOCOL = 'faxdesk:';

/** Valid only at the moment they are chosen: later they would take another person by surprise. */
const MOMENTARY: readonly DesktopCommand[] = ['lock', 'toggle-sending'];
const MOMENT_MS = 2_000;

interface WaitingCommand {
  readonly command: DesktopCommand;
  readonly since: number;
  /** From a notice or with documents, which are for the person who was signed in. */
  readonly isPersonal: boolean;
}

/**
 * Holds commands chosen outside the page until the page takes them: it may still be loading or show the sign-in. `now`
 * in ms.
 */
export function createWaitingCommands(now: () => number = () => performance.now()): WaitingCommands {
  return new WaitingCommands(now);
}

export type { WaitingCommands };

class WaitingCommands {
  readonly #now: () => number;
  #waiting: WaitingCommand[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(command: DesktopCommand, isPersonal = false): void {
    this.#waiting = [...this.#waiting, { command, since: this.#now(), isPersonal }].slice(-MAX_WAITING);
  }

  /** Another person is signed in. */
  dropPersonal(): void {
    this.#waiting = this.#waiting.filter(({ isPersonal }) => !isPersonal);
  }

  take(): DesktopCommand[] {
    const now = this.#now();
    const isValid = ({ command, since }: WaitingCommand) =>
      !MOMENTARY.includes(command) || now - since <= MOMENT_MS;
    return this.#waiting
      .splice(0)
      .filter(isValid)
      .map(({ command }) => command);
  }
}

/** `faxdesk://new-fax` and `faxdesk://open/<path of the console>`; null for anything else. */
export function parseLink(link: string): DesktopCommand | null {
  const url = URL.parse(link);
  if (url?.protocol !== PROTOCOL) return null;
  if (url.host === 'new-fax') return 'new-fax';
  const path = ConsolePath.safeParse(url.pathname);
  return url.host === 'open' && path.success ? { open: path.data } : null;
}

/** The first such link among the words of a command line. */
export function findLink(words: readonly string[]): string | null {
  return words.slice(1).find((word) => word.startsWith(`${PROTOCOL}//`)) ?? null;
}
