import type { KeyObject } from 'node:crypto';
import { DamagedDownloadError, downloadRelease, RefusedDownloadError } from './download.ts';
import { createFeedReader, type FeedReader, type Fetch } from './feed-reader.ts';
import type { PublisherCheck } from './publisher.ts';
import { entryName, isNewer, isOffered, parseRelease, type Release } from './release.ts';
import { isSignedRelease, type System } from './release-signature.ts';
import type { Installer } from './update-record.ts';
import type { UpdateSettings } from './update-settings.ts';

/** State of the search for a newer version. */
export type UpdateState =
  | { readonly kind: 'off'; readonly sentence: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'downloading'; readonly version: string }
  /** It did not work on this computer. */
  | { readonly kind: 'paused'; readonly version: string }
  | {
      readonly kind: 'ready';
      readonly version: string;
      readonly notes: string;
      readonly installer: Installer;
      /** False where the installer of the running version could not be had, so that nothing leads back to it. */
      readonly hasWayBack: boolean;
    }
  | { readonly kind: 'failed'; readonly sentence: string };

/** The installer of the running version, which a person may have installed by hand. */
export interface OwnInstaller {
  /** Folder for it, and for nothing else. */
  readonly folder: string;
  /** Returns true when it must be fetched before this installer is opened. */
  isMissing(installer: string): Promise<boolean>;
  /** Keeps the one that was fetched and checked. */
  keep(installer: Installer): Promise<void>;
}

export interface UpdateParts {
  readonly settings: UpdateSettings;
  readonly version: string;
  /** The version that did not work on this computer; null when there is none. */
  readonly paused: () => string | null;
  readonly ownInstaller: OwnInstaller;
  /** Has the system check who published an installer. */
  readonly checkPublisher: (file: string) => Promise<PublisherCheck>;
  readonly system: System;
  /** Public keys of the makers: one of them has signed every entry that is taken. Without any, none needs a signature. */
  readonly keys: readonly KeyObject[];
  /** An id of this computer that stays. */
  readonly computer: string;
  /** Folder for the installers, and for nothing else. */
  readonly folder: string;
  readonly fetch: Fetch;
  /** Runs work later; returns: do not. */
  readonly later: (work: () => void, ms: number) => () => void;
  /** From 0 to less than 1. */
  readonly random: () => number;
  readonly onState: (state: UpdateState) => void;
  readonly note: (line: string) => void;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const UNREACHABLE = 'Faxdesk could not reach the place where new versions are kept. It tries again later.';
const NOT_AN_ENTRY =
  'Faxdesk could not read what is offered at the place where new versions are kept. It tries again later.';
const NOT_SIGNED =
  'What is offered at the place where new versions are kept does not come from the makers of this Faxdesk, so it was not downloaded. Tell the person who manages this computer.';
const BROKE_OFF = 'The new version could not be downloaded completely. Faxdesk continues later.';
const DAMAGED =
  'The new version arrived damaged and was thrown away. Faxdesk tries again later. If this happens again, tell the person who manages this computer.';
const OTHER_PUBLISHER =
  'The new version was thrown away: this computer does not confirm that it comes from the publisher of this Faxdesk. Tell the person who manages this computer.';
const UNKNOWN_PUBLISHER =
  'This computer could not check who published the new version, so it is not offered. Faxdesk tries again later. If this happens again, tell the person who manages this computer.';

/** Looks for a newer version in the background and downloads it. Installs nothing. */
export function createUpdates(parts: UpdateParts): Updates {
  return new Updates(parts);
}

export type { Updates };

/** Failure with a sentence for a person. */
class CheckError extends Error {
  readonly sentence: string;

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.sentence = sentence;
  }
}

class Updates {
  readonly #parts: UpdateParts;
  readonly #reader: FeedReader | null;
  #state: UpdateState;
  #checking: Promise<void> | null = null;
  #cancel: () => void = () => {};
  #isStopped = false;
  /** Outcomes of this run, by the SHA-512 of the installer: a refused one is not downloaded again. */
  readonly #publishers = new Map<string, PublisherCheck>();

  constructor(parts: UpdateParts) {
    const { settings, fetch } = parts;
    this.#parts = parts;
    this.#reader = settings.kind === 'on' ? createFeedReader(settings.feed, fetch) : null;
    this.#state = settings.kind === 'on' ? { kind: 'waiting' } : settings;
  }

  get state(): UpdateState {
    return this.#state;
  }

