import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { openDatabase } from '../../server/db/database.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import type { BucketReady } from './bucket-process.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest } from './fax-upload.ts';
import { type Figure, median } from './figure.ts';
import { fillInbound } from './fill-inbound.ts';
import { largeScan } from './large-scan.ts';
import { Load } from './load.ts';
import { descendants } from './own-children.ts';
import { kill, SERVED_KEY, type Served, serve } from './served.ts';

/** About 50 MB. */
const PAGES = 400;
const LIMIT_MB = '60';
const LOOK_MS = 5;
const ROUNDS = 5;
const MB = 1_000_000;
/** Of the document. */
const MOST_GROWTH = 0.5;

/** Growth of the memory of a gateway while a document was on its way, in bytes. */
interface Growth {
  readonly gateway: number;
  /** Of the processes of documents. */
  readonly documents: number;
}

/** Memory of a gateway with its documents in a bucket while one of 50 MB is sent, moved there and downloaded, against its size. */
export async function run(): Promise<Figure[]> {
  await buildGatewayIfStale();
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const bucket = await startChild<BucketReady>('bucket-process.ts', {});
  const environment = { ...bucket.ready.settings, MAX_FILE_SIZE_MB: LIMIT_MB };
  try {
    const scan = await largeScan(PAGES);
    let served = await serve(dataFolder, environment);
    const sent = await eachRound(served, ROUNDS, () => upload(served, scan));
    await kill(served);
    const received = await addReceived(dataFolder, scan);
    served = await serve(dataFolder, environment);
    const moved = await eachRound(served, 1, () => moveAll(served));
    await assertThere(bucket, received.name);
    const read = await eachRound(served, ROUNDS, () => download(served, received));
    await kill(served);
    return [
      figureOf('is sent', sent, scan.length),
      figureOf('is moved to the bucket', moved, scan.length),
      figureOf('is downloaded', read, scan.length),
    ];
  } finally {
    await bucket.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function eachRound({ child }: Served, rounds: number, work: () => Promise<unknown>): Promise<Growth[]> {
  const found: Growth[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = memoryOf(child.pid ?? 0);
    const most = { ...before };
    const watch = setInterval(() => {
      const now = memoryOf(child.pid ?? 0);
      most.gateway = Math.max(most.gateway, now.gateway);
      most.documents = Math.max(most.documents, now.documents);
    }, LOOK_MS);
    await work().finally(() => clearInterval(watch));
    found.push({ gateway: most.gateway - before.gateway, documents: most.documents - before.documents });
  }
  return found;
}

function memoryOf(pid: number): Growth {
  const all = descendants(pid);
  const gateway = all.find((one) => one.pid === pid)?.rssBytes ?? 0;
  return { gateway, documents: all.reduce((sum, { rssBytes }) => sum + rssBytes, 0) - gateway };
}

async function upload({ url }: Served, scan: Buffer): Promise<void> {
  const load = new Load(url, 1);
  try {
    await load.sendAll(1, faxRequest(scan, SERVED_KEY, { different: true }));
  } finally {
    load.close();
  }
}

interface Received {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
}

/** Adds a received fax while the gateway is stopped, with its document in the folder. */
async function addReceived(dataFolder: string, scan: Buffer): Promise<Received> {
  const where = { postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  await fillInbound(where, 1);
  const sha256 = sha256Hex(scan);
  const db = openDatabase(where);
  try {
    const { id, document } = await db.read
      .selectFrom('inbound_fax')
      .select(['id', 'document'])
      .executeTakeFirstOrThrow();
    const facts = { sha256, size_bytes: scan.length };
    await db.transaction((tx) => tx.updateTable('inbound_fax').set(facts).execute());
    const name = document ?? '';
    await mkdir(join(dataFolder, 'files/inbound'), { recursive: true, mode: 0o700 });
    await writeFile(join(dataFolder, 'files', name), scan, { mode: 0o600 });
    return { id, name, sha256 };
  } finally {
    await db.close();
  }
}

async function moveAll({ url }: Served): Promise<void> {
  const answer = await fetch(`${url}/console/storage/move`, {
    method: 'POST',
    headers: { 'X-API-Key': SERVED_KEY, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { done, failed } = (await answer.json()) as { done?: number; failed?: unknown[] };
  if (done !== 1 || failed?.length !== 0) throw new Error(`it moved ${done}`);
}

async function assertThere(bucket: Child<BucketReady>, name: string): Promise<void> {
  const keys = await bucket.call<string[]>('keys');
  if (!keys.some((key) => key.endsWith(name))) throw new Error(`${name} is not in the bucket`);
}

async function download({ url }: Served, { id, sha256 }: Received): Promise<void> {
  const answer = await fetch(`${url}/inbound/${id}/pdf?purpose=download`, {
    headers: { 'X-API-Key': SERVED_KEY },
  });
  if (!answer.ok || answer.body === null) throw new Error(await answer.text());
  const hash = createHash('sha256');
  for await (const piece of answer.body) hash.update(piece as Uint8Array);
  if (hash.digest('hex') !== sha256) throw new Error('another document was answered');
}

function figureOf(what: string, grown: readonly Growth[], bytes: number): Figure {
  const inMb = (of: keyof Growth) => grown.map((one) => (one[of] / MB).toFixed(0)).join(', ');
  return {
    name: `memory of a gateway while a document of ${(bytes / MB).toFixed(0)} MB ${what}`,
    ratio: Number((median(grown.map(({ gateway }) => gateway)) / bytes).toFixed(2)),
    bar: MOST_GROWTH,
    atMost: true,
    unit: 'of its size',
    detail: `more by ${inMb('gateway')} MB, its processes of documents by ${inMb('documents')} MB`,
  };
}
