import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { systemRoutes } from '../../shared/api/system.ts';
import { ERROR_CODE_HEADER, ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { type ServedRoute, serve } from './handler.ts';
import { Reply } from './reply.ts';

/** Below this the gateway says so: an acceptance needs the upload, its copy and the log of the store. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;

/** Less than this is too little for a busy day. */
const LOW_SPACE_BYTES = 1_000_000_000;

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

export function healthRoutes(checks: readonly ReadinessCheck[], warn: Warnings): ServedRoute[] {
  return [
    serve(systemRoutes.health, async () => ({ status: 'ok' as const })),
    serve(systemRoutes.ready, async () => {
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

/** Checks that the disk that holds `folder` has room left. */
export function diskCheck(folder: string): ReadinessCheck {
  return async () => {
    const free = await freeBytes(folder);
    return free >= MIN_FREE_BYTES ? null : `The disk is nearly full: ${megabytes(free)} MB are left.`;
  };
}

/** A warning while the disk that holds `folder` still has room, but little. */
export async function lowSpaceWarnings(folder: string): Promise<string[]> {
  const free = await freeBytes(folder);
  if (free >= LOW_SPACE_BYTES || free < MIN_FREE_BYTES) return [];
  return [
    `The disk has only ${megabytes(free)} MB left. When it is full, new faxes are refused. Free up space or remove old backups.`,
  ];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);
