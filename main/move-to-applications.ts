import { isOutsideApplications, type MacPlace } from './updates/installation-check.ts';

interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: string[];
  /** Place of the button for a person who closes the question. */
  readonly cancelId: number;
}

/** Parts of macOS and Electron that a move needs; a test plays them. */
export interface MovePort {
  readonly place: MacPlace;
  /** Resolves to the place of the chosen button. */
  readonly ask: (question: Question) => Promise<number>;
  /** Shows a question while the move waits. */
  readonly askAtOnce: (question: Question) => number;
  /**
   * Copies the application to the folder of applications, and has it started there when this one has ended. False when the person refused it
   * to the system. Throws an error when it cannot be copied.
   */
  readonly move: (options: { mayReplace: () => boolean }) => boolean;
  readonly note: (line: string) => void;
}

const OFFER: Question = {
  message: 'Move Faxdesk to Applications?',
  detail:
    'Faxdesk was opened from its disk image or from the folder of downloads. From there it gets no new versions. Your faxes and settings stay.',
  buttons: ['Move to Applications', 'Not now'],
  cancelId: 1,
};

const REPLACE: Question = {
  message: 'Applications has a Faxdesk already.',
  detail:
    'If that one is newer, choose Keep it and open it from Applications. Your faxes and settings stay with both.',
  buttons: ['Replace it', 'Keep it'],
  cancelId: 1,
};

const NOT_MOVED: Question = {
  message: 'Faxdesk could not be moved.',
  detail:
    'Quit it, drag it to Applications in the Finder, and open it there. Until then you can go on working.',
  buttons: ['OK'],
  cancelId: 0,
};

/**
 * Offers to move an application that macOS runs from a place where no new version reaches it. True when it is moved: it ends then, and is
 * started in its new place. To be called before the gateway is started.
 */
export async function offerMove(port: MovePort): Promise<boolean> {
  if (!isOutsideApplications(port.place) || (await port.ask(OFFER)) !== 0) return false;
  try {
    return port.move({ mayReplace: () => port.askAtOnce(REPLACE) === 0 });
  } catch (error) {
    port.note(`the application was not moved: ${String(error)}`);
    await port.ask(NOT_MOVED);
    return false;
  }
}
