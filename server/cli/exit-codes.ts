import { CommanderError } from 'commander';
import { ApiError, UnexpectedAnswerError, UnreachableError } from '../../shared/client/index.ts';
import { BackupError, InUseError, OccupiedError } from '../backup/errors.ts';
import { BootError } from '../config/boot.ts';
import { NewerStoreError } from '../db/migrator.ts';
import { SettingsStartError } from '../features/settings/service.ts';
import { GatewayRunningError } from '../index.ts';
import { errorCode } from '../platform/errors.ts';

/** The exit codes of the contract. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  noKey: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  rateLimit: 7,
  unreachable: 8,
  badValues: 9,
  running: 10,
  /** By Ctrl-C, as every shell names it. */
  interrupted: 130,
} as const;

/** A command that ends without success. The message is one sentence for a person. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

const OF_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.badValues,
  401: EXIT.noKey,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  413: EXIT.badValues,
  415: EXIT.badValues,
  422: EXIT.badValues,
  429: EXIT.rateLimit,
};

/** The exit code of a command that threw, and what a person is told; null when commander has told it already. */
export function outcomeOf(error: unknown): { exitCode: number; message: string | null } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT.done : EXIT.usage, message: null };
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ApiError)
    return { exitCode: OF_STATUS[error.status] ?? EXIT.failed, message: sentence(error) };
  if (error instanceof UnreachableError)
    return { exitCode: EXIT.unreachable, message: `${error.message} Is it running there? See --url.` };
  if (error instanceof GatewayRunningError || error instanceof InUseError)
    return { exitCode: EXIT.running, message: error.message };
  if (error instanceof OccupiedError) return { exitCode: EXIT.conflict, message: error.message };
  if (error instanceof BootError || error instanceof SettingsStartError)
    return { exitCode: EXIT.badValues, message: error.message };
  const known = [BackupError, NewerStoreError, UnexpectedAnswerError].some((kind) => error instanceof kind);
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT.failed, message: known ? message : systemSentence(error, message) };
}

function sentence(error: ApiError): string {
  const wait = error.retryAfter === null ? '' : ` Try again in ${error.retryAfter} s.`;
  // Only what went wrong inside the gateway is looked up in its log.
  const place = error.status < 500 || error.requestId === null ? '' : ` (request ${error.requestId})`;
  return `${error.detail}${wait}${place}`;
}

function systemSentence(error: unknown, message: string): string {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return 'Another program listens on that port; choose another with --port.';
    case 'EACCES':
    case 'EPERM':
      return `The system does not permit that: ${message}`;
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EADDRNOTAVAIL':
      return 'This computer has no such address; choose another with --host.';
    case 'ECONNREFUSED':
      return 'The database cannot be reached.';
    case 'ENOENT':
      return `There is no such file: ${message}`;
    default:
      return message;
  }
}
