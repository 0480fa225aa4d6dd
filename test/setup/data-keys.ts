import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { SEALED_COLUMNS } from '../../server/db/sealed-columns.ts';
import { tablesInOrder } from '../../server/db/table-order.ts';
import { pagesOf } from '../../server/db/table-pages.ts';
import { isSealed } from '../../server/platform/file-cipher.ts';
import { createSeal, isSealedText } from '../../server/platform/seal.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import type { TestGateway } from './gateway.ts';
import { MINUTE } from './manual-clock.ts';

/** State of the data key, as a gateway returns it. */
interface KeyState {
  readonly source: string;
  readonly fingerprint: string;
  readonly made_at: string;
  readonly replacement: {
    readonly pass: number;
    readonly resealed: number;
    readonly unreadable: number;
    readonly problem: string | null;
  } | null;
}

/** Returns the data keys in the key file of a data folder, one after another. */
export async function keysIn(dataFolder: string): Promise<Buffer> {
  return Buffer.from((await readFile(join(dataFolder, 'data.key'), 'utf8')).trim(), 'base64');
}

export async function keyState(gateway: TestGateway): Promise<KeyState> {
  return (await (await gateway.request('GET', '/console/data-key')).json()) as KeyState;
}

/** Requests a replacement of the data key. */
export async function replaceKey(
  gateway: TestGateway,
  json: Record<string, unknown> = {},
): Promise<{ status: number; body: KeyState & { detail?: string } }> {
  const answer = await gateway.request('POST', '/console/data-key/replace', { json });
  return { status: answer.status, body: (await answer.json()) as KeyState & { detail?: string } };
}

/** Runs the passes of a replacement, each when it is due. */
export async function finishReplacement(gateway: TestGateway): Promise<void> {
  for (let pass = 0; pass < 4; pass += 1) {
    await gateway.processAll();
    gateway.clock.advance(MINUTE);
  }
}

/** Opens the database of a SQLite installation for as long as `work` takes. */
async function withStore<T>(dataFolder: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Lists the columns with a text in the form of a sealed one that the key alone does not open, or that no list has. */
export function leftBehind(dataFolder: string, key: Uint8Array): Promise<string[]> {
  const seal = createSeal(key);
  return withStore(dataFolder, async (db) => {
    const found: string[] = [];
    for (const table of await tablesInOrder(db.unrestricted as never, db.capabilities))
      for await (const { rows } of pagesOf(db, table, null))
        for (const row of rows)
          for (const [column, value] of Object.entries(row)) {
            if (typeof value !== 'string' || !isSealedText(value) || table === 'data_key_proof') continue;
            const listed = SEALED_COLUMNS.find((each) => each.table === table && each.column === column);
            try {
              seal.open(value, listed?.context(row) ?? 'not in the list');
            } catch {
              found.push(`${table}.${column}`);
            }
          }
    return found;
  });
}

const FILE_CONTEXTS = ['audit_log_end', 'https/root.sealed', 'https/server.sealed', 'direct_identity'];
const SEALED_TEXT = /v1\.[\w-]{16}\.[\w-]{22,}/gu;
/** A secret in the copy of the saved settings. */
const SEALED_SETTING = /"(\w+)": \{\s*"sealed": "(v1\.[^"]+)"/gu;

/** Lists the files of a data folder with a sealed key or text that the key alone does not open, in whatever folder they are. */
export async function filesLeftBehind(dataFolder: string, key: Uint8Array): Promise<string[]> {
  const seal = createSeal(key);
  const sealer = createFileSealer(key);
  const opens = (open: () => unknown) => {
    try {
      open();
      return true;
    } catch {
      return false;
    }
  };
  const found: string[] = [];
  for (const entry of await readdir(dataFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('faxdesk.sqlite')) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    const text = bytes.toString('latin1');
    const settings = new Map([...text.matchAll(SEALED_SETTING)].map(([, name, sealed]) => [sealed, name]));
    const isWhole = isSealed(bytes)
      ? opens(() => sealer.keyOf(bytes))
      : (text.match(SEALED_TEXT) ?? []).every((sealed) =>
          [...FILE_CONTEXTS, `setting:${settings.get(sealed)}`].some((context) =>
            opens(() => seal.open(sealed, context)),
          ),
        );
    if (!isWhole) found.push(path.slice(dataFolder.length + 1));
  }
  return found;
}

/** Returns the document of a fax, opened. */
export async function documentOf(
  gateway: TestGateway,
  id: string,
): Promise<{ status: number; bytes: Buffer }> {
  const answer = await gateway.request('GET', `/fax/${id}/document`);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** Returns the path of the stored document of a sent fax. */
export async function pathOfDocument({ dataFolder }: TestGateway, id: string): Promise<string> {
  const { artifact } = await withStore(dataFolder, (db) =>
    db.read.selectFrom('fax_job').select('artifact').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return join(dataFolder, 'files', artifact ?? '');
}

/** Stores a secret of the provider that opens with no data key of the installation. */
export async function loseSecret({ dataFolder }: TestGateway): Promise<void> {
  const value = createSeal(randomBytes(32)).seal('"lost"', 'setting:CLOUDONE_API_SECRET');
  await withStore(dataFolder, (db) =>
    db.transaction(async (tx) => {
      await tx.updateTable('setting').set({ value }).where('name', '=', 'CLOUDONE_API_SECRET').execute();
    }),
  );
}
