import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openDatabase } from '../../server/db/database.ts';
import { fillInbound } from './fill-inbound.ts';
import { fillStore } from './fill-store.ts';
import { kill, serve } from './served.ts';

/** An office sends two faxes for each that it receives. */
const SENT_OF = 3;
/** Bytes of a document, at least and at most. */
const SENT_BYTES = [8_000, 32_000] as const;
const RECEIVED_BYTES = [10_000, 50_000] as const;

interface Document {
  readonly id: string;
  readonly name: string;
}

/** SHA-256 of each document by its name, and bytes of all. */
export interface Documents {
  readonly digests: ReadonlyMap<string, string>;
  readonly bytes: number;
}

/** Makes an installation with so many ended faxes in a data folder, each with a document of its own. `settings` are those of its first start. */
export async function makeInstallation(
  dataFolder: string,
  faxes: number,
  settings: Record<string, string>,
): Promise<void> {
  await kill(await serve(dataFolder, settings));
  const where = { postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  const received = Math.floor(faxes / SENT_OF);
  await fillStore(where, faxes - received);
  await fillInbound(where, received);
  const db = openDatabase(where);
  try {
    const sent = await db.read.selectFrom('fax_job').select(['id', 'artifact as name']).execute();
    const inbound = await db.read.selectFrom('inbound_fax').select(['id', 'document as name']).execute();
    const files = join(dataFolder, 'files');
    const sentFacts = await writeAll(files, sent as Document[], SENT_BYTES);
    const inboundFacts = await writeAll(files, inbound as Document[], RECEIVED_BYTES);
    await db.transaction(async (tx) => {
      for (const { id, sha256, size } of sentFacts)
        await tx
          .updateTable('fax_job')
          .set({ document_sha256: sha256, document_size: size })
          .where('id', '=', id)
          .execute();
      for (const { id, sha256, size } of inboundFacts)
        await tx.updateTable('inbound_fax').set({ sha256, size_bytes: size }).where('id', '=', id).execute();
    });
  } finally {
    await db.close();
  }
}

async function writeAll(
  files: string,
  documents: readonly Document[],
  [least, most]: readonly [number, number],
): Promise<{ id: string; sha256: string; size: number }[]> {
  const facts: { id: string; sha256: string; size: number }[] = [];
  for (const [n, { id, name }] of documents.entries()) {
    // Sizes of all kinds, the same in each run.
    const pdf = pdfOf(least + ((n * 7_919) % (most - least)));
    if (n === 0) await mkdir(join(files, name, '..'), { recursive: true, mode: 0o700 });
    await writeFile(join(files, name), pdf, { mode: 0o600 });
    facts.push({ id, sha256: createHash('sha256').update(pdf).digest('hex'), size: pdf.length });
  }
  return facts;
}

/** An empty page and a part that nothing compresses. */
function pdfOf(bytes: number): Buffer {
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>'),
    Buffer.concat([
      Buffer.from(`<</Length ${bytes}>>stream\n`),
      randomBytes(bytes),
      Buffer.from('\nendstream'),
    ]),
  ];
  const parts = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [at, object] of objects.entries()) {
    places.push(length);
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Returns the names of the documents in the folder of an installation. */
export async function namesIn(dataFolder: string): Promise<string[]> {
  const files = join(dataFolder, 'files');
  const names: string[] = [];
  for (const folder of ['fax', 'inbound'])
    for (const name of await readdir(join(files, folder)).catch(() => [])) names.push(`${folder}/${name}`);
  return names;
}

/** Reads every document in the folder of an installation. */
export async function documentsIn(dataFolder: string): Promise<Documents> {
  const digests = new Map<string, string>();
  let bytes = 0;
  for (const name of await namesIn(dataFolder)) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(dataFolder, 'files', name)), async (pieces) => {
      for await (const piece of pieces as AsyncIterable<Buffer>) {
        hash.update(piece);
        bytes += piece.length;
      }
    });
    digests.set(name, hash.digest('hex'));
  }
  return { digests, bytes };
}
