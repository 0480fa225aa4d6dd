import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { type ArchivedFax, openArchive } from '../../server/features/archives/offline.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { DAY, HOUR } from '../setup/manual-clock.ts';
import { type ArchiveFile, zipOf } from '../setup/office-files.ts';
import { InboundGateway, ONE_PAGE } from './inbound-setup.ts';

const TO = '+12025550123';

let office: InboundGateway;
let year: number;
let done: string;
let sent: string;
let open: string;
let path: string;
beforeAll(async () => {
  office = await InboundGateway.start();
  year = new Date(office.gateway.clock.now()).getUTCFullYear();
  await office.notify(office.arrive({ from: TO }));
  const [fax] = await office.list('?limit=1');
  done = fax?.id ?? '';
  const item = await json<{ version: number }>('GET', `/work/${fax?.work_item_id}`);
  await json('POST', `/work/${fax?.work_item_id}/done`, { version: item.version, note: 'Filed' });
  await office.notify(office.arrive());
  open = (await office.list('?limit=1'))[0]?.id ?? '';
  const out = await office.gateway.send({ to: TO });
  await office.gateway.processAll();
  office.gateway.emulator.complete(String((await office.gateway.fax(out.id)).provider_sid));
  office.gateway.clock.advance(HOUR);
  await office.gateway.processAll();
  sent = out.id;
  office.gateway.clock.advance(400 * DAY);
  path = join(office.gateway.dataFolder, 'archive.zip');
});
afterAll(() => office.close());

async function json<T>(method: string, address: string, body?: object): Promise<T> {
  const answer = await office.gateway.request(method, address, body === undefined ? {} : { json: body });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

async function save(): Promise<Buffer> {
  const answer = await office.gateway.request('GET', `/archives/${year}`);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/zip']);
  const bytes = Buffer.from(await answer.arrayBuffer());
  await writeFile(path, bytes);
  return bytes;
}

async function faxesIn(file: string): Promise<ArchivedFax[]> {
  const archive = await openArchive(file);
  const faxes = [];
  for await (const fax of archive.faxes()) faxes.push(fax);
  await archive.close();
  return faxes;
}

test('rule (archives): the archive of a year has its finished faxes with documents, histories and work items, and verifies', async () => {
  await save();
  const archive = await openArchive(path);
  const { keys } = await json<{ keys: { fingerprint: string }[] }>('GET', '/signing/keys');
  expect(archive.fingerprint).toBe(keys[0]?.fingerprint);
  expect(archive.manifest).toMatchObject({ year, month: null, sent: 1, received: 1, left_out: 1 });
  expect(await archive.verify()).toBe(2);
  const [first, second, third] = await faxesIn(path);
  expect(third).toBeUndefined();
  expect(first).toMatchObject({ id: sent, direction: 'sent', number: TO });
  expect(first?.fax).toMatchObject({ delivery_state: 'success', attempt: { phase: expect.any(String) } });
  expect(first?.history.map(({ kind }) => kind)).toContain('success');
  expect(second).toMatchObject({ id: done, direction: 'received', work: { item: { state: 'done' } } });
  expect(second?.work?.history.map(({ kind }) => kind)).toContain('done');
  if (!second) throw new Error('no received fax');
  expect(sha256Hex(await archive.document(second))).toBe(sha256Hex(ONE_PAGE));
  await archive.close();
  expect((await faxesIn(path)).some(({ id }) => id === open)).toBe(false);
});

test('rule (archives): an archive that was altered, cut off or signed by another installation is refused', async () => {
  const bytes = await save();
  const altered = Buffer.from(bytes);
  const at = altered.indexOf('Filed');
  altered.write('Filmd', at);
  await writeFile(path, altered);
  const opened = await openArchive(path);
  await expect(opened.verify()).rejects.toThrow(/received-00001\.jsonl/u);
  await opened.close();
  await expect(faxesIn(path)).rejects.toThrow(/received-00001\.jsonl/u);
  await writeFile(path, bytes.subarray(0, bytes.length - 100));
  await expect(openArchive(path)).rejects.toThrow(/archive/u);
  await writeFile(path, bytes);
  await expect(openArchive(path, 'ab'.repeat(32))).rejects.toThrow(/signed with another key/u);
  await writeFile(path, 'no archive');
  await expect(openArchive(path)).rejects.toThrow('This is not an archive of Faxdesk');
});

test('an archive that was unpacked and packed again verifies, unless a file was added, taken out, doubled or renamed', async () => {
  await save();
  const unpacked = await unpackedFiles(path);
  const verified = async (files: readonly ArchiveFile[]) => {
    await writeFile(path, zipOf(files));
    const archive = await openArchive(path);
    const documents = await archive.verify();
    await archive.close();
    return documents;
  };
  expect(await verified(unpacked)).toBe(2);
  expect(await verified(unpacked.toReversed())).toBe(2);
  const name = `received-${done}.pdf`;
  const at = unpacked.findIndex((file) => file.name === name);
  const document = unpacked[at] as ArchiveFile;
  await expect(verified([...unpacked, { ...document, name: `received-${open}.pdf` }])).rejects.toThrow(
    `received-${open}.pdf does not belong in the archive`,
  );
  await expect(verified([...unpacked, document])).rejects.toThrow(`${name} is in the archive more than once`);
  await expect(verified(unpacked.toSpliced(at, 1))).rejects.toThrow(`${name} was removed`);
  await expect(
    verified(unpacked.toSpliced(at, 1, { ...document, name: `received-${open}.pdf` })),
  ).rejects.toThrow(`${name} was removed`);
  await expect(verified(unpacked.toSpliced(at, 1, { name, content: ONE_PAGE.subarray(1) }))).rejects.toThrow(
    `${name} was altered`,
  );
});

async function unpackedFiles(file: string): Promise<ArchiveFile[]> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false });
  const files: ArchiveFile[] = [];
  for await (const entry of zip.eachEntry())
    files.push({ name: entry.fileName, content: await buffer(await zip.openReadStreamPromise(entry)) });
  zip.close();
  return files;
}

