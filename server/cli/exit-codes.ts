import { CommanderError } from 'commander';
import { ApiError, UnreachableError } from '../../shared/client/index.ts';
import { connectionSentence } from '../platform/connection-trouble.ts';
import { databaseRefusal } from '../platform/database-refusal.ts';
import { errorCode } from '../platform/errors.ts';
import { isPortDenied, PORT_DENIED } from '../platform/port-denied.ts';
import { STORE_SENTENCES, storeTroubleOf } from '../platform/store-trouble.ts';
import { transientErrorSentence } from '../platform/transient-errors.ts';
import { unreachable } from './unreachable.ts';

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
  /** A gateway cannot start before a person has repaired the installation or its database. */
  broken: 11,
  /** By Ctrl-C, as every shell names it. */
  interrupted: 130,
} as const;

/** Option of the gateway of a service whose manager distinguishes only success from failure. */
export const AS_SERVICE = '--as-service';

/** Codes after which a service must not start the gateway again: every start would end the same way until a person acts. */
export const STAYS_STOPPED: readonly number[] = [
  EXIT.usage,
  EXIT.notFound,
  EXIT.conflict,
  EXIT.badValues,
  EXIT.broken,
];

/** Returns the exit code of a command for its service manager: success where starting it again would fail in the same way. */
export function exitCodeFor(words: readonly string[], exitCode: number): number {
  return words.includes(AS_SERVICE) && STAYS_STOPPED.includes(exitCode) ? EXIT.done : exitCode;
}

/** A command that ends without success. The message is one sentence for a person. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Versions are read right before each change, so nobody need reload anything here. */
const CONFLICT_SENTENCE =
  'Someone else changed this in the meantime, so this command changed nothing. Check it and run the command again.';

const EXIT_BY_STATUS: Readonly<Record<number, number>> = {
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

/** Errors that bring a sentence, by name: importing their classes would load the whole gateway for every command. */
const EXIT_BY_ERROR_NAME: Readonly<Record<string, number>> = {
  GatewayRunningError: EXIT.running,
  OtherGatewaysError: EXIT.running,
  InUseError: EXIT.running,
  OccupiedError: EXIT.conflict,
  BackupError: EXIT.failed,
  DamagedBackupError: EXIT.failed,
  NewerBackupError: EXIT.failed,
  NewerStoreError: EXIT.conflict,
  UnfinishedRestoreError: EXIT.broken,
  StoreMismatchError: EXIT.conflict,
  StoreMovedError: EXIT.conflict,
  MoveRefusedError: EXIT.conflict,
  ValueNotMovedError: EXIT.failed,
  BootError: EXIT.badValues,
  SettingsStartError: EXIT.badValues,
  UpgradeRefusedError: EXIT.failed,
  EarlierGatewayRunningError: EXIT.running,
  EarlierStoreError: EXIT.failed,
  NoEarlierReleaseError: EXIT.badValues,
  UnexpectedAnswerError: EXIT.failed,
};

/** Exit code and output for an error. */
interface Outcome {
  readonly exitCode: number;
  /** Message for a person; null when commander has printed it already. */
  readonly message: string | null;
  /** Usage error that commander has printed; null without one. */
  readonly usage: string | null;
}

/** Returns the exit code and the output for a command that threw. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof CommanderError) {
    const isDone = error.exitCode === 0;
    return {
      exitCode: isDone ? EXIT.done : EXIT.usage,
      message: null,
      usage: isDone ? null : usageOf(error),
    };
  }
  return { ...failureOf(error), usage: null };
}

function usageOf({ code, message }: CommanderError): string {
  return code === 'commander.help'
    ? 'Give a command. Use --help to list them.'
    : message.replace(/^error: /u, '');
}

function failureOf(error: unknown): { exitCode: number; message: string } {
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof ApiError)
    return { exitCode: EXIT_BY_STATUS[error.status] ?? EXIT.failed, message: sentence(error) };
  if (error instanceof UnreachableError)
    return { exitCode: EXIT.unreachable, message: unreachable(error).sentence };
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof Error ? EXIT_BY_ERROR_NAME[error.name] : undefined;
  if (known !== undefined) return { exitCode: known, message };
  return {
    exitCode: needsRepair(error) ? EXIT.broken : EXIT.failed,
    message: systemSentence(error, message),
  };
}

function sentence(error: ApiError): string {
  if (error.is('stale')) return CONFLICT_SENTENCE;
  const wait = error.retryAfter === null ? '' : ` Try again in ${error.retryAfter} s.`;
  // Only what went wrong inside the gateway is looked up in its log.
  const request = error.status < 500 || error.requestId === null ? '' : ` (request ${error.requestId})`;
  return `${error.detail}${wait}${request}`;
}

/** True for a damaged database, one that refuses the user or is not there, and a port that the system refuses. */
const needsRepair = (error: unknown) =>
  storeTroubleOf(error) === 'damaged' || databaseRefusal(error) !== null || isPortDenied(error);

function systemSentence(error: unknown, message: string): string {
  const trouble = storeTroubleOf(error);
  if (trouble !== null) return STORE_SENTENCES[trouble];
  const refusal = databaseRefusal(error);
  if (refusal !== null) return refusal;
  if (isPortDenied(error)) return PORT_DENIED;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return 'Another program is using that port. Choose another with --port.';
    case 'EACCES':
    case 'EPERM':
      return notPermitted(error) ?? `The system does not permit that: ${message}`;
    case 'EADDRNOTAVAIL':
      return 'This computer does not have that address. Choose another with --host.';
    case 'ECONNREFUSED':
    case 'DATABASE_AWAY':
      return connectionSentence(error) ?? 'The database cannot be reached.';
    case 'ENOENT':
      return `There is no ${pathOf(error) ?? 'such file'}.`;
    default:
      if (DATABASE_CODE.test(errorCode(error))) return `The database refused that (${errorCode(error)}).`;
      return transientErrorSentence(error) ?? message;
  }
}

/**
 * Returns a sentence about a file that belongs to another account; null where the error is not about a file, as for a
 * port.
 */
function notPermitted(error: unknown): string | null {
  const path = pathOf(error);
  if (path === null) return null;
  return `This account has no permission to use ${path}. It may belong to another account, for example after a restore as root. Give it to the account that runs Faxdesk, or use that account.`;
}

/** The file that the system complained of; null where it named none. */
function pathOf(error: unknown): string | null {
  const path = error instanceof Error && 'path' in error ? error.path : undefined;
  return typeof path === 'string' ? path : null;
}

/** Codes of SQLite and PostgreSQL, whose messages are only useful to the author of the query. */
const DATABASE_CODE = /^(?:SQLITE_\w+|(?=\w*\d)[0-9A-Z]{5})$/u;
