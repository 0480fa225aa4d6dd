import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { photoPdf } from '../fixtures/make-drawings.ts';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';

type Preview = z.infer<typeof FaxPreview>;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const pdfFile = (bytes: Uint8Array, name: string) =>
  new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });

async function requestPreview(
  files: File[],
  options: { query?: string; fields?: Record<string, string> } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(options.fields ?? {})) form.append(name, value);
  for (const file of files) form.append('file', file);
  return gateway.request('POST', `/fax/preview${options.query ?? ''}`, { form });
}

async function make(files: File[], options: Parameters<typeof requestPreview>[1] = {}): Promise<Preview> {
  const response = await requestPreview(files, options);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Preview;
}

const get = (id: string, key?: string) =>
  gateway.request('GET', `/fax/preview/${id}`, key === undefined ? {} : { key });
const stateOf = async (id: string) => (await (await get(id)).json()) as Preview;
const complete = (id: string) =>
  expect.poll(async () => (await stateOf(id)).complete, { timeout: 30_000 }).toBe(true);
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail;
const pageOf = async (id: string, page: number) => {
  const response = await gateway.request('GET', `/fax/preview/${id}/${page}.png`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

describe('a preview that is waited for', () => {
  test('is whole, and shows how many pages each file has', async () => {
    const files = [textFile('one\ftwo\n', 'letter.txt'), pdfFile(photoPdf(), 'photo.pdf')];
    const preview = await make(files);
    expect(preview).toMatchObject({
      pages: 3,
      drawn: 3,
      complete: true,
      problem: null,
      clean_greys: false,
      documents: [
        { file_name: 'letter.txt', pages: 2, file_pages: 2, media_type: 'text/plain' },
        { file_name: 'photo.pdf', pages: 1, file_pages: 1, media_type: 'application/pdf' },
      ],
    });
    expect(preview.page_facts.map(({ page, document }) => [page, document])).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ]);
    expect(preview.seconds).toBeGreaterThan(30);
  });

  test.each([
    [
      'a scan of several pages',
      [new File([new Uint8Array(whitePages(3))], 'scan.tif', { type: 'image/tiff' })],
    ],
    ['a PDF and another file', [pdfFile(photoPdf(), 'photo.pdf'), textFile('one\ftwo\n', 'letter.txt')]],
    ['a text and another file', [textFile('one\ftwo\n', 'letter.txt'), pdfFile(photoPdf(), 'photo.pdf')]],
  ])('draws %s from its beginning as from the whole', async (_what, files) => {
    const one = '+12025550131';
    const early = await make(files, { fields: { to: one } });
    // Drawn again for another number, the files are one PDF already.
    const first = await make(files, { fields: { to: '+12025550132' } });
    const path = `/fax/preview/${first.preview_id}/redraw`;
    const again = await gateway.request('POST', path, { json: { clean_greys: false, to: one } });
    const late = (await again.json()) as Preview;
    expect([late.complete, late.preview_id === early.preview_id]).toEqual([true, false]);
    expect(late.page_facts).toEqual(early.page_facts);
    for (const { page } of early.page_facts)
      expect((await pageOf(early.preview_id, page)).equals(await pageOf(late.preview_id, page))).toBe(true);
  });

  test('says of a grey page how long it takes either way', async () => {
    const as = await make([pdfFile(photoPdf(), 'photo.pdf')]);
    const clean = await make([pdfFile(photoPdf(), 'photo.pdf')], { fields: { clean_greys: 'true' } });
    const [grey] = as.page_facts;
    expect(grey).toMatchObject({ grey: true, seconds: grey?.seconds_with_greys });
    expect(Number(grey?.seconds_with_greys)).toBeGreaterThan(2 * Number(grey?.seconds_clean));
    expect(as.notes.map((note) => note.kind)).toEqual(['much_grey']);
    expect(clean.page_facts[0]).toMatchObject({ grey: true, seconds: grey?.seconds_clean });
    expect(clean.page_facts[0]?.seconds_with_greys).toBe(grey?.seconds_with_greys);
    const text = await make([textFile()]);
    expect(text.page_facts[0]).toMatchObject({ grey: false, seconds_clean: null, seconds_with_greys: null });
  });

  test.each([
    ['nothing that can be sent', new File(['MZ\0\0'], 'a.exe'), 415],
    ['text that is named a PDF', new File(['text'], 'a.pdf'), 415],
    ['text that is sent as a PDF', new File(['text'], 'a', { type: 'application/pdf' }), 415],
    ['a damaged PDF', new File(['%PDF-1.7 nothing'], 'a.pdf'), 400],
    ['an empty file', new File([''], 'a.txt'), 400],
  ])('is refused for %s', async (_what, file, status) => {
    for (const query of ['', '?wait=false'])
      expect((await requestPreview([file], { query })).status).toBe(status);
  });
});

