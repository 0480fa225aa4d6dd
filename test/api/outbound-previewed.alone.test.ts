import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import type { DocumentClient } from '../../server/documents/client/document-client.ts';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { photoPdf } from '../fixtures/make-drawings.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';

type Preview = z.infer<typeof FaxPreview>;

const TO = '+12025550123';
const GONE = 'The preview with these files has expired. Attach the files again. Nothing was sent.';
const ANOTHER = 'That Idempotency-Key was used for a different request.';

/** Document clients of the gateways, in the order of their start. */
const clients = vi.hoisted((): DocumentClient[] => []);
vi.mock(import('../../server/documents/client/document-client.ts'), async (original) => {
  const { createDocumentClient, ...rest } = await original();
  return {
    ...rest,
    createDocumentClient(options) {
      const client = createDocumentClient(options);
      clients.push(client);
      return client;
    },
  };
});
/** Spies on the document jobs of the newest gateway from now on. */
const watchJobs = () => vi.spyOn(clients.at(-1) as DocumentClient, 'run');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
afterEach(() => vi.restoreAllMocks());

const pdfFile = (bytes: Uint8Array, name: string) =>
  new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });
const photo = () => pdfFile(photoPdf(), 'photo.pdf');
/** More than what is kept in memory. */
const large = () => pdfFile(Buffer.concat([textPdf(2), Buffer.alloc(1_200_000, '\n')]), 'large.pdf');
const refusal = async (response: Response) => [
  response.status,
  ((await response.json()) as { detail: string }).detail,
];

async function preview(
  files: File[],
  { fields = {}, query = '', key }: { fields?: Record<string, string>; query?: string; key?: string } = {},
): Promise<Preview> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const file of files) form.append('file', file);
  const options = { form, ...(key === undefined ? {} : { key }) };
  const response = await gateway.request('POST', `/fax/preview${query}`, options);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Preview;
}

async function accepted(answer: Promise<Response>): Promise<Fax> {
  const response = await answer;
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Fax;
}

const send = (fields: Record<string, string>, key?: string) =>
  gateway.sendForm({ to: TO, ...fields }, [], key === undefined ? {} : { 'Idempotency-Key': key });

async function storedDigest(id: string): Promise<string> {
  const response = await gateway.request('GET', `/fax/${id}/document`);
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex');
}

const storedFiles = async () => (await readdir(join(gateway.dataFolder, 'files', 'fax'))).sort();
/** Removes the documents of faxes that have ended. */
async function cleanUp(): Promise<void> {
  await gateway.set({ ARTIFACT_TTL_DAYS: 30 });
  gateway.clock.advance(40 * DAY);
  await gateway.processAll();
  await gateway.set({ ARTIFACT_TTL_DAYS: null });
}

const expire = () => gateway.clock.advance(10 * MINUTE);

describe('a fax of a preview', () => {
  test.each<[string, () => File[], Record<string, string>, string, number]>([
    ['a small text', () => [textFile('one\ftwo\n')], {}, 'text/plain', 2],
    ['a large PDF', () => [large()], {}, 'application/pdf', 2],
    ['files of several kinds', () => [textFile(), photo()], {}, 'application/pdf', 2],
    ['cleaned greys', () => [photo()], { clean_greys: 'true' }, 'application/pdf', 1],
    [
      'cleaned greys of several files',
      () => [textFile(), photo()],
      { clean_greys: 'true' },
      'application/pdf',
      2,
    ],
  ])(
    'rule (outbound): a document is prepared once: a fax stores the PDF of its preview byte for byte [%s]',
    async (_of, files, fields, type, pages) => {
      const { preview_id, document_sha256 } = await preview(files(), { fields });
      const jobs = watchJobs();
      const fax = await accepted(send({ preview_id, ...fields }));
      expect(jobs).not.toHaveBeenCalled();
      expect(fax).toMatchObject({
        clean_greys: 'clean_greys' in fields,
        document: { media_type: type, pages },
      });
      expect(fax.document.sha256).toBe(document_sha256);
      expect(await storedDigest(fax.id)).toBe(document_sha256);
      const uploaded = await accepted(gateway.sendForm({ to: TO, ...fields }, files()));
      expect(jobs).toHaveBeenCalledTimes(1);
      const { file_name, media_type } = uploaded.document;
      expect(fax.document).toMatchObject({ file_name, media_type, pages: uploaded.document.pages });
    },
  );

  test('with the other choice about greys prepares that one, once', async () => {
    const { preview_id, document_sha256 } = await preview([photo()]);
    const jobs = watchJobs();
    const fields = { preview_id, clean_greys: 'true' };
    const [one, other] = await Promise.all([accepted(send(fields)), accepted(send(fields))]);
    expect(jobs).toHaveBeenCalledTimes(1);
    expect(one.document).toEqual(other.document);
    expect(one.document.sha256).not.toBe(document_sha256);
    const shown = await preview([photo()], { fields: { clean_greys: 'true' } });
    expect(await storedDigest(one.id)).toBe(shown.document_sha256);
  });

  test('waits for the PDF that is still being made', async () => {
    const jobs = watchJobs();
    const { preview_id } = await preview([pdfFile(textPdf(300), 'long.pdf')], { query: '?wait=false' });
    const fax = await accepted(send({ preview_id }));
    expect(fax.document.pages).toBe(300);
    expect(jobs.mock.calls.filter(([name]) => name === 'prepare')).toHaveLength(1);
    await gateway.request('DELETE', `/fax/preview/${preview_id}`);
    expect(await storedDigest(fax.id)).toBe(fax.document.sha256);
  });

  test('keeps its document when the preview and the other faxes of it are gone', async () => {
    const { preview_id } = await preview([textFile()]);
    const [kept, removed] = [await accepted(send({ preview_id })), await accepted(send({ preview_id }))];
    await gateway.request('DELETE', `/fax/preview/${preview_id}`);
    const { id, delivery_version } = removed;
    await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
    await cleanUp();
    expect((await gateway.request('GET', `/fax/${id}/document`)).status).toBe(404);
    expect(await storedDigest(kept.id)).toBe(kept.document.sha256);
  });

  test('is refused when it is larger than what is allowed by now, and leaves nothing behind', async () => {
    const { preview_id } = await preview([large()]);
    const before = await storedFiles();
    await gateway.set({ MAX_FILE_SIZE_MB: 1 });
    expect(await refusal(await send({ preview_id }))).toEqual([413, 'The document is larger than 1 MB.']);
    await gateway.set({ MAX_FILE_SIZE_MB: null });
    expect(await storedFiles()).toEqual(before);
    await accepted(send({ preview_id }));
  });
});

