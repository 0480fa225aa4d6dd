import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

/** Fault at a step: the process is dead from then on, or this one step fails. */
export interface StepFault {
  /** A step, from 1, or what every step that fails is called. */
  readonly at: number | RegExp;
  readonly with: 'kill' | Error;
  /** True when the step after a change may fail without a kill: the change was made, and its answer is lost. */
  readonly mayFailAfter?: boolean;
}

export interface FaultedRun {
  /** The steps that were reached, in order. */
  readonly steps: readonly string[];
  readonly wasBroken: boolean;
  /** Error thrown by the work; null when it completed. */
  readonly error: unknown;
}

/** Thrown by every operation after the kill. */
class KilledError extends Error {
  override name = 'KilledError';
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, AnyFunction>;

/** Functions that change a folder. Opening to read changes nothing. */
const CHANGES = ['rename', 'rm', 'unlink', 'rmdir', 'mkdir', 'open', 'link', 'writeFile'];
const SYNC_CHANGES = CHANGES.map((name) => `${name}Sync`);

/**
 * Runs `work` and interrupts it at one of its steps: before and after each change of the file system, and before and
 * after each query of PostgreSQL. A step after a change fails only by a kill: the change was made without an answer.
 * Returns the labels of all steps that were reached.
 */
export async function runWithFault(
  plan: StepFault | null,
  work: () => Promise<unknown>,
): Promise<FaultedRun> {
  const steps: string[] = [];
  const clients = new Set<WithConnection>();
  let dead = false;
  let broken = 0;
  const isBroken = (label: string) =>
    plan !== null && (typeof plan.at === 'number' ? steps.length === plan.at : plan.at.test(label));
  const step = (label: string, isAfter: boolean): void => {
    if (dead) throw new KilledError('killed');
    steps.push(label);
    if (plan === null || !isBroken(label)) return;
    broken += 1;
    if (plan.with === 'kill') {
      dead = true;
      for (const client of clients) client.connection.stream.destroy();
      throw new KilledError(label);
    }
    if (!isAfter || plan.mayFailAfter) throw plan.with;
  };
  const restore = [
    ...CHANGES.map((name) => wrap(fsp as unknown as Functions, name, step)),
    ...SYNC_CHANGES.map((name) => wrap(fs as unknown as Functions, name, step)),
    wrapQueries(clients, step),
    wrapEnd(() => dead),
  ];
  syncBuiltinESMExports();
  try {
    await work();
    return { steps, wasBroken: broken > 0, error: null };
  } catch (error) {
    return { steps, wasBroken: broken > 0, error };
  } finally {
    for (const each of restore) each();
    syncBuiltinESMExports();
  }
}

interface WithConnection {
  readonly connection: { readonly stream: { destroy(): void } };
}

type Step = (label: string, isAfter: boolean) => void;

function wrap(module: Functions, name: string, step: Step): () => void {
  const original = module[name] as AnyFunction;
  const isSync = name.endsWith('Sync');
  const replaced: AnyFunction = function (...args) {
    const isReading = name.startsWith('open') && !/[wa+]/u.test((args[1] as string | undefined) ?? 'r');
    if (isReading) return original.apply(this, args);
    const label = `${name} ${String(args[0])}`;
    const after = (result: unknown) => {
      step(`after ${label}`, true);
      return result;
    };
    if (isSync) {
      step(label, false);
      return after(original.apply(this, args));
    }
    return (async () => {
      step(label, false);
      return after(await original.apply(this, args));
    })();
  };
  module[name] = replaced;
  return () => {
    module[name] = original;
  };
}

function wrapQueries(clients: Set<WithConnection>, step: Step): () => void {
  const prototype = pg.Client.prototype as unknown as Functions;
  const original = prototype['query'] as AnyFunction;
  prototype['query'] = function (...args) {
    clients.add(this as WithConnection);
    const label = `query ${String((args[0] as { text?: string }).text ?? args[0]).slice(0, 60)}`;
    return (async () => {
      step(label, false);
      const result = await original.apply(this, args);
      step(`after ${label}`, true);
      return result;
    })();
  };
  return () => {
    prototype['query'] = original;
  };
}

/** The connections of a process that was killed have ended. */
function wrapEnd(isDead: () => boolean): () => void {
  const prototype = pg.Client.prototype as unknown as Functions;
  const original = prototype['end'] as AnyFunction;
  prototype['end'] = function (...args) {
    if (!isDead()) return original.apply(this, args);
    (this as WithConnection).connection.stream.destroy();
    const [ended] = args;
    if (typeof ended === 'function') ended();
    return Promise.resolve();
  };
  return () => {
    prototype['end'] = original;
  };
}
