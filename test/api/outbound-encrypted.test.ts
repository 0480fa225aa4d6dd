import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import type { Fax } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { END, FORM, headOf, jsonOf, MEGABYTE, part, RawCaller, TO } from '../setup/raw-form.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const ENCRYPTED = { ENCRYPT_DOCUMENTS: 'true' };
const DOCUMENT = textPdf(2);
/** First bytes of a document and of a page picture, and a word from the document. */
const KNOWN = ['%PDF-', '\u0089PNG', 'Helvetica'];
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let inbound: InboundGateway;
const gateway = () => inbound.gateway;
beforeEach(async () => {
  inbound = await InboundGateway.startPolling({ settings: ENCRYPTED });
});
afterEach(() => inbound.close());

/** The files of the data folder in which something of a document can be read. */
async function readable(): Promise<string[]> {
  const { dataFolder } = gateway();
  const found: string[] = [];
  for (const name of await readdir(dataFolder, { recursive: true })) {
    if (!(await stat(join(dataFolder, name))).isFile()) continue;
    const text = await readFile(join(dataFolder, name), 'latin1');
    const at = KNOWN.map((word) => text.indexOf(word)).find((index) => index >= 0);
    if (at !== undefined)
      found.push(`${name}: ${JSON.stringify(text.slice(Math.max(0, at - 100), at + 100))}`);
  }
  return found;
}

const file = () => new File([new Uint8Array(DOCUMENT)], 'letter.pdf', { type: 'application/pdf' });

async function send(fields: Record<string, string> = {}): Promise<Fax> {
  const answer = await gateway().sendForm({ to: '+12025550123', ...fields }, [file()]);
  expect(answer.status, await answer.clone().text()).toBe(202);
  return (await answer.json()) as Fax;
}

async function bytesOf(path: string): Promise<Buffer> {
  const answer = await gateway().request('GET', path);
  expect(answer.status, path).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

describe('documents that are encrypted', () => {
  test('rule (storage): a stored document is encrypted with its own key and cannot be read on the disk', async () => {
    const fax = await send();
    expect(await readable()).toEqual([]);
    expect((await bytesOf(`/fax/${fax.id}/document`)).equals(DOCUMENT)).toBe(true);
    expect((await gateway().fax(fax.id)).document).toMatchObject({ sha256: sha256(DOCUMENT) });
    await gateway().processAll();
    const sent = [...gateway().emulator.faxes.values()].at(-1);
    expect(sent && sha256(sent.document ?? Buffer.alloc(0))).toBe(sha256(DOCUMENT));
    expect((await bytesOf(`/fax/${fax.id}/report`)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await readable()).toEqual([]);
  });

  test('cannot be read on the disk on their way in, and are stored as the file that was written then', async () => {
    const raw = new RawCaller(gateway());
    const work = join(gateway().dataFolder, 'work');
    const large = Buffer.concat([DOCUMENT, Buffer.alloc(MEGABYTE, '\n')]);
    try {
      const connection = await raw.open();
      const begin = Buffer.concat([Buffer.from(`${TO}${part('name="file"; filename="a.pdf"', '')}`), large]);
      const end = Buffer.from(`\r\n${END}`);
      // The end that `part` appends comes after the file instead.
      const body = Buffer.concat([begin.subarray(0, begin.length - large.length - 2), large]);
      const length = String(body.length + end.length);
      await connection.send(headOf({ ...FORM, 'Content-Length': length }));
      await connection.send(body);
      await raw.expectWorkFiles(1);
      const [name = ''] = await readdir(work);
      await expect.poll(async () => (await stat(join(work, name))).size).toBeGreaterThan(MEGABYTE / 2);
      expect(await readable()).toEqual([]);
      const { ino } = await stat(join(work, name));
      await connection.send(end);
      const { id } = jsonOf(await connection.answer());
      expect((await bytesOf(`/fax/${id}/document`)).equals(large)).toBe(true);
      expect((await stat(join(gateway().dataFolder, 'files', 'fax', `${id}.pdf`))).ino).toBe(ino);
    } finally {
      raw.close();
    }
  });

  test('are previewed, and what the preview showed is what is stored', async () => {
    const form = new FormData();
    form.append('file', file());
    const answer = await gateway().request('POST', '/fax/preview', { form });
    const preview = (await answer.json()) as z.infer<typeof FaxPreview>;
    const page = await bytesOf(`/fax/preview/${preview.preview_id}/1.png`);
    expect(page.subarray(1, 4).toString()).toBe('PNG');
    expect(await readable()).toEqual([]);
    const sending = await gateway().sendForm({ to: '+12025550123', preview_id: preview.preview_id }, []);
    const fax = (await sending.json()) as Fax;
    expect(sha256(await bytesOf(`/fax/${fax.id}/document`))).toBe(sha256(DOCUMENT));
    await gateway().request('POST', `/fax/${fax.id}/cancel`, { json: { delivery_version: 1 } });
    const again = await gateway().request('POST', `/fax/${fax.id}/resend`, { json: {} });
    expect(again.status, await again.clone().text()).toBe(202);
    const { id } = (await again.json()) as Fax;
    expect(sha256(await bytesOf(`/fax/${id}/document`))).toBe(sha256(DOCUMENT));
    expect(await readable()).toEqual([]);
  });

  test('are received, opened and drawn', async () => {
    inbound.arrive();
    gateway().clock.advance(MINUTE);
    await inbound.work();
    const fax = await inbound.only();
    expect(fax).toMatchObject({ status: 'received', sha256: sha256(ONE_PAGE), size_bytes: ONE_PAGE.length });
    expect(await readable()).toEqual([]);
    expect((await bytesOf(`/inbound/${fax.id}/pdf`)).equals(ONE_PAGE)).toBe(true);
    for (const _time of ['drawn', 'kept'])
      expect((await bytesOf(`/inbound/${fax.id}/pages/1.png`)).subarray(1, 4).toString()).toBe('PNG');
    expect(await readable()).toEqual([]);
  });

  test('are not sent when they were altered on the disk', async () => {
    await gateway().set({ FAX_DISABLED: true });
    const fax = await send();
    const [name = ''] = await readdir(join(gateway().dataFolder, 'files', 'fax'));
    const path = join(gateway().dataFolder, 'files', 'fax', name);
    const bytes = await readFile(path);
    bytes[bytes.length - 1000] = (bytes[bytes.length - 1000] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await gateway().set({ FAX_DISABLED: false });
    await gateway().request('POST', `/fax/${fax.id}/release`, { json: { delivery_version: 1 } });
    await gateway().processAll();
    gateway().clock.advance(MINUTE);
    await gateway().processAll();
    expect(gateway().emulator.faxes.size).toBe(0);
    expect(await gateway().fax(fax.id)).toMatchObject({
      delivery_state: 'failed',
      error: 'The stored document is damaged.',
    });
  });
});

describe('encryption that is switched', () => {
  test('on encrypts what is there, and off leaves all of it readable', async () => {
    await gateway().set({ ENCRYPT_DOCUMENTS: false });
    const before = await send();
    expect(await readable()).toHaveLength(1);
    await gateway().set({ ENCRYPT_DOCUMENTS: true });
    await expect.poll(readable).toEqual([]);
    const during = await send();
    await gateway().set({ ENCRYPT_DOCUMENTS: false });
    const after = await send();
    expect(await readable()).toHaveLength(1);
    inbound = new InboundGateway(await gateway().restart());
    for (const { id } of [before, during, after])
      expect(sha256(await bytesOf(`/fax/${id}/document`))).toBe(sha256(DOCUMENT));
  });
});