describe('a preview that is not waited for', () => {
  test('answers once the pages are counted and draws them in order', async () => {
    const first = await make([pdfFile(textPdf(60), 'long.pdf')], { query: '?wait=false' });
    expect(first).toMatchObject({ pages: 60, seconds: null, cost: null, complete: false, problem: null });
    expect(first.drawn).toBeLessThan(60);
    expect(first.documents).toEqual([
      { file_name: 'long.pdf', pages: 60, file_pages: 60, media_type: 'application/pdf' },
    ]);
    const seen = [first.drawn];
    // Waits until it is drawn.
    const last = pageOf(first.preview_id, 60);
    await expect
      .poll(
        async () => {
          const state = await stateOf(first.preview_id);
          expect(state.page_facts.map(({ page }) => page)).toEqual(
            Array.from({ length: state.drawn }, (_, i) => i + 1),
          );
          expect(state.seconds === null).toBe(!state.complete);
          seen.push(state.drawn);
          return state.complete;
        },
        { timeout: 30_000, interval: 20 },
      )
      .toBe(true);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect((await last).subarray(1, 4).toString()).toBe('PNG');
  });

  test('reports what is wrong with a later page, and cannot be sent', async () => {
    const { preview_id, pages } = await make([pdfFile(textPdf(3, { brokenPage: 3 }), 'broken.pdf')], {
      query: '?wait=false',
    });
    expect(pages).toBe(3);
    await expect.poll(async () => (await stateOf(preview_id)).problem).toMatch(/^Page 3 .*\.$/u);
    expect(await stateOf(preview_id)).toMatchObject({ complete: false, seconds: null });
    const page = await gateway.request('GET', `/fax/preview/${preview_id}/3.png`);
    expect([page.status, await detailOf(page)]).toEqual([400, (await stateOf(preview_id)).problem]);
    const sent = await gateway.sendForm({ to: '+12025550123', preview_id }, []);
    expect(sent.status).toBe(400);
  });

  test('does not keep another one waiting for its last page', async () => {
    const long = await make([pdfFile(textPdf(400), 'long.pdf')], { query: '?wait=false' });
    const short = await make([textFile()]);
    expect(short.complete).toBe(true);
    expect((await stateOf(long.preview_id)).complete).toBe(false);
    expect((await gateway.request('DELETE', `/fax/preview/${long.preview_id}`)).status).toBe(200);
  });
});