test('an archive is made of a time that is over, for a person who may open every document', async () => {
  const now = new Date(office.gateway.clock.now()).getUTCFullYear();
  const early = await office.gateway.request('GET', `/archives/${now}`);
  expect([early.status, early.headers.get('x-error-code')]).toEqual([409, 'archive_not_over']);
  await early.text();
  const people = new MailboxPeople(office.gateway, null);
  const exporter = await people.addPerson({ installation: ['work:export', 'fax:read', 'inbound:list'] });
  const refused = await office.gateway.request('GET', `/archives/${year}`, { key: exporter.key });
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'setting_opens_more']);
  await refused.text();
  const head = await office.gateway.request('HEAD', `/archives/${year}`);
  expect(head.status).toBe(200);
  await save();
  const { items } = await json<{ items: { operation: string; target: object }[] }>('GET', '/access/audit');
  expect(items.find(({ operation }) => operation === 'archive.export')).toMatchObject({
    target: { kind: 'archive', id: String(year) },
  });
});

test('a month of a year is an archive as well', async () => {
  const answer = await office.gateway.request('GET', `/archives/${year}?month=1`);
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  const archive = await openArchive(path);
  expect(archive.manifest).toMatchObject({ month: 1, sent: 0, received: 0 });
  expect(await archive.verify()).toBe(0);
  await archive.close();
  expect((await readFile(path)).length).toBeGreaterThan(0);
});

test('counts a document that is gone, and one that is not what was recorded', async () => {
  const stored = (await office.stored()).find((each) => each.includes(done)) ?? '';
  const file = join(office.gateway.dataFolder, 'files', 'inbound', stored);
  const original = await readFile(file);
  await writeFile(file, ONE_PAGE.subarray(0, ONE_PAGE.length - 1));
  await save();
  const altered = await openArchive(path);
  expect(altered.manifest).toMatchObject({ received: 1, without_document: 0, altered_documents: 1 });
  await altered.close();
  await rm(file);
  await save();
  const gone = await openArchive(path);
  expect(gone.manifest).toMatchObject({ received: 1, without_document: 1, altered_documents: 0 });
  await gone.close();
  await writeFile(file, original);
});