describe('a request that is repeated', () => {
  test('is answered although its preview is gone, for the same number and settings only', async () => {
    const { preview_id } = await preview([textFile()]);
    const { id } = await accepted(send({ preview_id }, 'gone'));
    expire();
    expect((await accepted(send({ preview_id }, 'gone'))).id).toBe(id);
    expect((await accepted(send({ preview_id, to: '(202) 555-0123' }, 'gone'))).id).toBe(id);
    const others: Record<string, string>[] = [{ to: '+12025550124' }, { clean_greys: 'true' }];
    for (const other of others)
      expect(await refusal(await send({ preview_id, ...other }, 'gone'))).toEqual([409, ANOTHER]);
    const never = await preview([textFile()]);
    expire();
    expect(await refusal(await send({ preview_id: never.preview_id }, 'gone'))).toEqual([409, GONE]);
    expect(await refusal(await send({ preview_id: never.preview_id }, 'never'))).toEqual([409, GONE]);
  });

  test('is the same with the files themselves, and another with other files', async () => {
    const { preview_id } = await preview([textFile()]);
    const { id } = await accepted(send({ preview_id }, 'either'));
    expire();
    const upload = (text?: string) =>
      gateway.sendForm({ to: TO }, [textFile(text)], { 'Idempotency-Key': 'either' });
    expect((await accepted(upload())).id).toBe(id);
    expect(await refusal(await upload('another letter'))).toEqual([409, ANOTHER]);
    const other = await preview([textFile('another letter')]);
    expect(await refusal(await send({ preview_id: other.preview_id }, 'either'))).toEqual([409, ANOTHER]);
  });

  test('is answered also where the mailbox would have to be named by now', async () => {
    const people = new MailboxPeople(gateway);
    const faxes = ['fax:send', 'fax:read'];
    await people.addMailbox('front', 'Front');
    await people.addMailbox('back', 'Back');
    const { key, id } = await people.addPerson({ 'mailbox:front': faxes });
    const post = (headers: Record<string, string>) => {
      const form = new FormData();
      form.append('to', TO);
      form.append('file', textFile());
      return gateway.request('POST', '/fax', { form, key, headers });
    };
    const fax = await accepted(post({ 'Idempotency-Key': 'one-mailbox' }));
    await people.grant(id, { 'mailbox:front': faxes, 'mailbox:back': faxes });
    expect((await post({})).status).toBe(400);
    expect((await accepted(post({ 'Idempotency-Key': 'one-mailbox' }))).id).toBe(fax.id);
  });

  test('to send a fax again is answered although its document is no longer kept', async () => {
    const { id, delivery_version } = await gateway.send();
    await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
    const again = (key: string) =>
      gateway.request('POST', `/fax/${id}/resend`, { headers: { 'Idempotency-Key': key } });
    const jobs = watchJobs();
    const resent = await accepted(again('again'));
    expect(jobs).not.toHaveBeenCalled();
    expect(await storedDigest(resent.id)).toBe(resent.document.sha256);
    await cleanUp();
    expect((await accepted(again('again'))).id).toBe(resent.id);
    expect((await again('once-more')).status).toBe(404);
  });
});
