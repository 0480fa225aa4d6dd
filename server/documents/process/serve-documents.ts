import { setImmediate } from 'node:timers';
import { failureOf } from '../document-error.ts';
import { createDocumentPool, type DocumentPool } from '../pool/document-pool.ts';
import type { FromProcess, JobNews, SentJob, ToProcess } from './messages.ts';

/** Channel between the process and the gateway. */
export interface GatewayChannel {
  send(message: FromProcess): void;
  onMessage(listener: (message: ToProcess) => void): void;
}

/** Does the jobs that the gateway sends, from its first message on. */
export function serveDocuments(channel: GatewayChannel): void {
  const server = new DocumentServer(channel);
  channel.onMessage((message) => server.hear(message));
}

class DocumentServer {
  readonly #channel: GatewayChannel;
  readonly #givingUp = new Map<number, AbortController>();
  #pool: DocumentPool | null = null;
  #news: JobNews[] = [];

  constructor(channel: GatewayChannel) {
    this.#channel = channel;
  }

  hear(message: ToProcess): void {
    switch (message.kind) {
      case 'start':
        this.#pool = createDocumentPool({
          ...message.settings,
          onBegin: (ids) => this.#channel.send({ kind: 'begun', ids }),
        });
        return this.#channel.send({ kind: 'ready', permissionModel: hasPermissionModel() });
      case 'run':
        for (const job of message.jobs) void this.#run(job);
        return;
      case 'give up':
        return this.#givingUp.get(message.id)?.abort();
      default:
        message satisfies never;
    }
  }

  async #run(job: SentJob): Promise<void> {
    const { id, allowance, caller } = job;
    const abort = new AbortController();
    this.#givingUp.set(id, abort);
    try {
      const result = await this.#pool?.run(job.name, owning(job.task), {
        id,
        allowance,
        caller,
        ...(job.mayBeGivenUp ? { signal: abort.signal } : {}),
        ...(job.wantsPages ? { onPage: (page) => this.#tell({ id, page }) } : {}),
      });
      this.#tell({ id, answer: { result } });
    } catch (error) {
      this.#tell({ id, answer: failureOf(error) });
    } finally {
      this.#givingUp.delete(id);
    }
  }

  /** Sends news of the same moment in one message: jobs that finish together are answered together. */
  #tell(news: JobNews): void {
    if (this.#news.push(news) > 1) return;
    setImmediate(() => {
      const told = this.#news;
      this.#news = [];
      this.#channel.send({ kind: 'news', news: told });
    });
  }
}

/** With bytes of its own: what came in one message lies in one piece of memory, and a thread would be given all of it. */
function owning(task: SentJob['task']): SentJob['task'] {
  if ('bytes' in task) return { bytes: new Uint8Array(task.bytes) };
  if (!('sources' in task)) return task;
  const sources = task.sources.map((source) =>
    'bytes' in source ? { ...source, bytes: new Uint8Array(source.bytes) } : source,
  );
  return { ...task, sources };
}

function hasPermissionModel(): boolean {
  // Missing where Node was started without it, whatever its types say.
  return (process.permission as typeof process.permission | undefined) !== undefined;
}
