import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formBlob } from '../../server/platform/form-blob.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-form-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function onDisk(content: string | Uint8Array): Promise<Blob> {
  const path = join(folder, 'letter.txt');
  await writeFile(path, content);
  return openAsBlob(path);
}

test('says what the form said: fields in their order, files with their names, types and bytes', async () => {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('titles', 'Plan "B"');
  form.append('titles', 'Brief, März');
  form.append('file', await onDisk('Dear colleague\n'), 'a "quoted"\r\nname.txt');
  form.append('file', new Blob([Uint8Array.of(0, 13, 10, 45, 45)], { type: 'image/tiff' }), 'scan.tif');
  const blob = formBlob(form);
  const read = await new Response(blob.stream(), { headers: { 'Content-Type': blob.type } }).formData();
  expect([...read.keys()]).toEqual(['to', 'titles', 'titles', 'file', 'file']);
  expect(read.getAll('titles')).toEqual(['Plan "B"', 'Brief, März']);
  const [letter, scan] = read.getAll('file') as File[];
  expect([letter?.name, letter?.type, await letter?.text()]).toEqual([
    'a "quoted"\r\nname.txt',
    'application/octet-stream',
    'Dear colleague\n',
  ]);
  expect([scan?.name, scan?.type, await scan?.bytes()]).toEqual([
    'scan.tif',
    'image/tiff',
    Uint8Array.of(0, 13, 10, 45, 45),
  ]);
});

test('an answer before the end of the upload is an answer', async () => {
  const server = createServer((request, response) => {
    response.writeHead(403).end('no');
    request.on('error', () => undefined).resume();
  }).listen(0, '127.0.0.1');
  const form = new FormData();
  form.append('file', await onDisk(new Uint8Array(8_000_000)), 'large.bin');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: formBlob(form) });
  expect([answer.status, await answer.text()]).toEqual([403, 'no']);
  server.close();
});
