/**
 * A gateway in a process of its own, on the real clock and with working workers, which ends itself with SIGKILL at one
 * step after it was armed, or keeps at each step what a kill would leave. A step is the moment before or after
 * a commit or the preparing of a document, before a request to the provider, and the arrival of its answer. Started by
 * `ChildGateway`.
 */
import { cpSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import BetterSqlite from 'better-sqlite3';
import { type QueryExecutorProvider, sql } from 'kysely';
import pg from 'pg';
import { createDocumentClient, type DocumentClient } from '../../server/documents/client/document-client.ts';
import type { ChildOrders, ChildPlan, CommitPoint, CopiedStep } from './child-gateway.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as ChildPlan;
const MAX_COPIES = 50;
let isArmed = false;
let hasFrozen = false;
let isAnswered = false;
let steps = 0;
let offsetMs = 0;

const realNow = Date.now;
Date.now = () => realNow() + plan.skewMs;

function step(label: string): void {
  if (!isArmed) return;
  steps += 1;
  if (plan.copies !== null) keepCopy(join(plan.copies, String(steps)), label);
  if (!isKillPoint(label)) return;
  writeSync(1, `${label}\n`);
  process.kill(process.pid, 'SIGKILL');
}

function isKillPoint(label: string): boolean {
  const { killAt } = plan;
  if (killAt === null || typeof killAt === 'number') return steps === killAt;
  return 'stored' in killAt && label === killAt.label && isStored(killAt.stored);
}

/** Returns true when the store holds a fax in the state, as a process started after a kill now would read it. */
function isStored(state: string): boolean {
  const store = new BetterSqlite(join(plan.boot.dataFolder, 'faxdesk.sqlite'), { readonly: true });
  try {
    const fax = store.prepare('select 1 from fax_job where delivery_state = ?').get(state);
    return fax !== undefined;
  } finally {
    store.close();
  }
}

/** Copies the files, which hold all writes as after a kill: the gateway is blocked until all of them are copied. */
function keepCopy(target: string, label: string): void {
  for (let tries = 1; !isCopied(target, tries); tries += 1) rmSync(target, { recursive: true, force: true });
  const kept: CopiedStep = { label, answered: isAnswered };
  writeFileSync(`${target}.json`, JSON.stringify(kept));
}

/** False when the process of documents, which does not stand still, took a file of its own away meanwhile. */
function isCopied(target: string, tries: number): boolean {
  try {
    cpSync(plan.boot.dataFolder, target, { recursive: true, preserveTimestamps: true });
    return true;
  } catch (error) {
    if (tries === MAX_COPIES) throw error;
    return false;
  }
}

/** From the moment on that the answer is handed to the system: its caller may then have it. */
function watchAnswers(): void {
  const { end } = http.ServerResponse.prototype;
  http.ServerResponse.prototype.end = function (this: http.ServerResponse, ...args: unknown[]) {
    if (isArmed && this.req.method === 'POST' && this.statusCode < 300) isAnswered = true;
    return (end as (...args: unknown[]) => http.ServerResponse).apply(this, args);
  };
}

/** The process of documents puts the prepared document in its place, before the acceptance commits. */
function watchDocuments(): void {
  const nobody = {
    folders: [],
    idleMs: 0,
    logger: null,
    start: () => Promise.reject(new Error('nobody starts it')),
  };
  const settings = { threads: 1, engineMemoryBytes: 0, memoryLimitBytes: 0 };
  const client = Object.getPrototypeOf(createDocumentClient({ settings, ...nobody })) as DocumentClient;
  const run = client.run as (...args: unknown[]) => Promise<never>;
  client.run = async function (this: DocumentClient, ...args: unknown[]) {
    step('before a document is prepared');
    const answer = await run.apply(this, args);
    step('when a document was prepared');
    return answer;
  };
}

function watchRequests(): void {
  const request = http.request as (...args: unknown[]) => http.ClientRequest;
  http.request = (...args: unknown[]) => {
    step('before a request to the provider');
    const sending = request(...args);
    sending.prependOnceListener('response', () => step('when the provider answered'));
    return sending;
  };
}

// One thread for documents is enough for one fax, and starts in half the time of two.
os.availableParallelism = () => 1;
watchDocuments();
watchRequests();
watchAnswers();
syncBuiltinESMExports();

const { Database } = await import('../../server/db/database.ts');
const { startGateway } = await import('../../server/index.ts');
const { recordsDns } = await import('../setup/records-dns.ts');
const { createLogger } = await import('../../server/platform/logger.ts');

const transaction = Database.prototype.transaction;
Database.prototype.transaction = async function <T>(
  this: InstanceType<typeof Database>,
  work: (tx: never) => Promise<T>,
) {
  const result = await transaction.call(this, async (tx) => {
    const inner = await work(tx as never);
    await commitStep('before a commit', tx);
    return inner;
  });
  await commitStep('after a commit', this.unrestricted);
  if (isArmed && (await isInState(plan.freezeAt))) process.kill(process.pid, 'SIGSTOP');
  return result as T;
};

/** `store` is the transaction, or the database after it. */
async function commitStep(label: CommitPoint['label'], store: unknown): Promise<void> {
  const { killAt } = plan;
  if (isArmed && typeof killAt === 'object' && killAt?.label === label && 'returns' in killAt) {
    const { rows } = await sql.raw(killAt.returns).execute(store as QueryExecutorProvider);
    if (rows.length > 0) process.kill(process.pid, 'SIGKILL');
  }
  step(label);
}

/** Returns true once when the PostgreSQL database holds a fax in the state. */
async function isInState(state: string | null): Promise<boolean> {
  if (state === null || hasFrozen) return false;
  const client = new pg.Client({ connectionString: plan.boot.databaseUrl ?? '' });
  await client.connect();
  const { rowCount } = await client.query('select 1 from fax_job where delivery_state = $1', [state]);
  await client.end();
  hasFrozen = hasFrozen || (rowCount ?? 0) > 0;
  return hasFrozen;
}

const { records } = plan;
const gateway = await startGateway({
  ...(records === null ? {} : { resolveDns: recordsDns(records) }),
  boot: plan.boot,
  environment: plan.environment,
  clock: { now: () => Date.now() + offsetMs },
  logger: createLogger({ level: 'error', write: (line) => writeSync(2, line) }),
});
process.on('message', (orders: ChildOrders) => {
  if (orders.arm) isArmed = true;
  offsetMs += orders.advanceMs ?? 0;
  if (orders.stop) void gateway.stop().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
process.send?.({ url: gateway.url });