describe('the life of a preview', () => {
  test('is ten minutes from the last look, and two hours in all', async () => {
    const { preview_id, expires_at } = await make([textFile()]);
    expect(Date.parse(expires_at) - gateway.clock.now()).toBe(10 * MINUTE);
    for (let minute = 0; minute < 117; minute += 9) {
      gateway.clock.advance(9 * MINUTE);
      expect((await get(preview_id)).status).toBe(200);
    }
    expect(Date.parse((await stateOf(preview_id)).expires_at) - gateway.clock.now()).toBe(3 * MINUTE);
    gateway.clock.advance(3 * MINUTE);
    expect((await get(preview_id)).status).toBe(404);
  });

  test('ends when its person says so, also in the middle', async () => {
    const { preview_id } = await make([pdfFile(textPdf(300), 'long.pdf')], { query: '?wait=false' });
    const waiting = gateway.request('GET', `/fax/preview/${preview_id}/300.png`);
    const ended = await gateway.request('DELETE', `/fax/preview/${preview_id}`);
    expect([ended.status, await ended.json()]).toEqual([200, { ok: true }]);
    expect((await waiting).status).toBe(404);
    expect((await get(preview_id)).status).toBe(404);
    expect((await gateway.request('DELETE', `/fax/preview/${preview_id}`)).status).toBe(404);
  });

  test('ends with the seventh of the same person', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push((await make([textFile()])).preview_id);
    const found = await Promise.all(ids.map(async (id) => (await get(id)).status));
    expect(found).toEqual([404, 200, 200, 200, 200, 200, 200]);
  });

  test('is not ended by others that are requested at once: those over the limit are refused, and nothing is left', async () => {
    const long = pdfFile(textPdf(20), 'long.pdf');
    const responses = await Promise.all(Array.from({ length: 30 }, () => requestPreview([long])));
    const answers = await Promise.all(
      responses.map(async (response) => ({
        status: response.status,
        retry: response.headers.get('Retry-After'),
        ...((await response.json()) as { preview_id?: string; complete?: boolean; detail?: string }),
      })),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made.length).toBeGreaterThanOrEqual(6);
    for (const answer of made) expect(answer.complete).toBe(true);
    for (const { detail, status, retry } of answers.filter((answer) => !made.includes(answer)))
      expect({ status, retry, detail }).toEqual({
        status: 429,
        retry: '5',
        detail: 'Too many previews are being made at once; wait until one of them is ready and try again.',
      });
    expect(gateway.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    const ended = made.map(
      async ({ preview_id }) => (await gateway.request('DELETE', `/fax/preview/${preview_id}`)).status,
    );
    expect((await Promise.all(ended)).filter((status) => status === 200)).toHaveLength(6);
    const others = (await make([textFile()])).preview_id;
    await expect.poll(() => readdir(join(gateway.dataFolder, 'work', 'previews'))).toHaveLength(2);
    await gateway.request('DELETE', `/fax/preview/${others}`);
    await expect.poll(() => readdir(join(gateway.dataFolder, 'work', 'previews'))).toEqual([]);
    expect((await readdir(join(gateway.dataFolder, 'work'))).filter((name) => name !== 'previews')).toEqual(
      [],
    );
  });

  test('that is ended while its last page is waited for is gone', async () => {
    const { preview_id } = await make([pdfFile(textPdf(300), 'long.pdf')], { query: '?wait=false' });
    const waiting = gateway.request('POST', `/fax/preview/${preview_id}/redraw`, {
      json: { clean_greys: false },
    });
    await gateway.request('GET', `/fax/preview/${preview_id}/1.png`);
    await gateway.request('DELETE', `/fax/preview/${preview_id}`);
    expect((await waiting).status).toBe(404);
  });

  test('shows nothing to anybody else', async () => {
    const { preview_id } = await make([textFile()]);
    const response = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:send'] } });
    const { token: key } = (await response.json()) as { token: string };
    const path = `/fax/preview/${preview_id}`;
    for (const [method, address, json] of [
      ['GET', path, undefined],
      ['GET', `${path}/1.png`, undefined],
      ['POST', `${path}/redraw`, { clean_greys: true }],
      ['DELETE', path, undefined],
    ] as const)
      expect([address, (await gateway.request(method, address, { key, json })).status]).toEqual([
        address,
        404,
      ]);
    const form = new FormData();
    form.append('to', '+12025550123');
    form.append('preview_id', preview_id);
    expect((await gateway.request('POST', '/fax', { key, form })).status).toBe(409);
    expect((await get(preview_id)).status).toBe(200);
  });
});

