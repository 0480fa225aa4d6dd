import { setImmediate } from 'node:timers';
import { failureOf } from '../document-error.ts';
import type { DocumentContent } from '../jobs.ts';
import { createDocumentPool, type DocumentPool } from '../pool/document-pool.ts';
import type { FromProcess, JobUpdate, SentJob, ToProcess } from './messages.ts';

/** Channel between the process and the gateway. */
interface GatewayChannel {
  send(message: FromProcess): void;
  onMessage(listener: (message: ToProcess) => void): void;
}

/** Does the jobs that the gateway sends, from its first message on. */
export function serveDocuments(channel: GatewayChannel): void {
  const server = new DocumentServer(channel);
  channel.onMessage((message) => server.handleMessage(message));
}

class DocumentServer {
  readonly #channel: GatewayChannel;
  readonly #aborts = new Map<number, AbortController>();
  #pool: DocumentPool | null = null;
  #updates: JobUpdate[] = [];

  constructor(channel: GatewayChannel) {
    this.#channel = channel;
  }

  handleMessage(message: ToProcess): void {
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
        return this.#aborts.get(message.id)?.abort();
      default:
        message satisfies never;
    }
  }

  async #run(job: SentJob): Promise<void> {
    const { id, allowance, caller } = job;
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    try {
      const result = await this.#pool?.run(job.name, copyTaskBytes(job.task), {
        id,
        allowance,
        caller,
        ...(job.mayBeGivenUp ? { signal: abort.signal } : {}),
        ...(job.wantsPages ? { onPage: (page) => this.#sendUpdate({ id, page }) } : {}),
      });
      this.#sendUpdate({ id, answer: { result } });
    } catch (error) {
      this.#sendUpdate({ id, answer: failureOf(error) });
    } finally {
      this.#aborts.delete(id);
    }
  }

  /** Sends news of the same moment in one message: jobs that finish together are answered together. */
  #sendUpdate(update: JobUpdate): void {
    if (this.#updates.push(update) > 1) return;
    setImmediate(() => {
      const updates = this.#updates;
      this.#updates = [];
      this.#channel.send({ kind: 'news', update: updates });
    });
  }
}

/** With bytes of its own: what came in one message lies in one piece of memory, and a thread would be given all of it. */
function copyTaskBytes(task: SentJob['task']): SentJob['task'] {
  if ('bytes' in task) return copyBytes(task);
  if ('raster' in task) return { ...task, raster: copyBytes(task.raster) };
  return 'sources' in task ? { ...task, sources: task.sources.map(copyBytes) } : task;
}

const copyBytes = <T extends DocumentContent>(content: T): T =>
  'bytes' in content ? { ...content, bytes: new Uint8Array(content.bytes) } : content;

function hasPermissionModel(): boolean {
  // Missing where Node was started without it, whatever its types say.
  return (process.permission as typeof process.permission | undefined) !== undefined;
}