  /** Begins within the first hour, at a random point: an office switches its computers on at the same time. */
  start(): void {
    this.#schedule(MINUTE_MS + this.#parts.random() * (HOUR_MS - MINUTE_MS));
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Checks now, or joins a check that is under way. Never throws: the state has the outcome. */
  async check(): Promise<void> {
    const reader = this.#reader;
    if (reader === null || this.#isStopped) return;
    this.#cancel();
    this.#checking ??= this.#run(reader).finally(() => {
      this.#checking = null;
      this.#scheduleNext();
    });
    await this.#checking;
  }

  async #run(reader: FeedReader): Promise<void> {
    const before = this.#state;
    this.#setState({ kind: 'checking' });
    try {
      this.#setState(await this.#find(reader));
    } catch (error) {
      const failure = error instanceof CheckError ? error : new CheckError(UNREACHABLE, error);
      this.#parts.note(`the check for a new version failed: ${describe(failure)}`);
      // An installer that was downloaded and checked before stays offered.
      this.#setState(before.kind === 'ready' ? before : { kind: 'failed', sentence: failure.sentence });
    }
  }

  async #find(reader: FeedReader): Promise<UpdateState> {
    const { system, version, computer, folder, paused } = this.#parts;
    const release = await this.#readEntry(reader, entryName(system));
    if (!isOffered(release, { version, computer })) return { kind: 'newest' };
    const failed = paused();
    if (failed !== null && !isNewer(release.version, failed))
      return { kind: 'paused', version: release.version };
    if (this.#publishers.get(release.sha512) === 'refused') throw new CheckError(OTHER_PUBLISHER);
    this.#setState({ kind: 'downloading', version: release.version });
    const file = await download(reader, release, folder, (file) => this.#checkPublisher(file, release));
    const hasWayBack = await this.#fetchOwnInstaller(file);
    const { notes } = release;
    return {
      kind: 'ready',
      version: release.version,
      notes,
      installer: installerOf(release, file),
      hasWayBack,
    };
  }

  /** Throws for an installer that is not to be offered: opening it would stop the faxes for nothing. */
  async #checkPublisher(file: string, { sha512 }: Release): Promise<void> {
    const outcome = this.#publishers.get(sha512) ?? (await this.#parts.checkPublisher(file));
    if (outcome === 'unknown') throw new CheckError(UNKNOWN_PUBLISHER);
    this.#publishers.set(sha512, outcome);
    if (outcome === 'refused') throw new RefusedDownloadError('its publisher is not confirmed');
  }

  /** Returns false where the place does not have it: the new version is offered all the same. */
  async #fetchOwnInstaller(offered: string): Promise<boolean> {
    const { settings, fetch, system, version, ownInstaller, note } = this.#parts;
    if (settings.kind === 'off' || !(await ownInstaller.isMissing(offered))) return true;
    try {
      const reader = createFeedReader(settings.feed, fetch, version);
      const release = await this.#readEntry(reader, entryName(system, version));
      if (release.version !== version) throw new Error(`its entry is that of ${release.version}`);
      await ownInstaller.keep(
        installerOf(release, await downloadRelease(reader, release, ownInstaller.folder)),
      );
      return true;
    } catch (error) {
      note(`the installer of version ${version} could not be kept: ${describe(error as Error)}`);
      return false;
    }
  }

  async #readEntry(reader: FeedReader, name: string): Promise<Release> {
    const { system, keys } = this.#parts;
    const release = parseRelease(await reader.readText(name));
    if (release === null) throw new CheckError(NOT_AN_ENTRY);
    if (keys.length > 0 && !isSignedRelease(release, system, keys)) throw new CheckError(NOT_SIGNED);
    return release;
  }

  #setState(state: UpdateState): void {
    this.#state = state;
    this.#parts.onState(state);
  }

  /** About once a day; after a failure within three hours, to continue a download. */
  #scheduleNext(): void {
    const random = this.#parts.random();
    const failed = this.#state.kind === 'failed';
    this.#schedule(failed ? HOUR_MS * (1 + 2 * random) : HOUR_MS * (20 + 8 * random));
  }

  #schedule(ms: number): void {
    if (this.#reader === null || this.#isStopped) return;
    this.#cancel = this.#parts.later(() => void this.check(), ms);
  }
}

function installerOf({ version, size, sha512 }: Release, file: string): Installer {
  return { version, file, size, sha512 };
}

async function download(...words: Parameters<typeof downloadRelease>): Promise<string> {
  try {
    return await downloadRelease(...words);
  } catch (error) {
    if (error instanceof CheckError) throw error;
    if (error instanceof RefusedDownloadError) throw new CheckError(OTHER_PUBLISHER, error);
    throw new CheckError(error instanceof DamagedDownloadError ? DAMAGED : BROKE_OFF, error);
  }
}

function describe({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message;
}
