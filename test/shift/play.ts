import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright';
import { createRandomFor } from '../endure/random.ts';
import { pagePdf } from '../endure/world/client.ts';
import { completeFax } from '../endure/world/provider-side.ts';
import { World } from '../endure/world/world.ts';
import type { Random } from '../fuzz/random.ts';
import { describeSeries, type Series } from './figures.ts';
import { judgeEnd } from './judge-end.ts';
import { MAILBOXES } from './mailboxes.ts';
import { type Login, openOffice, type Person } from './office.ts';
import { ShiftWindow } from './shift-window.ts';
import { type Watched, watchWindow } from './watch.ts';
import { Worker } from './worker.ts';

const MINUTE_MS = 60_000;
/** Time between two things that a person does, and between two received faxes. */
const ACT_MS = { least: 1_500, more: 5_000 };
const ARRIVAL_MS = { least: 2_000, more: 6_000 };
const TOUCH_MS = 20_000;
const SWITCH_MS = { least: 50_000, more: 80_000 };
/** Parts of the time after which the network goes away. */
const LOSSES = [
  { at: 0.3, how: 'cut' },
  { at: 0.6, how: 'freeze' },
] as const;
/** Part of the time for which it stays away; minutes at most. */
const LOSS = { share: 0.08, most: 4 };

interface Plan {
  readonly minutes: number;
  readonly seed: number;
}

interface Result {
  readonly lines: readonly string[];
  readonly complaints: readonly string[];
}

/** Plays a shift. `complaints` is empty when all was well. */
export async function playShift(browser: Browser, plan: Plan): Promise<Result> {
  const world = await World.open({
    store: 'sqlite',
    postgres: null,
    isReachable: true,
    backend: 'cloudone',
    environment: ENVIRONMENT,
  });
  const windows: ShiftWindow[] = [];
  try {
    if (!(await world.start())) throw new Error(`the gateway does not start: ${world.gateway?.output}`);
    const people = await openOffice(world);
    for (const name of ['first', 'second', 'third', 'fourth'])
      windows.push(await ShiftWindow.open(browser, world.address, name));
    const changes = { ALLOWED_ORIGINS: windows.map(({ origin }) => origin) };
    const set = await world.request('PUT', '/admin/settings', { json: { changes } });
    if (set?.status !== 200)
      throw new Error(`the origins were answered ${set?.status}: ${set?.bytes.toString()}`);
    return await new Shift(plan, { world, people, windows }).play();
  } finally {
    for (const window of windows) await window.close();
    await world.stop();
    await world.close();
  }
}

/** As the gateway is started for people: see `server/faxdesk.mjs` and `npm run serve`. */
const ENVIRONMENT = {
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024),
  NODE_OPTIONS: '--max-semi-space-size=2',
  GUARD_FIRST_TIME: 'off',
  GUARD_NEAR_CONTACT: 'off',
  GUARD_SWAPPED_DIGITS: 'off',
  GUARD_FAILING: 'off',
};

class Shift {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #people: Record<Login, Person>;
  readonly #windows: readonly ShiftWindow[];
  readonly #workers: readonly Worker[];
  readonly #complaints: string[] = [];
  readonly #series: Series[];
  readonly #counts = { arrived: 0, switched: 0, lostMs: 0 };
  readonly #ended = new AbortController();

