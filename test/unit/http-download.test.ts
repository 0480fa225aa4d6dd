import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpClient, HttpFailure } from '../../server/platform/http-client.ts';

let folder: string;
let path: string;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'http-download-'));
  path = join(folder, 'fax.pdf');
});

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  await rm(folder, { recursive: true, force: true });
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
}

const download = (url: string, options: { maxFileBytes?: number; timeoutMs?: number } = {}) =>
  createHttpClient({ timeoutMs: options.timeoutMs }).download({
    method: 'GET',
    url,
    path,
    maxFileBytes: options.maxFileBytes ?? 1_000_000,
    maxAnswerBytes: 1000,
  });

async function failureOf(call: Promise<unknown>): Promise<HttpFailure> {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpFailure);
  return error as HttpFailure;
}

test('a document is streamed to a new file that only its owner reads', async () => {
  const bytes = Buffer.alloc(300_000, 'fax');
  const url = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes),
  );
  const answer = await download(url);
  expect(answer).toMatchObject({ status: 200, savedBytes: 300_000, body: Buffer.alloc(0) });
  expect(answer.headers['content-type']).toBe('application/pdf');
  expect(await readFile(path)).toEqual(bytes);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('any other status is read into memory and writes no file', async () => {
  const url = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('elsewhere'),
  );
  const answer = await download(url);
  expect(answer).toMatchObject({ status: 302, savedBytes: null, body: Buffer.from('elsewhere') });
  expect(existsSync(path)).toBe(false);
});

test('a document of exactly the limit passes and one byte more leaves nothing, announced or not', async () => {
  const url = await serve((request, response) => {
    if (request.url?.endsWith('chunked')) response.write('12345');
    response.end(request.url?.endsWith('chunked') ? '67890' : '1234567890');
  });
  for (const address of [url, `${url}?chunked`]) {
    expect(await failureOf(download(address, { maxFileBytes: 9 }))).toMatchObject({ reason: 'oversized' });
    expect(existsSync(path)).toBe(false);
    expect((await download(address, { maxFileBytes: 10 })).savedBytes).toBe(10);
    await rm(path);
  }
});

test('a document that drips on beyond the time leaves nothing', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  expect(await failureOf(download(url, { timeoutMs: 200 }))).toMatchObject({ reason: 'timeout' });
  expect(existsSync(path)).toBe(false);
});

test('a connection lost in the middle leaves nothing', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  });
  expect(await failureOf(download(url))).toMatchObject({ reason: 'dropped', status: 200 });
  expect(existsSync(path)).toBe(false);
});

test('a file that is there already stays, and the error is that of the disk', async () => {
  await writeFile(path, 'first');
  const url = await serve((_request, response) => response.end('second'));
  await expect(download(url)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(path, 'utf8')).toBe('first');
});
