/**
 * A refusal a person is told about. `message` is for the log, `publicMessage` is the fixed sentence of the answer.
 * Rooms subclass it, so that one function maps every refusal to its status.
 */
export class RefusalError extends Error {
  override name = 'RefusalError';
  readonly status: number;
  readonly publicMessage: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    publicMessage: string,
    options: { message?: string; cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(options.message ?? publicMessage, { cause: options.cause });
    this.status = status;
    this.publicMessage = publicMessage;
    this.headers = options.headers ?? {};
  }
}

/** The error's code such as `ENOSPC` or `SQLITE_BUSY`, or an empty text. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}