  constructor(
    plan: Plan,
    parts: { world: World; people: Record<Login, Person>; windows: readonly ShiftWindow[] },
  ) {
    this.#plan = plan;
    this.#world = parts.world;
    this.#people = parts.people;
    this.#windows = parts.windows;
    this.#workers = parts.windows.map((window) => new Worker(window, this.#random('worker', window.name)));
    this.#series = [
      ...parts.windows.flatMap(({ name }) => [
        { name: `heap of the ${name} window, MB`, values: [], slack: 3 },
        { name: `DOM nodes of the ${name} window`, values: [], slack: 1_500 },
      ]),
      { name: 'memory of the gateway, MB', values: [], slack: 30 },
    ];
  }

  #random(...names: readonly string[]): Random {
    return createRandomFor(this.#plan.seed, ...names);
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  async play(): Promise<Result> {
    const { ada, ben, cleo, dana } = this.#people;
    for (const [at, person] of [ada, ben, cleo, dana].entries()) {
      await this.#windows[at]?.begin();
      await this.#windows[at]?.signIn(person);
    }
    const began = performance.now();
    const end = this.#pause(this.#plan.minutes * MINUTE_MS).then(() => this.#ended.abort());
    const [, second, , fourth] = this.#windows;
    if (!second || !fourth) throw new Error('a shift has four windows');
    const others = [
      this.#receive(),
      this.#endFaxes(),
      this.#measure(),
      this.#loseNetwork(second),
      ...this.#workers.map((worker) => this.#work(worker, worker.window === fourth)),
    ];
    const watching = this.#windows.map((window) => watchWindow(window, this.#complaints, this.#ended.signal));
    const failed = Promise.all([...others, ...watching]);
    await Promise.race([failed, end]);
    await failed;
    const seconds = (performance.now() - began) / 1_000;
    const { lines, complaints } = await judgeEnd(this.#world, this.#counts.arrived, {
      people: this.#people,
      windows: this.#windows,
    });
    this.#complaints.push(...complaints);
    return {
      lines: [...this.#lines(await Promise.all(watching), seconds), ...lines],
      complaints: this.#complaints,
    };
  }

  /** Waits, but not beyond the end. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined);
  }

  /** Faxes come in for the mailboxes in turn, by chance. */
  async #receive(): Promise<void> {
    const random = this.#random('arrivals');
    const vendor = this.#world.vendor('cloudone');
    for (let number = 1; !this.#isOver; number += 1) {
      const { area, number: to } = random.pick(MAILBOXES);
      const document = pagePdf(`received ${number}`, number % 7 === 0 ? 100_000 : 0);
      const id = vendor.receive(document, 1, `+1${area}555${String(1_000 + number)}`, to);
      const isAcknowledged = await vendor.notify(id, this.#world.address, {});
      if (!isAcknowledged) this.#complaints.push(`received fax ${number} was not acknowledged`);
      this.#counts.arrived += 1;
      await this.#pause(ARRIVAL_MS.least + random.int(ARRIVAL_MS.more));
    }
  }

  /** The provider ends what was sent, most of it well. */
  async #endFaxes(): Promise<void> {
    const random = this.#random('provider');
    while (!this.#isOver) {
      const vendor = this.#world.vendor('cloudone');
      await completeFax(this.#world, vendor, { turn: 0, isSuccess: random.chance(90), isForged: false });
      await this.#pause(1_000);
    }
  }

  async #work(worker: Worker, isShared: boolean): Promise<void> {
    const { window } = worker;
    const random = this.#random('pace', window.name);
    const turns = [this.#people.emil, this.#people.dana];
    const nextSwitch = () => performance.now() + SWITCH_MS.least + random.int(SWITCH_MS.more);
    let switchAt = isShared ? nextSwitch() : Number.POSITIVE_INFINITY;
    while (!this.#isOver) {
      try {
        if (!window.isConnected) {
          await worker.touch();
          await this.#pause(TOUCH_MS);
        } else if (performance.now() > switchAt) {
          await window.switchPerson();
          await this.#pause(2_000);
          await window.signIn(turns[this.#counts.switched % turns.length] as Person);
          this.#counts.switched += 1;
          switchAt = nextSwitch();
        } else await worker.act();
      } catch (error) {
        if (!window.isDisturbed) this.#complaints.push(await describe(window, error));
      }
      await this.#pause(ACT_MS.least + random.int(ACT_MS.more));
    }
  }

  async #loseNetwork(window: ShiftWindow): Promise<void> {
    const all = this.#plan.minutes * MINUTE_MS;
    const lasts = Math.min(all * LOSS.share, LOSS.most * MINUTE_MS);
    let passed = 0;
    for (const { at, how } of LOSSES) {
      await this.#pause(all * at - passed);
      if (this.#isOver) return;
      await window.loseNetwork(how);
      await this.#pause(lasts);
      await window.findNetwork();
      this.#counts.lostMs += lasts;
      passed = all * at + lasts;
    }
  }

  /** Each minute, and at least six times. */
  async #measure(): Promise<void> {
    const each = Math.min(MINUTE_MS, (this.#plan.minutes * MINUTE_MS) / 6);
    while (!this.#isOver) {
      await this.#pause(each);
      const values: number[] = [];
      for (const window of this.#windows) {
        const { heapMb, nodes } = await window.memory();
        values.push(heapMb, nodes);
      }
      values.push(await memoryOf(this.#world.gateway?.pid ?? 0));
      for (const [at, value] of values.entries()) this.#series[at]?.values.push(value);
      const shown = values.map((value) => value.toFixed(1)).join(' ');
      process.stderr.write(`${this.#counts.arrived} received; ${shown}\n`);
    }
  }

  #lines(watched: readonly Watched[], seconds: number): string[] {
    const { arrived, switched, lostMs } = this.#counts;
    const deeds = this.#workers.map((worker) => worker.deeds);
    const sum = (name: keyof (typeof deeds)[number]) => deeds.reduce((all, each) => all + each[name], 0);
    const looks = watched.reduce((all, each) => all + each.looks, 0);
    const alike = watched.reduce((all, each) => all + each.alike, 0);
    const slowest = Math.max(...watched.map(({ slowestMs }) => slowestMs)) / 1_000;
    const caughtUp = Math.max(...watched.map(({ caughtUpMs }) => caughtUpMs)) / 1_000;
    for (const window of this.#windows) {
      this.#complaints.push(...window.leaks);
      this.#complaints.push(...window.complaints.unexpected().map((text) => `${window.name}: ${text}`));
    }
    const series = this.#series.map((each) => ({ name: each.name, ...describeSeries(each) }));
    for (const { name, isFlat } of series) if (!isFlat) this.#complaints.push(`it grows: ${name}`);
    return [
      `${(seconds / 60).toFixed(1)} min with seed ${this.#plan.seed}: ${arrived} faxes received, ${sum('sent')} sent, ${sum('finished')} items finished, ${sum('taken')} taken, ${sum('read')} faxes read, ${sum('overtaken')} times somebody else was faster`,
      `${switched} changes of person, two losses of the network for ${Math.round(lostMs / 2_000)} s each`,
      `${looks} looks: ${alike} as the gateway at once, the others after ${slowest.toFixed(1)} s at most; ${caughtUp.toFixed(1)} s after the network came back`,
      ...series.map(({ line }) => line),
    ];
  }
}

async function describe(window: ShiftWindow, error: unknown): Promise<string> {
  const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const { path, search } = await window.look().catch(() => ({ path: '?', search: '' }));
  return `${window.name} (${window.person?.login ?? 'nobody'}) at ${path}${search}: ${text}`;
}

/** Of a process and those that it started, in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const own = Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1] ?? 0) / 1_000;
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  let all = own;
  for (const task of tasks) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const child of children.split(' ').filter((each) => each.trim() !== ''))
      all += await memoryOf(Number(child));
  }
  return all;
}
