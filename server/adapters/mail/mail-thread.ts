import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer, ThreadOrder, ThreadQuestion } from './mail-messages.ts';
import { readMail } from './read-mail.ts';
import { type ResolveDns, UnreadableMailError } from './reading-port.ts';

/** Lookups for one message; a check by DMARC of a few signatures needs some dozens at most. */
const MOST_LOOKUPS = 60;

/** Lookups that wait for their answer, in their order. */
const waiting = new Map<number, PromiseWithResolvers<string[] | string[][]>>();
let asked = 0;

const post = (message: ThreadAnswer | ThreadQuestion) => parentPort?.postMessage(message);

function lookups(): ResolveDns {
  let left = MOST_LOOKUPS;
  const known = new Map<string, ReturnType<ResolveDns>>();
  const ask: ResolveDns = async (name, type) => {
    if (left === 0) throw codedError('ESERVFAIL');
    left -= 1;
    asked += 1;
    const answer = Promise.withResolvers<string[] | string[][]>();
    waiting.set(asked, answer);
    post({ kind: 'lookup', id: asked, name, type });
    return answer.promise;
  };
  return async (name, type) => {
    const key = `${type} ${name}`;
    const answer = known.get(key) ?? ask(name, type);
    known.set(key, answer);
    return answer;
  };
}

const codedError = (code: string) => Object.assign(new Error('the name was not found'), { code });

async function work({ path, options }: Extract<ThreadOrder, { kind: 'read' }>): Promise<void> {
  try {
    post({ kind: 'read', mail: await readMail(path, options, lookups()) });
  } catch (error) {
    if (error instanceof UnreadableMailError) post({ kind: 'unreadable', sentence: error.publicMessage });
    else post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (order: ThreadOrder) => {
  if (order.kind === 'read') return void work(order);
  const answer = waiting.get(order.id);
  waiting.delete(order.id);
  if ('records' in order) answer?.resolve(order.records);
  else answer?.reject(codedError(order.code));
});
post({ kind: 'ready' });
