import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { framedPdf } from '../fixtures/sheet-pdf.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';

const TO = '+12025550123';
const REDACTED = { page: 1, marks: [{ kind: 'redact', box: { x: 0.1, y: 0.1, width: 0.5, height: 0.1 } }] };
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const original = framedPdf({ width: 595, height: 842 });
const pdfFile = () => new File([Uint8Array.from(original)], 'scan.pdf', { type: 'application/pdf' });

async function send(
  edits: unknown,
  files = [pdfFile()],
  headers: Record<string, string> = {},
): Promise<Response> {
  const page_edits = typeof edits === 'string' ? edits : JSON.stringify(edits);
  return gateway.sendForm({ to: TO, page_edits }, files, headers);
}

const read = async (path: string) => Buffer.from(await (await gateway.request('GET', path)).arrayBuffer());

test('sends the changed pages and keeps the original beside them, byte for byte', async () => {
  const answer = await send([[REDACTED]]);
  expect(answer.status).toBe(202);
  const fax = (await answer.json()) as Fax;
  expect(fax.edits).toMatchObject({
    original: { sha256: sha256(original), pages: 1 },
    redacted: 1,
    moved: false,
  });
  expect(sha256(await read(`/fax/${fax.id}/original`))).toBe(sha256(original));
  const sent = await read(`/fax/${fax.id}/document`);
  expect(sha256(sent)).toBe(fax.document.sha256);
  expect(fax.document.sha256).not.toBe(sha256(original));
  await gateway.processAll();
  const { events } = (await (await gateway.request('GET', `/fax/${fax.id}/history`)).json()) as {
    events: { text: string }[];
  };
  expect(events[0]?.text).toContain('Pages were changed before sending: 1 place blacked out.');
  const report = await read(`/fax/${fax.id}/report`);
  expect(report.subarray(0, 5).toString()).toBe('%PDF-');
});

test('a fax that is sent again has the changed pages and the same original', async () => {
  const first = (await (await send([[REDACTED]])).json()) as Fax;
  const json = { delivery_version: first.delivery_version };
  await gateway.request('POST', `/fax/${first.id}/cancel`, { json });
  const again = (await (
    await gateway.request('POST', `/fax/${first.id}/resend`, { json: {} })
  ).json()) as Fax;
  expect(again.document.sha256).toBe(first.document.sha256);
  expect(again.edits).toEqual(first.edits);
  expect(sha256(await read(`/fax/${again.id}/original`))).toBe(sha256(original));
});

test('a fax without changes has no other original', async () => {
  const fax = (await (await gateway.sendForm({ to: TO }, [textFile()])).json()) as Fax;
  expect(fax.edits).toBeNull();
  const answer = await gateway.request('GET', `/fax/${fax.id}/original`);
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'original_unchanged']);
  const unchanged = (await (await send([null])).json()) as Fax;
  expect([unchanged.edits, unchanged.document.sha256]).toEqual([null, sha256(original)]);
});

test('rule (outbound): a repeated request with other changes to the pages is another request', async () => {
  const headers = { 'Idempotency-Key': 'edited' };
  const first = (await (await send([[REDACTED]], undefined, headers)).json()) as Fax;
  const repeated = (await (await send([[REDACTED]], undefined, headers)).json()) as Fax;
  expect(repeated.id).toBe(first.id);
  expect((await send([[{ page: 1, turn: 90 }]], undefined, headers)).status).toBe(409);
  expect((await send([null], undefined, headers)).status).toBe(409);
});

