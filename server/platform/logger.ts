import { type Logger as Pino, pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** A logger named `gateway:<room>`. */
  room(name: string): Logger;
}

/** Names whose values never reach a log, wherever they stand. */
const SECRET_NAMES = new Set([
  'password',
  'token',
  'secret',
  'api_key',
  'apiKey',
  'apiSecret',
  'callbackToken',
  'authorization',
  'cookie',
  'content',
  'body',
]);
const REMOVED = '[removed]';
/** Facts, what they hold, and what that holds. */
const MAX_DEPTH = 3;

/**
 * Returns the facts with secrets removed, in one pass. The redaction of pino looks for each name anew in every fact, which
 * took longer than all else that is done for a line.
 */
function redact(facts: object, depth = 1): object {
  let redacted: object | null = null;
  for (const [name, value] of Object.entries(facts) as [string, unknown][]) {
    const shown = shownValue(name, value, depth);
    if (shown === value) continue;
    redacted ??= copyOf(facts);
    Object.assign(redacted, { [name]: shown });
  }
  return redacted ?? facts;
}

function shownValue(name: string, value: unknown, depth: number): unknown {
  if (value === undefined) return value;
  if (SECRET_NAMES.has(name)) return REMOVED;
  // `describeError` copies nothing of an error that has a name of its own.
  const isError = depth === 1 && name === 'error';
  if (isError || depth === MAX_DEPTH || typeof value !== 'object' || value === null) return value;
  return redact(value, depth + 1);
}

const copyOf = (facts: object): object =>
  Array.isArray(facts) ? [...facts] : Object.assign(Object.create(Object.getPrototypeOf(facts)), facts);

/**
 * JSON lines on the given stream (standard error by default, so that command output stays clean), and copied to `copy`
 * as well.
 */
export function createLogger(
  options: { level?: LogLevel; write?: (line: string) => void; copy?: (line: string) => void } = {},
): Logger {
  const { copy } = options;
  const first = options.write ? { write: options.write } : pino.destination({ fd: 2, sync: true });
  const both = (line: string) => {
    first.write(line);
    copy?.(line);
  };
  const destination = copy ? { write: both } : first;
  const root = pino(
    {
      level: options.level ?? 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (facts) => redact(facts) as typeof facts },
      serializers: { error: describeError },
    },
    destination,
  );
  return wrap(root);
}

function wrap(logger: Pino): Logger {
  return {
    debug: (facts, message) => logger.debug(facts, message),
    info: (facts, message) => logger.info(facts, message),
    warn: (facts, message) => logger.warn(facts, message),
    error: (facts, message) => logger.error(facts, message),
    room: (name) => wrap(logger.child({ logger: `gateway:${name}` })),
  };
}

/** An error as log facts: name, message, code and stack, and its cause; never its own enumerable data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

/** A fax number as logs may show it: the country part and the last two digits. */
export function maskNumber(number: string): string {
  return number.length < 6 ? '…' : `${number.slice(0, 3)}…${number.slice(-2)}`;
}
