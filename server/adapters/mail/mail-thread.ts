import { parentPort } from 'node:worker_threads';
import type { LookupRequest, ThreadInput, ThreadOutput } from './mail-messages.ts';
import { readMail } from './read-mail.ts';
import { type ResolveDns, UnreadableMailError } from './reading-port.ts';

/** Lookups for one message; a check by DMARC of a few signatures needs some dozens at most. */
const MAX_LOOKUPS = 60;

/** Lookups that wait for their answer, in their order. */
const pendingLookups = new Map<number, PromiseWithResolvers<string[] | string[][]>>();
let lastRequestId = 0;

const post = (message: ThreadOutput | LookupRequest) => parentPort?.postMessage(message);

function createLookup(): ResolveDns {
  let left = MAX_LOOKUPS;
  const known = new Map<string, ReturnType<ResolveDns>>();
  const ask: ResolveDns = async (name, type) => {
    if (left === 0) throw codedError('ESERVFAIL');
    left -= 1;
    lastRequestId += 1;
    const answer = Promise.withResolvers<string[] | string[][]>();
    pendingLookups.set(lastRequestId, answer);
    post({ kind: 'lookup', id: lastRequestId, name, type });
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

async function work({ path, options }: Extract<ThreadInput, { kind: 'read' }>): Promise<void> {
  try {
    post({ kind: 'read', mail: await readMail(path, options, createLookup()) });
  } catch (error) {
    if (error instanceof UnreadableMailError) post({ kind: 'unreadable', sentence: error.publicMessage });
    else post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

parentPort?.on('message', (order: ThreadInput) => {
  if (order.kind === 'read') return void work(order);
  const answer = pendingLookups.get(order.id);
  pendingLookups.delete(order.id);
  if ('records' in order) answer?.resolve(order.records);
  else answer?.reject(codedError(order.code));
});
post({ kind: 'ready' });
