import { parseArgs } from 'node:util';
import {
  createContext,
  type Episode,
  formatFigures,
  isGood,
  listFindings,
  type Outcome,
  sumOutcomes,
} from './episode.ts';
import { EPISODES } from './episodes/all.ts';
import { powerWithoutFolderFlushes } from './episodes/power.ts';
import { createRandomFor } from './random.ts';
import { type DurablePostgres, startDurablePostgres } from './world/durable-postgres.ts';
import type { Store } from './world/world.ts';

// `npm run endure -- [--minutes 10] [--seed 1] [--database sqlite|postgres|both] [--only storm,…]`: subjects a gateway
// to every kind of fault, and fails when a fax is lost, sent twice or reported wrong, or a document is gone. The same
// seed makes the same decisions. `--self-check` runs a gateway that loses faxes, and fails when no fault is found.
const HELP = `npm run endure -- [--minutes n] [--seed n] [--database sqlite|postgres|both] [--only name,name] [--episodes n]
npm run endure -- --self-check [--seed n] [--database sqlite|postgres|both]

${EPISODES.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')}
`;

interface Plan {
  readonly minutes: number;
  readonly seed: number;
  readonly stores: readonly Store[];
  readonly names: readonly string[];
  /** Maximum number of episodes; null for as many as the time allows. */
  readonly maxEpisodes: number | null;
  /** True to try the trial itself, with a gateway in which something has to be found. */
  readonly isSelfCheck: boolean;
}

function parsePlan(words: string[]): Plan | null {
  const { values } = parseArgs({
    args: words,
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      database: { type: 'string', default: 'both' },
      only: { type: 'string', default: EPISODES.map(({ name }) => name).join() },
      episodes: { type: 'string' },
      'self-check': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const stores: readonly Store[] =
    values.database === 'both' ? ['sqlite', 'postgres'] : [values.database as Store];
  const names = values.only.split(',');
  const isKnown = names.every((name) => EPISODES.some((episode) => episode.name === name));
  const isStore = ['sqlite', 'postgres', 'both'].includes(values.database);
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (values.help || !isKnown || !isStore || !(minutes > 0) || !Number.isSafeInteger(seed)) return null;
  const isSelfCheck = values['self-check'];
  const maxEpisodes = isSelfCheck ? stores.length : null;
  return {
    minutes,
    seed,
    stores,
    names,
    maxEpisodes: values.episodes === undefined ? maxEpisodes : Number(values.episodes),
    isSelfCheck,
  };
}

/** An episode on one of the databases, and how often it has its turn. */
interface Turn {
  readonly episode: Episode;
  readonly store: Store;
}

function listTurns({ names, stores, isSelfCheck }: Plan): Turn[] {
  const all = isSelfCheck ? [powerWithoutFolderFlushes] : EPISODES;
  return all.flatMap((episode) => {
    if (!names.includes(episode.name)) return [];
    const reason = episode.unavailable();
    if (reason !== null) console.log(`${episode.name} is left out: ${reason}`);
    return reason === null
      ? stores.filter((store) => episode.stores.includes(store)).map((store) => ({ episode, store }))
      : [];
  });
}

async function startServer({ stores }: Plan): Promise<DurablePostgres | null> {
  if (!stores.includes('postgres')) return null;
  const server = await startDurablePostgres();
  if (!('unavailable' in server)) return server;
  console.log(`PostgreSQL is left out: ${server.unavailable}`);
  return null;
}

/** Each turn in its order, over and over, each time with a seed of its own. */
async function endure(plan: Plan): Promise<Map<string, Outcome[]>> {
  const outcomes = new Map<string, Outcome[]>();
  const postgres = await startServer(plan);
  const turns = listTurns(plan).filter(({ store }) => store === 'sqlite' || postgres !== null);
  const end = performance.now() + plan.minutes * 60_000;
  try {
    for (let number = 0; performance.now() < end && number < (plan.maxEpisodes ?? Infinity); number += 1) {
      const turn = turns[number % Math.max(1, turns.length)];
      if (!turn) break;
      const round = Math.floor(number / turns.length);
      // The first round is made with the very seed, so that a finding can be repeated by it.
      const seed = round === 0 ? plan.seed : createRandomFor(plan.seed, 'round', round).int(1_000_000_000);
      const outcome = await runTurn(plan, turn, { seed, postgres });
      const key = `${turn.episode.name} ${turn.store}`;
      outcomes.set(key, [...(outcomes.get(key) ?? []), outcome]);
    }
  } finally {
    await postgres?.close();
  }
  return outcomes;
}

async function runTurn(
  { isSelfCheck }: Plan,
  { episode, store }: Turn,
  { seed, postgres }: { seed: number; postgres: DurablePostgres | null },
): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = await episode.run(
    createContext({ name: episode.name, seed, store, size: 'large', postgres, server: postgres }),
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${episode.name} ${store} seed ${seed}: ${formatFigures(outcome)} (${seconds} s)`);
  for (const note of outcome.notes ?? []) console.log(`  ${note}`);
  if (isGood(outcome)) return outcome;
  const findings = listFindings(outcome);
  for (const finding of findings.slice(0, MAX_SHOWN)) console.log(`  ${finding}`);
  if (findings.length > MAX_SHOWN) console.log(`  and ${findings.length - MAX_SHOWN} more`);
  const which = isSelfCheck ? '--self-check' : `--episodes 1 --only ${episode.name}`;
  const again = `${which} --seed ${seed} --database ${store}`;
  console.log(`  again: npm run endure -- ${again}`);
  return outcome;
}

/** Of the findings of one episode, which often have one cause. */
const MAX_SHOWN = 20;

// A run that is broken off takes its database server with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const plan = parsePlan(process.argv.slice(2));
if (plan === null) {
  console.log(HELP);
  process.exit(2);
}
const outcomes = await endure(plan);
console.log('');
for (const [name, list] of outcomes)
  console.log(`${name}: ${list.length} episodes, ${formatFigures(sumOutcomes(list))}`);
const all = sumOutcomes([...outcomes.values()].flat());
console.log(`all: ${[...outcomes.values()].flat().length} episodes, ${formatFigures(all)}`);
if (plan.isSelfCheck) {
  const missed = [...outcomes].filter(([, list]) => list.some(isGood)).map(([name]) => name);
  if (missed.length > 0) console.log(`nothing was found where it had to be: ${missed.join(', ')}`);
  process.exit(missed.length === 0 && outcomes.size > 0 ? 0 : 1);
}
process.exit(isGood(all) ? 0 : 1);
