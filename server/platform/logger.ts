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
const SECRET_NAMES = [
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
];
const REDACTED = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

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
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[removed]' },
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
