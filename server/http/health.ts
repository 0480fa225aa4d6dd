import { setTimeout } from 'node:timers/promises';
import { systemRoutes } from '../../shared/api/system.ts';
import { ERROR_CODE_HEADER, ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { type ServedRoute, serve } from './handler.ts';
import { Reply } from './reply.ts';

/** Timeout for the answer of a part, in slices: a process that stood still for a while still reads what was answered. */
const ANSWER_SLICE_MS = 100;
const ANSWER_SLICES = 20;

/** Each check answers null or a sentence; one that throws is a problem as well. */
export type ReadinessCheck = () => Promise<string | null>;

/**
 * Collects warnings that a person should check although faxes are taken. Never throws, and waits only briefly for each
 * part.
 */
type Warnings = () => Promise<readonly string[]>;

/** `beforeReading` runs before the problems are read, for a watch that has to find every change after the answer. */
export function healthRoutes(
  checks: readonly ReadinessCheck[],
  warn: Warnings,
  beforeReading: () => Promise<void>,
): ServedRoute[] {
  return [
    serve(systemRoutes.health, async () => ({ status: 'ok' as const })),
    serve(systemRoutes.ready, async () => {
      await beforeReading();
      const problems = await findProblems(checks);
      const warnings = [...(await warn())];
      if (problems.length === 0) return { status: 'ok' as const, problems, warnings };
      const headers = { [ERROR_CODE_HEADER]: 'not_ready' satisfies ErrorCode };
      return new Reply(
        { status: 'not ready' as const, problems, warnings },
        { status: ERRORS.not_ready.status, headers },
      );
    }),
  ];
}

/** Returns the answer of a part, or `otherwise` on timeout, so that a health request never waits for long. */
export async function withTimeout<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const late = new AbortController();
  try {
    return await Promise.race([answer, waitInSlices(late.signal).then(() => otherwise)]);
  } finally {
    late.abort();
  }
}

async function waitInSlices(signal: AbortSignal): Promise<void> {
  for (let left = ANSWER_SLICES; left > 0 && !signal.aborted; left -= 1)
    await setTimeout(ANSWER_SLICE_MS, undefined, { signal, ref: false }).catch(() => undefined);
}

export async function findProblems(checks: readonly ReadinessCheck[]): Promise<string[]> {
  const answers = await Promise.all(
    checks.map((check) =>
      check().catch(() => 'A part of Faxdesk is not responding; the log has the details.'),
    ),
  );
  return answers.filter((answer) => answer !== null);
}
