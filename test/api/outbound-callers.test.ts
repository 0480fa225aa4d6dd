import { afterAll, beforeAll, expect, it } from 'vitest';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

/** The key of a new integration. */
async function newKey(): Promise<string> {
  const json = { scopes: ['fax:send'] };
  const answer = await gateway.request('POST', '/admin/api-keys', { json });
  return ((await answer.json()) as { token: string }).token;
}

async function send(key: string, file: File): Promise<number> {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('file', file);
  const answer = await gateway.request('POST', '/fax', { key, form });
  await answer.text();
  return answer.status;
}

it('rule (documents): long documents of one sender delay those of another by about one document at most', async () => {
  const [scanner, frontDesk] = [await newKey(), await newKey()];
  const scan = () => new File([new Uint8Array(whitePages(1000))], 'scan.tif', { type: 'image/tiff' });
  const accepted: string[] = [];
  const scans = Array.from({ length: 12 }, async () => {
    expect(await send(scanner, scan())).toBe(202);
    accepted.push('scan');
  });
  await Promise.race(scans);
  expect(await send(frontDesk, textFile())).toBe(202);
  accepted.push('letter');
  // The one that was waited for, one or two for each thread, and not all.
  expect(accepted.indexOf('letter'), accepted.join()).toBeLessThanOrEqual(5);
  await Promise.all(scans);
});
