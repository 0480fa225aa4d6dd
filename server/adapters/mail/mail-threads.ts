import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { systemTimers, type Timers } from '../../platform/timers.ts';
import { MAX_HEADER_BYTES, readHead } from './mail-header.ts';
import type { LookupRequest, ThreadInput, ThreadOutput } from './mail-messages.ts';
import { type MailReader, type ReadMail, type ResolveDns, UnreadableMailError } from './reading-port.ts';

const ENTRY = fileURLToPath(new URL('./mail-thread.ts', import.meta.url));
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** Maximum time for one message, including DNS lookups. */
export const MESSAGE_MS = 10_000;
/** Maximum time for a thread to start. A slow start is an error of the computer, not of the message. */
const START_MS = 60_000;
/** Idle time after which a thread is terminated. */
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
    async read(path, options, unanswered = new Set()) {
      const kept = idle.pop();
      kept?.reuse();
      const thread = kept?.thread ?? new Worker(ENTRY, { resourceLimits: HEAP, execArgv: [], env: {} });
      const reading = new ThreadReading(thread, resolve, { timers, unanswered });
      if (!kept && (await reading.nextOutput(START_MS)) === null) {
        void thread.terminate();
        throw new Error('the thread that reads messages does not start');
      }
      const output = await reading.nextOutput(MESSAGE_MS, { kind: 'read', path, options });
      if (output === null) void thread.terminate();
      else idle.push(keepIdle(thread, idle, timers));
      return mailOf(
        output ?? { kind: 'read', mail: deferredMail(reading.abandonLookups() ? NO_DNS : TOO_LONG) },
      );
    },
  };
}

function mailOf(output: ThreadOutput): ReadMail {
  if (output.kind === 'read') return output.mail;
  if (output.kind === 'unreadable') throw new UnreadableMailError(output.sentence);
  throw new Error(output.kind === 'failed' ? output.message : 'the thread that reads messages started twice');
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

/** Keeps a thread for the next message, up to IDLE_MS. It does not keep the process running. */
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

/** DNS errors for names that do not exist. After any other error, a later lookup may succeed. */
const MISSING_CODES = new Set(['ENOTFOUND', 'ENODATA']);
const BAD_NAME_CODE = 'EBADNAME';

/** Reading of one message in its thread. */
class ThreadReading {
  readonly #thread: Worker;
  readonly #resolve: ResolveDns;
  readonly #timers: Timers;
  /** Names without an answer of the DNS. They are not looked up again. */
  readonly #unanswered: Set<string>;
  /** Names that are being looked up. */
  readonly #pendingNames = new Set<string>();

  constructor(
    thread: Worker,
    resolve: ResolveDns,
    { timers, unanswered }: { readonly timers: Timers; readonly unanswered: Set<string> },
  ) {
    // An error event without a listener would end the process.
    thread.off('error', ignoreError).on('error', ignoreError);
    this.#thread = thread;
    this.#resolve = resolve;
    this.#timers = timers;
    this.#unanswered = unanswered;
  }

  /** Marks the names of the pending lookups as unanswered. Returns true when there were any. */
  abandonLookups(): boolean {
    for (const name of this.#pendingNames) this.#unanswered.add(name);
    return this.#pendingNames.size > 0;
  }

  /**
   * Posts `input` to the thread, if given, and returns its next output; null on timeout. Rejects when the thread exits by
   * itself, as it does when it runs out of memory.
   */
  async nextOutput(ms: number, input?: ThreadInput): Promise<ThreadOutput | null> {
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
      // A signature can contain any name. One that cannot be looked up is not a fault of the DNS.
      if (code === BAD_NAME_CODE) return { kind: 'missing', id, code: 'ENOTFOUND' };
      if (!MISSING_CODES.has(code)) this.#unanswered.add(name);
      return { kind: 'missing', id, code };
    } finally {
      this.#pendingNames.delete(name);
    }
  }
}
