import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { systemTimers, type Timers } from '../../platform/timers.ts';
import { MAX_HEADER_BYTES, readHead } from './mail-header.ts';
import type { LookupRequest, ThreadInput, ThreadOutput } from './mail-messages.ts';
import { type MailReader, type ReadMail, type ResolveDns, UnreadableMailError } from './reading-port.ts';

const ENTRY = fileURLToPath(new URL('./mail-thread.ts', import.meta.url));
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** For one message, DNS and all. */
export const MESSAGE_MS = 10_000;
/** For a thread to start; of that no message is to blame. */
const START_MS = 60_000;
/** A thread that had nothing to do for so long is ended. */
const IDLE_MS = 30_000;

const NO_DNS = 'The signature of the message could not be checked: the DNS did not answer.';
const TOO_LONG = 'The message could not be checked in 10 seconds.';

/**
 * Reads each message in a thread of its own, which is terminated on timeout: no message can hold up the gateway or
 * another message. DNS lookups run outside the thread and do not count towards its time.
 */
export function createMailReader(resolve: ResolveDns, timers: Timers = systemTimers): MailReader {
  const idle: IdleThread[] = [];
  return {
    readHead,
    headBytes: MAX_HEADER_BYTES,
    async read(path, options, silent = new Set()) {
      const kept = idle.pop();
      kept?.reuse();
      const thread = kept?.thread ?? new Worker(ENTRY, { resourceLimits: HEAP, execArgv: [], env: {} });
      const reading = new ThreadReading(thread, resolve, { timers, silent });
      if (!kept && (await reading.answer(START_MS)) === null) {
        void thread.terminate();
        throw new Error('the thread that reads messages does not start');
      }
      const answer = await reading.answer(MESSAGE_MS, { kind: 'read', path, options });
      if (answer === null) void thread.terminate();
      else idle.push(keepIdle(thread, idle, timers));
      return mailOf(
        answer ?? { kind: 'read', mail: deferredMail(reading.abandonLookups() ? NO_DNS : TOO_LONG) },
      );
    },
  };
}

function mailOf(answer: ThreadOutput): ReadMail {
  if (answer.kind === 'read') return answer.mail;
  if (answer.kind === 'unreadable') throw new UnreadableMailError(answer.sentence);
  throw new Error(answer.kind === 'failed' ? answer.message : 'the thread that reads messages is confused');
}

const deferredMail = (sentence: string): ReadMail => ({
  check: { kind: 'later', sentence },
  subject: '',
  recipients: [],
  parts: [],
  text: null,
});

interface IdleThread {
  readonly thread: Worker;
  reuse(): void;
}

/** Keeps a thread for the next message of a while, without keeping the process. */
function keepIdle(thread: Worker, idle: IdleThread[], timers: Timers): IdleThread {
  thread.unref();
  const end = () => {
    const at = idle.findIndex((each) => each.thread === thread);
    if (at !== -1) idle.splice(at, 1);
    void thread.terminate();
  };
  const withdraw = timers.after(IDLE_MS, end);
  thread.once('exit', end);
  const reuse = () => {
    withdraw();
    thread.off('exit', end);
  };
  return { thread, reuse };
}

const ignoreError = () => undefined;

/** Of names that are not there, or cannot be; all else may be another time. */
const MISSING_CODES = new Set(['ENOTFOUND', 'ENODATA']);
const BAD_NAME_CODE = 'EBADNAME';

/** One message in its thread. */
class ThreadReading {
  readonly #thread: Worker;
  readonly #resolve: ResolveDns;
  readonly #timers: Timers;
  /** Names that nobody answers for. */
  readonly #unanswered: Set<string>;
  /** Names that nobody answered for yet. */
  readonly #pendingNames = new Set<string>();

  constructor(
    thread: Worker,
    resolve: ResolveDns,
    { timers, silent }: { readonly timers: Timers; readonly silent: Set<string> },
  ) {
    // Without a listener what it says while nobody waits would end the process.
    thread.off('error', ignoreError).on('error', ignoreError);
    this.#thread = thread;
    this.#resolve = resolve;
    this.#timers = timers;
    this.#unanswered = silent;
  }

  /** Waits for no more answers; whether there were any to wait for. */
  abandonLookups(): boolean {
    for (const name of this.#pendingNames) this.#unanswered.add(name);
    return this.#pendingNames.size > 0;
  }

  /**
   * Returns the thread's next message, in reply to an order or on its own; null on timeout. Rejects when the thread
   * exits by itself, as it does when it runs out of memory.
   */
  async answer(ms: number, input?: ThreadInput): Promise<ThreadOutput | null> {
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadOutput | null>();
    const onMessage = (message: ThreadOutput | LookupRequest) =>
      message.kind === 'lookup' ? void this.#lookUp(message) : resolve(message);
    const onExit = () => reject(new Error('the thread that reads messages ended'));
    const withdraw = this.#timers.after(ms, () => resolve(null));
    thread.on('message', onMessage).on('error', reject).on('exit', onExit);
    try {
      thread.ref();
      if (input) thread.postMessage(input);
      return await promise;
    } finally {
      withdraw();
      thread.off('message', onMessage).off('exit', onExit).off('error', reject);
    }
  }

  async #lookUp({ id, name, type }: LookupRequest): Promise<void> {
    this.#thread.postMessage(await this.#resolveName({ name, type }, id));
  }

  async #resolveName({ name, type }: Pick<LookupRequest, 'name' | 'type'>, id: number): Promise<ThreadInput> {
    if (this.#unanswered.has(name)) return { kind: 'missing', id, code: 'ESERVFAIL' };
    this.#pendingNames.add(name);
    try {
      return { kind: 'found', id, records: await this.#resolve(name, type) };
    } catch (error) {
      const { code = 'ESERVFAIL' } = error as { code?: string };
      // Anybody can write such a name into a signature: it says nothing about the DNS.
      if (code === BAD_NAME_CODE) return { kind: 'missing', id, code: 'ENOTFOUND' };
      if (!MISSING_CODES.has(code)) this.#unanswered.add(name);
      return { kind: 'missing', id, code };
    } finally {
      this.#pendingNames.delete(name);
    }
  }
}