test('refuses changes that are none', async () => {
  for (const edits of [
    'not json',
    [[REDACTED, REDACTED]],
    [[]],
    [[{ page: 0 }]],
    [[{ page: 1, turn: 45 }]],
    [[{ page: 1, crop: { x: 0.5, y: 0, width: 0.9, height: 1 } }]],
    [[{ page: 1, marks: [{ kind: 'text', x: 0, y: 0, size: 900, text: 'x' }] }]],
    [[{ page: 1, marks: [{ kind: 'text', x: 0, y: 0, size: 12, text: 'x\u0007' }] }]],
    [[{ page: 1, marks: Array.from({ length: 101 }, () => REDACTED.marks[0]) }]],
    [[{ page: 1, unknown: true }]],
  ])
    expect((await send(edits)).status, JSON.stringify(edits).slice(0, 80)).toBe(400);
  const codeOf = (answer: Response) => answer.headers.get('x-error-code');
  expect(codeOf(await send([null, null]))).toBe('wrong_page_edits');
  expect(codeOf(await send([[{ page: 2 }]]))).toBe('document_invalid');
});

test('a preview shows the changed pages, and its fax sends and keeps what it showed', async () => {
  const form = new FormData();
  form.set('file', pdfFile());
  const preview = await gateway.request('POST', '/fax/preview', { form });
  const { preview_id } = (await preview.json()) as { preview_id: string };
  const redraw = async (page_edits: unknown) =>
    (await (
      await gateway.request('POST', `/fax/preview/${preview_id}/redraw`, {
        json: { clean_greys: false, page_edits },
      })
    ).json()) as { preview_id: string; document_sha256: string; pages: number; page_edits: unknown };
  const edited = await redraw([[REDACTED]]);
  expect(edited.preview_id).not.toBe(preview_id);
  expect((await redraw([[REDACTED]])).preview_id).toBe(edited.preview_id);
  expect((await redraw([[{ page: 1, turn: 90 }]])).preview_id).not.toBe(edited.preview_id);
  expect((await redraw(null)).preview_id).toBe(preview_id);
  const picture = (id: string) => read(`/fax/preview/${id}/1.png`);
  expect(sha256(await picture(edited.preview_id))).not.toBe(sha256(await picture(preview_id)));
  const fax = (await (await gateway.sendForm({ to: TO, preview_id: edited.preview_id }, [])).json()) as Fax;
  expect(fax.document.sha256).toBe(edited.document_sha256);
  expect(fax.edits).toMatchObject({ original: { sha256: sha256(original) }, redacted: 1 });
  expect(sha256(await read(`/fax/${fax.id}/original`))).toBe(sha256(original));
});

test('draws the pages of a preview without changes, in their own size', async () => {
  const form = new FormData();
  form.set('page_edits', JSON.stringify([[REDACTED]]));
  form.append('file', pdfFile());
  const preview = await gateway.request('POST', '/fax/preview', { form });
  const { preview_id, documents } = (await preview.json()) as {
    preview_id: string;
    documents: { pages: number; file_pages: number }[];
  };
  expect(documents).toMatchObject([{ pages: 1, file_pages: 1 }]);
  const path = (page: number, query = '') => `/fax/preview/${preview_id}/unchanged/${page}.png${query}`;
  const { width, height, format } = await sharp(await read(path(1))).metadata();
  expect([width, height, format]).toEqual([1200, Math.round((1200 * 842) / 595), 'png']);
  expect((await sharp(await read(path(1, '?width=100'))).metadata()).width).toBe(100);
  const refused = async (address: string) => (await gateway.request('GET', address)).status;
  expect(await refused(path(2))).toBe(404);
  expect(await refused(path(1, '?width=5000'))).toBe(400);
});

test('rule (crossings): the original of changed pages is removed with the document', async () => {
  const first = (await (await send([[REDACTED]])).json()) as Fax;
  await gateway.request('POST', `/fax/${first.id}/cancel`, {
    json: { delivery_version: first.delivery_version },
  });
  const kept = () =>
    readdirSync(join(gateway.dataFolder, 'files', 'fax')).filter((name) => name.startsWith(first.id));
  expect(kept()).toHaveLength(2);
  await gateway.set({ ARTIFACT_TTL_DAYS: 1 });
  gateway.clock.advance(3 * 86_400_000);
  await gateway.processAll();
  expect(kept()).toEqual([]);
  expect((await gateway.request('GET', `/fax/${first.id}/original`)).status).toBe(404);
});
