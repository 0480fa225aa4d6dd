import type { Random } from '../fuzz/random.ts';
import { createRandomFor } from './random.ts';
import { collectEvidence } from './world/collect-evidence.ts';
import type { Databases, DurablePostgres } from './world/durable-postgres.ts';
import { isClean, judge, NO_VIOLATIONS, type Verdict } from './world/judge.ts';
import { canFindAllByPolling, settleWorld } from './world/settle-world.ts';
import { type Store, World, type WorldOptions } from './world/world.ts';

/** Amount of work in one episode: a few seconds of it in `npm test`, more in `npm run endure`. */
type Size = 'small' | 'large';

export interface EpisodeContext {
  readonly seed: number;
  readonly store: Store;
  readonly size: Size;
  readonly postgres: Databases | null;
  /** The server itself, for an episode that harms it. */
  readonly server: DurablePostgres | null;
  /** The decisions of one part of the episode. */
  random(...names: readonly (string | number)[]): Random;
}

export interface Episode {
  readonly name: string;
  /** One-line description for `--help`. */
  readonly summary: string;
  readonly stores: readonly Store[];
  /** Returns the reason why it cannot be run here; null when it can. */
  unavailable(): string | null;
  run(context: EpisodeContext): Promise<Outcome>;
}

/** Result of an episode. */
export interface Outcome {
  readonly kills: number;
  /** Single faults that were made: disk changes that failed, servers that went away. */
  readonly faults: number;
  readonly sent: number;
  readonly received: number;
  readonly verdict: Verdict;
  /** Further violations, one sentence each. */
  readonly complaints: readonly string[];
  /** Further figures of the episode, one line each. */
  readonly notes?: readonly string[];
}

export function createContext(parts: Omit<EpisodeContext, 'random'> & { name: string }): EpisodeContext {
  const { name, ...others } = parts;
  return { ...others, random: (...names) => createRandomFor(parts.seed, name, ...names) };
}

/** Decides what the world is like; the same seed makes the same. */
export function openWorld(context: EpisodeContext, options: Partial<WorldOptions> = {}): Promise<World> {
  const random = context.random('world');
  return World.open({
    store: context.store,
    postgres: context.postgres,
    isReachable: random.chance(60),
    backend: random.pick(['cloudone', 'cloudtwo']),
    ...options,
  });
}

/** Heals the world, lets time pass until all is settled, and judges. The world is closed afterwards, whatever happens. */
export async function runAndJudge(
  world: World,
  work: (world: World) => Promise<{ faults?: number; notes?: readonly string[] } | void>,
): Promise<Outcome> {
  let figures: { faults?: number; notes?: readonly string[] } = {};
  let verdict = NO_VIOLATIONS;
  try {
    figures = (await work(world)) ?? {};
    await settleWorld(world);
    if (canFindAllByPolling(world)) for (const fax of world.incoming) fax.isAcknowledged = true;
    verdict = judge(await collectEvidence(world));
    await world.stop();
  } catch (error) {
    const output = world.gateway?.output.slice(-1_500) ?? '';
    world.complaints.push(
      `the episode broke: ${error instanceof Error ? error.stack : String(error)}\n${output}`,
    );
  } finally {
    await world.close();
  }
  const { kills, complaints, incoming } = world;
  const sent = world.clients.filter(({ id }) => id !== null).length;
  return {
    kills,
    faults: figures.faults ?? 0,
    sent,
    received: incoming.length,
    verdict,
    complaints: [...new Set(complaints)],
    ...(figures.notes && { notes: figures.notes }),
  };
}

export function isGood({ verdict, complaints }: Outcome): boolean {
  return isClean(verdict) && complaints.length === 0;
}

/** `3 kills, 0 faults, 40 sent, 12 received, lost 0, twice 0, false 0, deleted 0, stuck 0, other 0` */
export function formatFigures({ kills, faults, sent, received, verdict, complaints }: Outcome): string {
  const found = Object.entries(verdict).map(([name, list]) => `${name} ${(list as string[]).length}`);
  const done = [`${kills} kills`, `${faults} faults`, `${sent} sent`, `${received} received`];
  return [...done, ...found, `other ${complaints.length}`].join(', ');
}

/** Every finding on a line of its own. */
export function listFindings({ verdict, complaints }: Outcome): string[] {
  const found = Object.entries(verdict).flatMap(([name, list]) =>
    (list as string[]).map((text) => `${name}: ${text}`),
  );
  return [...found, ...complaints.map((text) => `other: ${text}`)];
}

export function sumOutcomes(outcomes: readonly Outcome[]): Outcome {
  const total = (count: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + count(outcome), 0);
  const all = (name: keyof Verdict) => outcomes.flatMap(({ verdict }) => verdict[name]);
  return {
    kills: total(({ kills }) => kills),
    faults: total(({ faults }) => faults),
    sent: total(({ sent }) => sent),
    received: total(({ received }) => received),
    verdict: {
      lost: all('lost'),
      twice: all('twice'),
      false: all('false'),
      deleted: all('deleted'),
      stuck: all('stuck'),
    },
    complaints: outcomes.flatMap(({ complaints }) => complaints),
  };
}
