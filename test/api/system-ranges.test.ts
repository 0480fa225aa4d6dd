import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InboundGateway } from './inbound-setup.ts';

let inbound: InboundGateway;
let paths: string[];
beforeAll(async () => {
  inbound = await InboundGateway.start({ settings: { ENCRYPT_DOCUMENTS: 'true' } });
  await inbound.notify(inbound.arrive());
  const received = await inbound.only();
  const sent = await inbound.gateway.send();
  paths = [
    `/inbound/${received.id}/pdf`,
    `/fax/${sent.id}/document`,
    `/admin/fax-jobs/${sent.id}/pdf`,
    `/inbound/${received.id}/pages/1.png?width=200`,
  ];
});
afterAll(() => inbound.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  inbound.gateway.request(method, path, { headers });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a document', () => {
  test('has the digest of its bytes as its tag, and is not sent to who has it', async () => {
    for (const path of paths) {
      const response = await get(path);
      const bytes = await bytesOf(response);
      const tag = response.headers.get('ETag') ?? '';
      expect([path, tag]).toEqual([path, `"${createHash('sha256').update(bytes).digest('hex')}"`]);
      expect(response.headers.get('Accept-Ranges')).toBe('bytes');
      for (const known of [tag, `"other", W/${tag}`, '*']) {
        const again = await get(path, { 'If-None-Match': known });
        expect([path, again.status, (await bytesOf(again)).length]).toEqual([path, 304, 0]);
        expect(again.headers.get('ETag')).toBe(tag);
      }
      expect((await bytesOf(await get(path, { 'If-None-Match': '"other"' }))).equals(bytes)).toBe(true);
    }
  });

  test('is sent in parts that make up the whole', async () => {
    for (const path of paths) {
      const whole = await bytesOf(await get(path));
      const size = whole.length;
      const part = async (Range: string, headers: Record<string, string> = {}) => {
        const response = await get(path, { Range, ...headers });
        const bytes = await bytesOf(response);
        return { status: response.status, range: response.headers.get('Content-Range'), bytes };
      };
      const first = await part('bytes=0-99');
      const rest = await part('bytes=100-');
      expect([first.status, first.range]).toEqual([206, `bytes 0-99/${size}`]);
      expect([rest.status, rest.range]).toEqual([206, `bytes 100-${size - 1}/${size}`]);
      expect(Buffer.concat([first.bytes, rest.bytes]).equals(whole)).toBe(true);
      const tail = await part('bytes=-7');
      expect([tail.range, tail.bytes.equals(whole.subarray(-7))]).toEqual([
        `bytes ${size - 7}-${size - 1}/${size}`,
        true,
      ]);
      expect((await part(`bytes=5-${size + 100}`)).bytes.equals(whole.subarray(5))).toBe(true);
      // Several parts, other units and what is no range are answered with the whole.
      for (const other of ['bytes=0-1,4-5', 'pages=1-2', 'bytes=9-5', 'bytes=-'])
        expect([other, (await part(other)).status]).toEqual([other, 200]);
      expect((await part('bytes=0-9', { 'If-Range': '"other"' })).bytes.length).toBe(size);
      const tag = `"${createHash('sha256').update(whole).digest('hex')}"`;
      expect((await part('bytes=0-9', { 'If-Range': tag })).bytes.length).toBe(10);
    }
  });

  test('has no part behind its end', async () => {
    for (const path of paths) {
      const size = (await bytesOf(await get(path))).length;
      const response = await get(path, { Range: `bytes=${size}-` });
      expect([response.status, response.headers.get('Content-Range'), await response.json()]).toEqual([
        416,
        `bytes */${size}`,
        { detail: 'The document ends before that part; its size is in Content-Range.' },
      ]);
      expect(response.headers.get('ETag')).toBeNull();
    }
  });

  test('is described to HEAD as a whole', async () => {
    const [path = ''] = paths;
    const size = (await bytesOf(await get(path))).length;
    const head = await get(path, { Range: 'bytes=0-9' }, 'HEAD');
    expect([head.status, head.headers.get('Content-Length')]).toEqual([200, String(size)]);
  });
});
