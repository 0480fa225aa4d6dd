import { createWriteStream, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import BetterSqlite from 'better-sqlite3';
import busboy from 'busboy';
import { childOptions, processorMs, serveCalls } from './child.ts';

// The least a durable acceptance can be: the upload streamed to disk and flushed, then one committed row.
const { dataFolder } = childOptions() as { dataFolder: string };
mkdirSync(dataFolder, { recursive: true });
const database = new BetterSqlite(join(dataFolder, 'bare.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('create table upload (id text primary key, path text not null, at text not null)');
const insert = database.prepare('insert into upload values (?, ?, ?)');

const server = createServer((request, response) => {
  const id = crypto.randomUUID();
  const path = join(dataFolder, id);
  const parser = busboy({ headers: request.headers });
  let written: Promise<void> = Promise.resolve();
  parser.on('file', (_name, stream) => {
    written = pipeline(stream, createWriteStream(path, { flush: true }));
  });
  parser.on('close', () => {
    void written.then(() => {
      insert.run(id, path, new Date().toISOString());
      response.writeHead(202, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id }));
    });
  });
  request.pipe(parser);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveCalls({ url: `http://127.0.0.1:${port}` }, { processorMs, stop: () => undefined });
});
