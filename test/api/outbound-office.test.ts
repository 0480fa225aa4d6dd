import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { eventually } from '../setup/eventually.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { docx, odt } from '../setup/office-files.ts';

type Preview = z.infer<typeof FaxPreview>;

const TO = '+12025550123';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

let gateway: TestGateway;
let folder: string;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-office-'));
  program = join(folder, 'soffice');
  await writeFile(join(folder, 'three.pdf'), textPdf(3));
  // In the place of LibreOffice: waits while a file `wait` is there, and notes each call.
  const script = `#!/bin/sh
for word; do before=$out; out=$last; last=$word; done
echo called >> ${folder}/calls
while [ -e ${folder}/wait ]; do sleep 0.05; done
cp ${folder}/three.pdf "$out/$(basename "$last").pdf"
`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  gateway = await startTestGateway({
    boot: { libreOffice: program },
    settings: { ENCRYPT_DOCUMENTS: 'true' },
  });
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

const letter = (text: string, name = 'letter.docx') =>
  new File([new Uint8Array(docx([text]))], name, { type: DOCX });
const calls = async () =>
  (await readFile(join(folder, 'calls'), 'utf8').catch(() => '')).split('\n').length - 1;
const work = async (of = gateway) =>
  (await readdir(join(of.dataFolder, 'work'))).filter((name) => name.startsWith('office-'));

async function preview(...files: File[]): Promise<Preview> {
  const form = new FormData();
  for (const file of files) form.append('file', file);
  const response = await gateway.request('POST', '/fax/preview', { form });
  expect(response.status).toBe(200);
  return (await response.json()) as Preview;
}

test('a Word document is previewed as its pages, and the fax sends the pages that were seen', async () => {
  const before = await calls();
  const { preview_id: id, documents, pages } = await preview(letter('Previewed'));
  expect(documents).toMatchObject([{ file_name: 'letter.docx', pages: 3, media_type: DOCX }]);
  expect(pages).toBe(3);
  const picture = await gateway.request('GET', `/fax/preview/${id}/3.png`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  const response = await gateway.sendForm({ to: TO, preview_id: id }, []);
  expect(response.status).toBe(202);
  const fax = (await response.json()) as Fax;
  expect(fax.document).toMatchObject({ file_name: 'letter.docx', media_type: DOCX, pages: 3 });
  const stored = await gateway.request('GET', `/fax/${fax.id}/document`);
  expect(
    Buffer.from(await stored.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect(await calls()).toBe(before + 1);
});

test('a document is sent without a preview, among others and behind a cover page, and converted once', async () => {
  const before = await calls();
  const files = [letter('Direct'), new File(['Text'], 'note.txt', { type: 'text/plain' })];
  const response = await gateway.sendForm({ to: TO, cover: 'plain' }, files);
  const fax = (await response.json()) as Fax;
  expect([response.status, fax.document?.pages]).toEqual([202, 5]);
  expect(await calls()).toBe(before + 1);
  // The kept PDF of the conversion is sealed, as the document is.
  for (const name of await work())
    expect((await readFile(join(gateway.dataFolder, 'work', name))).includes('%PDF-')).toBe(false);
});

test('a repeated request is the same fax and converts nothing', async () => {
  const headers = { 'Idempotency-Key': 'office-1' };
  const first = (await (await gateway.sendForm({ to: TO }, [letter('Again')], headers)).json()) as Fax;
  const before = await calls();
  const second = (await (await gateway.sendForm({ to: TO }, [letter('Again')], headers)).json()) as Fax;
  expect([second.id, await calls()]).toEqual([first.id, before]);
});

test('the status names the program that was found', async () => {
  const status = (await (await gateway.request('GET', '/console/status')).json()) as { libreoffice: string };
  expect(status.libreoffice).toBe(program);
});

test('without LibreOffice the answer says what to do, and nothing is recorded', async () => {
  const without = await startTestGateway();
  const odtFile = new File([new Uint8Array(odt(['A']))], 'a.odt');
  const response = await without.sendForm({ to: TO }, [odtFile]);
  expect([response.status, await response.json()]).toMatchObject([
    415,
    {
      detail:
        'Faxdesk needs LibreOffice to open an OpenDocument text (ODT) and did not find it. Save the document as PDF and add that, or install LibreOffice on the computer that Faxdesk runs on.',
    },
  ]);
  const list = (await (await without.request('GET', '/fax')).json()) as { items: unknown[] };
  expect([list.items, await work(without)]).toEqual([[], []]);
  await without.close();
});

test('a gateway that stops while a document is converted leaves nothing behind, and the document can be sent again', async () => {
  await writeFile(join(folder, 'wait'), '');
  const before = await calls();
  const sending = gateway.sendForm({ to: TO }, [letter('Stopped')], { 'Idempotency-Key': 'office-2' });
  sending.catch(() => undefined);
  await eventually(async () => expect(await calls()).toBe(before + 1));
  const leftover = join(gateway.dataFolder, 'work', 'office-left');
  gateway = await gateway.restart();
  await rm(join(folder, 'wait'));
  expect(await work()).toEqual([]);
  const response = await gateway.sendForm({ to: TO }, [letter('Stopped')], { 'Idempotency-Key': 'office-2' });
  expect(response.status).toBe(202);
  // Of a gateway that was killed.
  await writeFile(leftover, 'left');
  gateway = await gateway.restart();
  expect(await work()).toEqual([]);
});
