import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, UnreachableError } from '../../shared/client/index.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';
import { terminal } from './terminal.ts';
import { unreachable } from './unreachable.ts';

const REPEATS = 3;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_S = 30;

/**
 * Repeats a request when its answer got lost or is uncertain. Only for requests with an Idempotency-Key: the gateway
 * recognizes the repeat and creates no second fax.
 */
export async function repeatSafely<T>(key: string, request: () => Promise<T>): Promise<T> {
  let mayHaveArrived = false;
  for (let repeated = 0; ; repeated += 1) {
    try {
      return await request();
    } catch (error) {
      if (!isUncertain(error)) throw error;
      mayHaveArrived ||= !wasRefused(error);
      if (repeated === REPEATS || !mayPass(error)) throw mayHaveArrived ? stillUncertain(error, key) : error;
      const retryAfterS = error instanceof ApiError ? error.retryAfter : null;
      const ms =
        retryAfterS === null ? FIRST_PAUSE_MS * 2 ** repeated : Math.min(MAX_PAUSE_S, retryAfterS) * 1_000;
      terminal.note(
        `${error.message} Trying again in ${Math.ceil(ms / 1_000)} s. This does not send a second fax.`,
      );
      await pause(ms);
    }
  }
}

function isUncertain(error: unknown): error is UnreachableError | ApiError {
  return error instanceof UnreachableError || (error instanceof ApiError && error.status === 503);
}

/** Refusals that stay until a person has mended something. */
const LASTING_CODES = ['other_data_key', 'database_damaged', 'database_read_only'] as const;

/** Returns true when this request certainly created no fax. */
function wasRefused(error: UnreachableError | ApiError): boolean {
  if (error instanceof UnreachableError) return !unreachable(error).mayHaveArrived;
  return error.is(...LASTING_CODES, 'too_busy', 'stopping', 'files_unavailable');
}

const mayPass = (error: UnreachableError | ApiError) =>
  error instanceof UnreachableError ? unreachable(error).mayPass : !error.is(...LASTING_CODES);

function stillUncertain(error: Error, key: string): CommandFailure {
  return new CommandFailure(
    `${error.message} The gateway may or may not have the fax. Repeat the command with --idempotency-key ${key}. This does not send a second fax.`,
    error instanceof UnreachableError ? EXIT.unreachable : EXIT.failed,
  );
}
