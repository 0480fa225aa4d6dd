import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { Load, type LoadRequest } from './load.ts';

const ROUNDS = 9;
const REQUESTS = 1_500;

/** Processor time of the server for a request with a key of the database, against `/health` of the same app. */
export async function run(): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const child = await startChild<{ url: string }>('key-process.ts', { dataFolder });
  const load = new Load(child.ready.url);
  try {
    const headers = { 'X-API-Key': await makeKey(load) };
    const cost = (shot: LoadRequest) => async () => {
      const before = await child.call<number>('processorMs');
      await load.sendAll(REQUESTS, shot);
      return ((await child.call<number>('processorMs')) - before) / REQUESTS;
    };
    const health = { method: 'GET', path: '/health', headers, expect: 200 };
    const sides = [cost(health), cost({ ...health, path: '/signed-in-health' })];
    await measureInTurns(2, sides);
    const [plain = [], keyed = []] = await measureInTurns(ROUNDS, sides);
    return [
      {
        name: 'a request with a database key',
        ratio: ratioOf(keyed, plain),
        bar: 1.2,
        atMost: true,
        unit: 'of /health',
        detail: `${(median(keyed) * 1000).toFixed(0)} µs of processor, /health ${(median(plain) * 1000).toFixed(0)} µs`,
      },
    ];
  } finally {
    load.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}
