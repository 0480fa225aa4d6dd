import type { LocalStatus } from '../channels.ts';
import type { OwnGateway } from '../gateway.ts';
import { fits } from './download.ts';
import { type Failure, failureStatus } from './failure-status.ts';
import { isInstallable } from './install.ts';
import { keepInstaller, removeOthers } from './kept-installer.ts';
import type { Installer, Underway, UpdateRecord } from './update-record.ts';

/** Time in which the gateway of a new version becomes ready, in milliseconds. */
export const READY_MS = 2 * 60_000;
/** Time in which a person chooses what to do when it does not. */
export const CHOICE_MS = 5 * 60_000;

/** The installer to go back with, or why there is no way back, as sentences. */
type WayBack =
  | { readonly kept: Installer; readonly problem: null }
  | { readonly kept: null; readonly problem: string };

interface FirstStartParts {
  readonly underway: Underway;
  readonly record: UpdateRecord;
  readonly gateway: Pick<OwnGateway, 'state' | 'on' | 'start' | 'stop'>;
  /** Folder for the installer that is kept, and for nothing else. */
  readonly folder: string;
  /** Checks that no gateway has opened since the backup: then nothing was accepted that the backup lacks. */
  readonly isWayBackOpen: () => boolean;
  readonly show: (status: LocalStatus) => Promise<void>;
  readonly onSuccess: () => void;
  /** Opens an installer, or puts an AppImage in its place. Returns why it could not, or an empty text. */
  readonly open: (installer: Installer) => Promise<string>;
  readonly quit: () => void;
  /** Runs work later; returns: do not. */
  readonly later: (work: () => void, ms: number) => () => void;
  readonly note: (line: string) => void;
}

/**
 * Watches the first start of a version that was installed from here: it has succeeded once its gateway is ready, and else the version
 * before can be installed again. That version restores the backup, and only while no gateway has opened since it was made: a fax that
 * the new version has accepted is neither lost nor sent twice.
 */
export function watchFirstStart(parts: FirstStartParts): FirstStart {
  return new FirstStart(parts);
}

export type { FirstStart };

class FirstStart {
  readonly #parts: FirstStartParts;
  #isOver = false;
  #isGoingBack = false;
  #cancelLate: (() => void) | null = null;
  #cancelChoice: () => void = () => {};

  constructor(parts: FirstStartParts) {
    this.#parts = parts;
    this.#expectReady();
    parts.gateway.on('state', ({ kind }) => {
      if (this.#isOver || this.#isGoingBack) return;
      if (kind === 'running') void this.succeed();
      if (kind === 'starting' && this.#cancelLate === null) this.#expectReady();
    });
  }

  /** True until the gateway has been ready. */
  get isPending(): boolean {
    return !this.#isOver;
  }

  /** The version works. Its installer is the way back from the next one. */
  async succeed(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopTimers();
    const { record, underway, folder, note, onSuccess } = this.#parts;
    const kept = await keepInstaller(underway.installer, folder).catch(() => null);
    if (kept === null) note('the installer of this version could not be kept');
    try {
      await record.change({ underway: null, kept, paused: null });
      await removeOthers(kept, folder);
    } catch (error) {
      note(`the end of the update could not be recorded: ${String(error)}`);
    }
    onSuccess();
  }

  /** Describes a gateway that did not start, with the way back; after a while without a choice it is taken where it needs nobody. */
  async describe(failure: { sentence: string; lines: readonly string[] }): Promise<LocalStatus> {
    return this.#describe({ ...failure, isLate: false }, await this.#findWayBack());
  }

  /** A person waits for the start that is under way. */
  keepWaiting(): void {
    this.#stopTimers();
    this.#expectReady();
  }

  /** Stops the gateway, opens the installer of the version before and quits. */
  async goBack(): Promise<void> {
    if (this.#isOver || this.#isGoingBack) return;
    const { gateway, underway, show, open, quit } = this.#parts;
    this.#isGoingBack = true;
    this.#stopTimers();
    try {
      await show({ kind: 'installing', version: underway.from, isBack: true });
      await gateway.stop();
      // It may have become ready at the last moment, and accepted something.
      const { kept } = await this.#findWayBack();
      if (kept === null) return await this.#stay('Faxdesk did not go back.');
      const reason = await open(kept);
      if (reason === '') return quit();
      await this.#stay(`Faxdesk could not go back to version ${underway.from} (${reason}).`);
    } finally {
      this.#isGoingBack = false;
    }
  }

  #describe(failure: Failure, way: WayBack): LocalStatus {
    const { underway, later } = this.#parts;
    this.#stopTimers();
    const isUnattended = way.kept !== null && !way.kept.file.endsWith('.dmg');
    if (isUnattended) this.#cancelChoice = later(() => void this.goBack(), CHOICE_MS);
    return failureStatus(failure, { underway, problem: way.problem, isUnattended });
  }

  /** The gateway works on where it can. */
  async #stay(sentence: string): Promise<void> {
    const { gateway, show, underway, isWayBackOpen } = this.#parts;
    this.#isGoingBack = false;
    if (!isWayBackOpen()) return gateway.start();
    const { problem } = await this.#findWayBack();
    const failure = { sentence, lines: [], isLate: false };
    // A person is needed now.
    await show(failureStatus(failure, { underway, problem, isUnattended: false }));
  }

  #expectReady(): void {
    this.#cancelLate = this.#parts.later(() => void this.#late(), READY_MS);
  }

  async #late(): Promise<void> {
    this.#cancelLate = null;
    if (this.#isOver || this.#parts.gateway.state.kind !== 'starting') return;
    const way = await this.#findWayBack();
    // Meanwhile it may have become ready, or failed.
    if (this.#isOver || this.#parts.gateway.state.kind !== 'starting') return;
    await this.#parts.show(this.#describe({ sentence: '', lines: [], isLate: true }, way));
  }

  /** Finds the installer to go back with, or says why there is no way back. */
  async #findWayBack(): Promise<WayBack> {
    const { record, underway, isWayBackOpen } = this.#parts;
    const { from } = underway;
    const { kept } = record.current;
    if (!isWayBackOpen()) return { kept: null, problem: withoutWayBack(underway) };
    const byHand = `To go back, install version ${from} yourself: it then restores the data from before the update.`;
    if (kept === null || kept.version !== from || !isInstallable(kept.file))
      return { kept: null, problem: `There is no installer of version ${from} on this computer. ${byHand}` };
    if (!(await fits(kept.file, kept).catch(() => false)))
      return { kept: null, problem: `The kept installer of version ${from} is damaged. ${byHand}` };
    return { kept, problem: null };
  }

  #stopTimers(): void {
    this.#cancelLate?.();
    this.#cancelLate = null;
    this.#cancelChoice();
    this.#cancelChoice = () => {};
  }
}

function withoutWayBack({ from, to, backup, canRestore }: Underway): string {
  if (canRestore)
    return `Version ${to} may have taken faxes already, and going back to version ${from} would lose them.`;
  const cannot = `Faxdesk cannot go back to version ${from} by itself`;
  return backup === null
    ? `${cannot}, because it was not running before the update and made no backup.`
    : `${cannot}, because only a person can restore the backup from before.`;
}
