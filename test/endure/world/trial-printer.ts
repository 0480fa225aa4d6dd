import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import { IppPrinter } from '../../setup/emulators/printer/ipp-printer.ts';
import { SECOND } from '../../setup/manual-clock.ts';
import { digestOf } from './vendor.ts';
import type { World } from './world.ts';

/** Up-time at the beginning: the printer was switched on yesterday. Seconds. */
const UP_SINCE = 100_000;
const LOOK_MS = 20;
/** Time for a page. So many a minute that the list of a printer, which has 200 jobs, goes back for longer than one. */
const PAGE_MS = { least: 300, more: 140 };
/** Time that the printer takes to make a job of a document, and to answer. */
const MAX_DELAY_MS = 150;

/** An office printer that survives every kill of the gateway and counts what came out of it. */
export class TrialPrinter {
  readonly name: string;
  readonly emulator = new IppPrinter();
  readonly #world: World;
  readonly #since: number;
  /** Number of times that each document came out, by its digest. */
  readonly #printed = new Map<string, number>();

  private constructor(world: World, name: string, keepsHistory: boolean) {
    this.#world = world;
    this.#since = Date.now() + world.aheadMs;
    this.name = name;
    this.emulator.keepsHistory = keepsHistory;
    this.#setUpTime();
  }

  static async open(
    world: World,
    { name, keepsHistory, random }: { name: string; keepsHistory: boolean; random: Random },
  ): Promise<TrialPrinter> {
    const printer = new TrialPrinter(world, name, keepsHistory);
    printer.emulator.delay = () => pause(random.int(MAX_DELAY_MS));
    await printer.emulator.open();
    return printer;
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /** Number of jobs that it has and has not printed. */
  get openCount(): number {
    return this.emulator.jobs.filter(({ endedAt }) => endedAt === null).length;
  }

  timesPrinted(digest: string): number {
    return this.#printed.get(digest) ?? 0;
  }

  /** Prints job after job until the signal aborts. */
  async run(random: Random, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#setUpTime();
      const isBusy = this.openCount > 0;
      await pause(isBusy ? PAGE_MS.least + random.int(PAGE_MS.more) : LOOK_MS);
      if (isBusy) this.#printNext();
    }
  }

  /** Prints every job that is left, however the clock is set. */
  finish(): void {
    this.#setUpTime();
    while (this.openCount > 0) this.#printNext();
  }

  #printNext(): void {
    this.#setUpTime();
    const job = this.emulator.jobs.find(({ endedAt }) => endedAt === null);
    if (!job) return;
    const digest = digestOf(job.document);
    this.#printed.set(digest, this.timesPrinted(digest) + 1);
    this.emulator.end(job, 9);
  }

  #setUpTime(): void {
    const now = Date.now() + this.#world.aheadMs;
    this.emulator.upTime = UP_SINCE + Math.floor((now - this.#since) / SECOND);
  }
}