describe('the files of a preview', () => {
  test('are drawn again with and without greys, without another upload', async () => {
    const before = await make([pdfFile(photoPdf(), 'photo.pdf')]);
    const redraw = async (clean_greys: boolean) => {
      const path = `/fax/preview/${before.preview_id}/redraw`;
      return (await (await gateway.request('POST', path, { json: { clean_greys } })).json()) as Preview;
    };
    const clean = await redraw(true);
    expect(clean).toMatchObject({ complete: true, clean_greys: true, pages: 1 });
    expect(clean.preview_id).not.toBe(before.preview_id);
    expect(Number(clean.seconds)).toBeLessThan(Number(before.seconds));
    expect((await redraw(false)).preview_id).toBe(before.preview_id);
    expect((await redraw(true)).preview_id).toBe(clean.preview_id);
    expect(await pageOf(clean.preview_id, 1)).not.toEqual(await pageOf(before.preview_id, 1));
    await gateway.request('DELETE', `/fax/preview/${before.preview_id}`);
    await complete(clean.preview_id);
  });
});

describe('the header line of a preview', () => {
  const files = () => [textFile('one\ftwo\n')];
  const redraw = async (id: string, body: object) => {
    const response = await gateway.request('POST', `/fax/preview/${id}/redraw`, { json: body });
    expect(response.status).toBe(200);
    return (await response.json()) as Preview;
  };

  test('says how the provider prints it, for the number that the fax goes to', async () => {
    const preview = await make(files(), { fields: { to: '(202) 555-0123' } });
    expect(preview).toMatchObject({
      to: '+12025550123',
      header: {
        text: '[date and time]  Example Clinic +1 202 555 0100 -> +1 202 555 0123  [page]',
        has_recipient: true,
        backend: 'cloudone',
        own_form: ['time', 'page_number'],
      },
    });
    await gateway.set({
      FAX_BACKEND: 'cloudtwo',
      CLOUDTWO_PROJECT_ID: 'p',
      CLOUDTWO_API_KEY: 'k',
      CLOUDTWO_API_SECRET: 's',
    });
    const other = await make(files(), { fields: { to: '+12025550123' } });
    await gateway.set({ FAX_BACKEND: 'cloudone' });
    expect(other.header).toMatchObject({ has_recipient: true, backend: 'cloudtwo', own_form: [] });
    expect(other.header?.text).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d  Example Clinic \+1 202 555 0100 -> \+1 202 555 0123  1\/2$/u,
    );
  });

  test('is drawn again when the number is entered or changed, without another upload', async () => {
    const before = await make(files());
    expect(before).toMatchObject({ to: null, header: { has_recipient: false } });
    const known = await redraw(before.preview_id, { clean_greys: false, to: '+12025550123' });
    const other = await redraw(known.preview_id, { clean_greys: false, to: '+12025550124' });
    expect([known.header?.has_recipient, known.to, other.to]).toEqual([true, '+12025550123', '+12025550124']);
    expect(known.document_sha256).toBe(before.document_sha256);
    const pages = await Promise.all([before, known, other].map(({ preview_id }) => pageOf(preview_id, 2)));
    expect(new Set(pages.map((page) => page.toString('hex'))).size).toBe(3);
    // A request without a number keeps the number; an equal request returns the existing preview.
    const kept = await redraw(known.preview_id, { clean_greys: true });
    expect(kept.to).toBe('+12025550123');
    const again = await redraw(other.preview_id, { clean_greys: false, to: '+12025550123' });
    expect(again.preview_id).toBe(known.preview_id);
  });

  test('is for a number, or refused', async () => {
    const { preview_id } = await make(files());
    const json = { clean_greys: false, to: 'nobody' };
    const response = await gateway.request('POST', `/fax/preview/${preview_id}/redraw`, { json });
    expect([response.status, response.headers.get('X-Error-Code')]).toEqual([400, 'invalid_fax_number']);
  });
});
