import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from '../bench/bench-key.ts';
import { median } from '../bench/figure.ts';
import type { Memory } from '../bench/gateway-process.ts';
import { Load } from '../bench/load.ts';
import { peakMb } from '../bench/process-resources.ts';
import { ask, type World } from './world.ts';

const STARTS = 3;
const REQUESTS = 9;
const WARM_UP = 2;
const FAR_PAGES = 100;
const PAGE = 200;

/** Requests whose time is measured. */
const READS: Readonly<Record<string, string>> = {
  'Sent, first page': '/fax?limit=50',
  'Sent, failed only': '/fax?limit=50&state=failed',
  'Sent, one number': '/fax?limit=50&to=%2B12022000007',
  'Sent, a text that nothing has': '/fax?limit=50&q=nowhere',
  'Sent, counts': '/fax/counts',
  'Inbox, first page': '/inbound?limit=50',
  'Inbox, one sender': '/inbound?limit=50&from_number=%2B12024000007',
  'Inbox, a text that nothing has': '/inbound?limit=50&q=nowhere',
  'Inbox, counts': '/inbound/counts',
  'Work, to do': '/work?limit=50&view=todo',
  'Work, done': '/work?limit=50&view=done',
  'Work, counts': '/work/counts',
  'Recipients used last': '/fax/numbers?limit=20',
  Metrics: '/metrics',
};

/** Figures of one point by name, in the order of the table. */
export type Figures = Record<string, string>;

/** Measures an installation at rest: reads, start, memory, files and a backup. The gateway is started again. */
export async function measure(world: World & { restart(): Promise<{ readyMs: number }> }): Promise<Figures> {
  const figures: Figures = {};
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i += 1) starts.push((await world.restart()).readyMs);
  figures['Start'] = milliseconds(median(starts));
  // The work of a start has ended by then.
  await pause(5_000);
  figures['Memory after the start'] = `${await rssMb(world)} MB`;
  const load = new Load(world.gateway.ready.url, 1);
  for (const [name, path] of Object.entries(READS)) figures[name] = await timeOf(load, path);
  figures[`Sent, page ${FAR_PAGES * (PAGE / 50) + 1}`] = await timeOf(load, await farPage(world));
  load.close();
  figures['Memory after the reads'] = `${await rssMb(world)} MB`;
  Object.assign(figures, await sizesOf(world.dataFolder));
  Object.assign(figures, await measureBackup(world));
  return figures;
}

const milliseconds = (ms: number) => `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`;

async function rssMb({ gateway }: World): Promise<number> {
  return Math.round((await gateway.call<Memory>('memory')).rss / 1e6);
}

/** Median time of one answer. */
async function timeOf(load: Load, path: string): Promise<string> {
  const shot = { method: 'GET', path, headers: { 'X-API-Key': BENCH_KEY }, expect: 200 };
  const times: number[] = [];
  for (let i = 0; i < REQUESTS + WARM_UP; i += 1) {
    const began = performance.now();
    await load.sendOne(shot);
    if (i >= WARM_UP) times.push(performance.now() - began);
  }
  return milliseconds(median(times));
}

/** Returns the path of a page far down the list, or of the last one where there are fewer. */
async function farPage(world: World): Promise<string> {
  let cursor: string | null = null;
  for (let page = 0; page < FAR_PAGES; page += 1) {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { next_cursor: next } = await ask<{ next_cursor: string | null }>(
      world,
      `/fax?limit=${PAGE}${after}`,
    );
    if (next === null) break;
    cursor = next;
  }
  return `/fax?limit=50${cursor === null ? '' : `&cursor=${cursor}`}`;
}

/** Number and size of the files of the data folder, and of the database. */
async function sizesOf(dataFolder: string): Promise<Figures> {
  let [count, bytes, database] = [0, 0, 0];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'backups') await walk(path);
        continue;
      }
      const { size } = await stat(path);
      if (entry.name.startsWith('faxdesk.sqlite')) database += size;
      else [count, bytes] = [count + 1, bytes + size];
    }
  };
  await walk(dataFolder);
  return {
    'Files of documents': count.toLocaleString('en'),
    'Size of documents': megabytes(bytes),
    'Size of the database': megabytes(database),
  };
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

interface Backup {
  readonly name: string;
  readonly state: string;
  readonly size_bytes: number | null;
  readonly sentence: string | null;
}

/** Makes a backup while the gateway runs, and asks for the list meanwhile. */
async function measureBackup(world: World): Promise<Figures> {
  const began = performance.now();
  let backup = await ask<Backup>(world, '/console/backups', {});
  let slowest = 0;
  while (backup.state === 'running') {
    const asked = performance.now();
    await ask(world, '/fax?limit=50');
    slowest = Math.max(slowest, performance.now() - asked);
    await pause(50);
    backup = await ask(world, `/console/backups/${backup.name}`);
  }
  if (backup.state !== 'done') throw new Error(backup.sentence ?? 'The backup failed.');
  const seconds = (performance.now() - began) / 1000;
  const headers = { 'X-API-Key': BENCH_KEY };
  const removed = await fetch(`${world.gateway.ready.url}/console/backups/${backup.name}`, {
    method: 'DELETE',
    headers,
  });
  if (!removed.ok) throw new Error(`The backup was not removed: ${removed.status}`);
  return {
    Backup: `${seconds.toFixed(1)} s`,
    'Size of the backup': megabytes(backup.size_bytes ?? 0),
    'Slowest list during the backup': milliseconds(slowest),
    'Highest memory until then': `${peakMb(world.gateway.pid) ?? 0} MB`,
  };
}
