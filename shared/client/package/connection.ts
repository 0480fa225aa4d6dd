import { ApiError, UnexpectedAnswerError, UnreachableError } from '../errors.ts';
import { addressOf, bodyOf } from '../request.ts';
import { UncertainError } from './errors.ts';
import type { CallOptions, FaxdeskOptions } from './options.ts';
import { pause, reasonOf } from './pause.ts';
import { jsonOf, notFromGateway, refusalOf } from './refusal.ts';
import type { Route } from './routes.ts';

/** Parts of a request. */
interface Input extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly fields?: object;
  readonly files?: readonly { readonly name: string; readonly content: Blob }[];
  readonly operationId?: string;
  /** Overrides the option of the connection. */
  readonly retries?: number;
}

/** Answer of a change. */
interface Changed<T> {
  readonly value: T;
  /** True if an earlier request with the same operation id had been carried out. */
  readonly repeated: boolean;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_S = 60;
/** Statuses that pass, of the gateway or of a proxy before it. */
const PASSING = [429, 502, 503, 504];
/** Refusals with such a status that stay until a person has mended something. */
const LASTING = ['other_data_key', 'database_damaged', 'database_read_only'] as const;
/** Causes with which no connection came about, so that the gateway has nothing of the request. */
const NOT_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u;

/** Requests to one gateway with one key. */
class Connection {
  readonly #options: FaxdeskOptions;
  readonly #baseUrl: string;

  constructor(options: FaxdeskOptions) {
    this.#options = options;
    this.#baseUrl = options.url.replace(/\/+$/u, '');
  }

  /** Reads JSON. */
  async read<T>(route: Route, input: Input = {}): Promise<T> {
    return (await this.#answer<T>(route, input)).value;
  }

  /** Changes something under an operation id, so that it can be repeated when the answer got lost. */
  async change<T>(route: Route, input: Input & { readonly operationId: string }): Promise<Changed<T>> {
    return this.#answer<T>(route, input);
  }

  /** Opens a stream of bytes; its limit of time counts until the answer begins. */
  async open(route: Route, input: Input = {}): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#repeat(route, input, (response) => Promise.resolve(response));
    if (body === null) throw new UnreachableError('The gateway’s answer was cut off.');
    return watchedStream(body, input.signal);
  }

  #answer<T>(route: Route, input: Input): Promise<Changed<T>> {
    return this.#repeat(route, input, async (response) => {
      const value = jsonOf(await response.text());
      if (typeof value !== 'object' || value === null) throw notFromGateway(response);
      return { value: value as T, repeated: response.headers.get('Idempotency-Replayed') === 'true' };
    });
  }

  async #repeat<T>(route: Route, input: Input, use: (response: Response) => Promise<T>): Promise<T> {
    const { operationId } = input;
    const retries = input.retries ?? this.#options.retries ?? 4;
    let mayHaveArrived = false;
    for (let tried = 0; ; tried += 1) {
      try {
        return await this.#try(route, input, use);
      } catch (error) {
        if (input.signal?.aborted || !mayPass(error)) throw error;
        mayHaveArrived ||= isUncertain(error);
        const ms = pauseAfter(error, tried);
        if (tried >= retries || ms === null)
          throw mayHaveArrived && operationId !== undefined
            ? new UncertainError(operationId, { cause: error })
            : error;
        await pause(ms, input.signal);
      }
    }
  }

  async #try<T>(route: Route, input: Input, use: (response: Response) => Promise<T>): Promise<T> {
    const given = new AbortController();
    const stop = () => given.abort(reasonOf(input.signal));
    const timer = setTimeout(() => given.abort(TIMEOUT), this.#options.timeoutMs ?? 120_000);
    if (input.signal?.aborted) stop();
    input.signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await this.#request(route, input, given.signal);
      if (response.status !== route.status) throw await refusalOf(response);
      this.#announce(route, response);
      return await use(response);
    } catch (error) {
      if (input.signal?.aborted) throw reasonOf(input.signal);
      if (error instanceof ApiError || error instanceof UnexpectedAnswerError) throw error;
      throw new UnreachableError(
        given.signal.aborted ? 'The gateway did not answer in time.' : 'The gateway cannot be reached.',
        { cause: error },
      );
    } finally {
      clearTimeout(timer);
      input.signal?.removeEventListener('abort', stop);
    }
  }

  #request(route: Route, input: Input, signal: AbortSignal): Promise<Response> {
    const { params, query, fields, files, body: json, operationId } = input;
    const parts = { params, query: query as Readonly<Record<string, unknown>> };
    const { body, headers } = bodyOf(
      { form: files !== undefined },
      { body: json, fields: fields as Readonly<Record<string, unknown>>, files: { file: files ?? [] } },
    );
    const send = this.#options.fetch ?? globalThis.fetch;
    return send(addressOf(this.#baseUrl, route, parts), {
      method: route.method,
      redirect: 'error',
      signal,
      ...(body === undefined ? {} : { body }),
      headers: {
        ...headers,
        'X-API-Key': this.#options.key,
        ...(operationId === undefined ? {} : { 'Idempotency-Key': operationId }),
      },
    });
  }

  #announce({ method, path }: Route, { headers }: Response): void {
    if (headers.get('Deprecation') === null) return;
    const [, successor = null] = /<([^>]*)>; rel="successor-version"/u.exec(headers.get('Link') ?? '') ?? [];
    this.#options.onDeprecation?.({ method, path, sunset: headers.get('Sunset'), successor });
  }
}

export const createConnection = (options: FaxdeskOptions) => new Connection(options);

export type { Connection };

const TIMEOUT = new Error('The time for the request is over.');

/** Reports a stream that breaks off as UnreachableError, so that no half document is taken for a whole one. */
function watchedStream(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const stop = () => void reader.cancel(reasonOf(signal)).catch(() => undefined);
  signal?.addEventListener('abort', stop, { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal?.aborted) throw reasonOf(signal);
        if (!done) return controller.enqueue(value);
        signal?.removeEventListener('abort', stop);
        controller.close();
      } catch (error) {
        const cut = new UnreachableError('The gateway’s answer was cut off.', { cause: error });
        controller.error(signal?.aborted ? reasonOf(signal) : cut);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Returns true when the same request may succeed a moment later. */
export function mayPass(error: unknown): error is UnreachableError | ApiError | UnexpectedAnswerError {
  if (error instanceof UnreachableError) return true;
  if (error instanceof ApiError) return PASSING.includes(error.status) && !error.is(...LASTING);
  return error instanceof UnexpectedAnswerError && PASSING.includes(error.status);
}

/** Returns true when the request may have been carried out. */
function isUncertain(error: UnreachableError | ApiError | UnexpectedAnswerError): boolean {
  if (error instanceof ApiError)
    return error.status !== 429 && !error.is('too_busy', 'stopping', 'files_unavailable');
  if (error instanceof UnexpectedAnswerError) return true;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    if (NOT_CONNECTED.test(String((cause as { code?: unknown }).code))) return false;
  return true;
}

/** Returns the pause in ms before the next try; null if the gateway asks for a longer one. */
function pauseAfter(
  error: UnreachableError | ApiError | UnexpectedAnswerError,
  tried: number,
): number | null {
  const seconds = error instanceof ApiError ? error.retryAfter : null;
  // Programs that failed together do not come back together.
  if (seconds === null) return FIRST_PAUSE_MS * 2 ** tried * (0.75 + Math.random() / 2);
  return seconds > LONGEST_PAUSE_S ? null : seconds * 1_000;
}
