import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../server/http/app.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { rawAnswer } from './console-raw.ts';

const PAGE = '<!doctype html><title>Console</title>';
const SCRIPT = 'console.log("x");'.repeat(500);

let root: string;
let server: Server;
let port: number;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'faxdesk-console-'));
  const folder = join(root, 'console');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(root, 'secret.key'), 'secret');
  await writeFile(join(root, 'logo.svg'), '<svg/>');
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, '.built-from'), 'hidden');
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'plain-3c.css'), 'a{}');
  await writeFile(join(folder, 'assets', 'draw-5e.wasm'), 'wasm');
  server = serverOf(folder);
  port = await listening(server);
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

function serverOf(folder: string): Server {
  return createServer(
    createApp({
      served: [],
      accessCheck: {
        authorize: () => Promise.reject(new Error('no route is served')),
        recordRefusal: async () => undefined,
      },
      uploads: { directory: root, expectUpload: () => undefined, newKey: () => null, maxBytes: () => 0 },
      metrics: createMetrics(async () => []),
      logger: createLogger({ write: () => undefined }),
      console: { folder, logo: join(root, 'logo.svg') },
    }),
  );
}

async function listening(opened: Server): Promise<number> {
  opened.listen(0, '127.0.0.1');
  await once(opened, 'listening');
  return (opened.address() as AddressInfo).port;
}

const sendRequest = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawAnswer({ port, path, headers, method });

describe('the console', () => {
  test.each(['/', '/admin/ui', '/admin/ui?x=1'])('is led to from %s', async (path) => {
    const { status, headers } = await sendRequest(path);
    expect([status, headers.location]).toEqual([302, '/admin/ui/']);
  });

  test.each(['/admin/ui/', '/admin/ui/sent', '/admin/ui/sent/01a1-f/pages?page=2', '/admin/ui/assets'])(
    'answers its page at %s, never to be kept',
    async (path) => {
      const { status, headers, body } = await sendRequest(path, { 'accept-encoding': 'br, gzip' });
      expect([status, headers['content-type'], body.toString()]).toEqual([
        200,
        'text/html; charset=utf-8',
        PAGE,
      ]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
    },
  );

  test('answers files with a hash in their name to be kept for good, packed as the browser likes', async () => {
    const path = '/admin/ui/assets/app-1a2b.js';
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    const forms: [string, keyof typeof unpack | undefined][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['identity', undefined],
      ['', undefined],
      ['zstd', undefined],
    ];
    for (const [accepted, encoding] of forms) {
      const { status, headers, body } = await sendRequest(path, { 'accept-encoding': accepted });
      expect([accepted, status, headers['content-encoding']]).toEqual([accepted, 200, encoding]);
      expect((encoding ? unpack[encoding](body) : body).toString()).toBe(SCRIPT);
      expect(headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('answers a file without a packed form as it is', async () => {
    const css = await sendRequest('/admin/ui/assets/plain-3c.css', { 'accept-encoding': 'br' });
    expect([css.headers['content-encoding'], css.body.toString()]).toEqual([undefined, 'a{}']);
    const wasm = await sendRequest('/admin/ui/assets/draw-5e.wasm');
    expect(wasm.headers['content-type']).toBe('application/wasm');
  });

  test('answers HEAD without the bytes', async () => {
    const { status, headers, body } = await sendRequest('/admin/ui/assets/app-1a2b.js', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(SCRIPT.length), 0]);
    expect((await sendRequest('/admin/ui/', {}, 'HEAD')).body.length).toBe(0);
  });

  test('has the logo of the application', async () => {
    const { headers, body } = await sendRequest('/admin/ui/logo.svg');
    expect([headers['content-type'], body.toString()]).toEqual(['image/svg+xml; charset=utf-8', '<svg/>']);
    expect(headers['cache-control']).toBe('public, max-age=86400');
  });

  test.each([
    '/admin/ui/assets/gone-9z.js',
    '/admin/ui/favicon.ico',
    '/admin/ui/index.html',
    '/admin/ui/.built-from',
    '/admin/ui/assets/../.built-from',
    '/admin/ui/../secret.key',
    '/admin/ui/../../secret.key',
    '/admin/ui/..%2Fsecret.key',
    '/admin/ui/%2e%2e/secret.key',
    '/admin/ui/%2e%2e%2fsecret.key',
    '/admin/ui/..%5Csecret.key',
    '/admin/ui/assets/..\\..\\..\\secret.key',
    '/admin/ui//etc/passwd.txt',
    '/admin/ui/assets/app-1a2b.js%00.css',
    '/admin/ui/assets/app-1a2b.js/x.js',
    '/admin/ui/assets/app-1a2b.js/',
  ])('has nothing at %s', async (path) => {
    const { status, headers, body } = await sendRequest(path);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    expect(body.toString()).toBe('{"detail":"There is nothing at this address."}');
  });

  test('that is not built says how it is', async () => {
    const other = serverOf(join(root, 'nothing'));
    const at = await listening(other);
    try {
      const { status, headers, body } = await rawAnswer({ port: at, path: '/admin/ui/sent' });
      expect([status, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
      expect(body.toString()).toContain('The console is not built yet; run npm start or npm run serve.');
      expect((await rawAnswer({ port: at, path: '/admin/ui/assets/app-1a2b.js' })).status).toBe(404);
    } finally {
      other.close();
    }
  });
});
