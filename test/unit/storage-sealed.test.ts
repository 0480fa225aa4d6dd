import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/source-tree.ts';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import type { Storage } from '../../server/adapters/storage/port.ts';
import { openBytes } from '../../server/platform/file-cipher.ts';
import { SealError } from '../../server/platform/seal.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';

const WORD = 'a known word';
const DATA_KEY = new Uint8Array(32).fill(9);
let folder: string;
let isOn: boolean;
let storage: Storage;

const openWith = (dataKey: Uint8Array) =>
  createLocalStorage(join(folder, 'files'), {
    sealer: createFileSealer(dataKey),
    isOn: () => isOn,
    renewHeader: async () => false,
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faxdesk-storage-'));
  isOn = true;
  storage = await openWith(DATA_KEY);
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(name: string, from = storage): Promise<string> {
  const { stream, sizeBytes } = await from.open(name);
  const content = await buffer(stream);
  expect(content.length).toBe(sizeBytes);
  return content.toString();
}

/** The names of the files in which the word can be read. */
async function readable(): Promise<string[]> {
  const found: string[] = [];
  for await (const name of storage.names(''))
    if ((await readFile(join(folder, 'files', name))).includes(WORD)) found.push(name);
  return found.sort();
}

describe('a storage that seals', () => {
  it('seals bytes and files, gives them back, and takes the plain file away', async () => {
    const source = join(folder, 'upload');
    await writeFile(source, `${WORD} of a file`);
    await storage.write('a', Buffer.from(`${WORD} of bytes`));
    await storage.write('b/c', { path: source });
    expect([await read('a'), await read('b/c')]).toEqual([`${WORD} of bytes`, `${WORD} of a file`]);
    expect(await readable()).toEqual([]);
    await expect(readFile(source)).rejects.toThrow('ENOENT');
  });

  it('rule (storage): the document process gets the key of the one file it opens', async () => {
    await storage.write('a', Buffer.from(WORD));
    const lent = await storage.withFile('a', async (file) => {
      if (typeof file === 'string') throw new Error('the file is not sealed');
      return openBytes(file.key, await readFile(file.path)).toString();
    });
    expect(lent).toBe(WORD);
  });

  it('reads what was stored before, and leaves what is sealed readable when it is switched off', async () => {
    isOn = false;
    await storage.write('before', Buffer.from(WORD));
    isOn = true;
    await storage.write('during', Buffer.from(WORD));
    isOn = false;
    await storage.write('after', Buffer.from(WORD));
    expect(await Promise.all(['before', 'during', 'after'].map((name) => read(name)))).toEqual([
      WORD,
      WORD,
      WORD,
    ]);
    expect(await readable()).toEqual(['after', 'before']);
    await storage.sealStored();
    expect(await readable()).toEqual(['after', 'before']);
  });

  it('gives nothing out with another data key', async () => {
    await storage.write('a', Buffer.from(WORD));
    const other = await openWith(new Uint8Array(32));
    await expect(other.open('a')).rejects.toThrow(SealError);
    await expect(other.withFile('a', async () => 'lent')).rejects.toThrow(SealError);
  });

  it('reads a header again that was written anew while it was read', async () => {
    await storage.write('a', Buffer.from(WORD));
    const sealer = createFileSealer(DATA_KEY);
    let reads = 0;
    const torn = await createLocalStorage(join(folder, 'files'), {
      sealer: {
        newKey: () => sealer.newKey(),
        hasFormerKey: true,
        renewed: () => null,
        keyOf(header) {
          reads += 1;
          if (reads % 2 === 1) throw new SealError('half of it was written');
          return sealer.keyOf(header);
        },
      },
      isOn: () => isOn,
      renewHeader: async () => false,
    });
    expect(await read('a', torn)).toBe(WORD);
    expect(await torn.withFile('a', async (file) => typeof file)).toBe('object');
    expect(reads).toBe(4);
  });

  it('is copied byte for byte without a key, as a backup does it', async () => {
    await storage.write('a', Buffer.from(WORD));
    const bare = await createLocalStorage(join(folder, 'files'));
    const kept = await buffer((await bare.open('a')).stream);
    expect(kept.includes(WORD)).toBe(false);
    await storage.remove('a');
    await bare.write('a', kept);
    expect(await read('a')).toBe(WORD);
  });
});

describe('what was stored before', () => {
  const names = Array.from({ length: 40 }, (_, at) => `fax/f${String(at).padStart(2, '0')}.pdf`);
  const contentOf = (name: string) => `${WORD} ${name} `.repeat(9_000);

  beforeEach(async () => {
    isOn = false;
    for (const name of names) await storage.write(name, Buffer.from(contentOf(name)));
    isOn = true;
  });

  it('is sealed beside everything else, and files that are read or removed meanwhile are not harmed', async () => {
    const sealing = storage.sealStored();
    const reading = names.map(async (name) => expect(await read(name)).toBe(contentOf(name)));
    const lent = storage.withFile(names[7] ?? '', async (file) => {
      await storage.withFile(names[8] ?? '', async () => undefined);
      return (
        typeof file === 'string' ? await readFile(file) : openBytes(file.key, await readFile(file.path))
      ).length;
    });
    const removing = storage.remove(names.at(-1) ?? '');
    await Promise.all([sealing, removing, ...reading.slice(0, -1), reading.at(-1)?.catch(() => undefined)]);
    expect(await lent).toBe(contentOf(names[7] ?? '').length);
    expect(await readable()).toEqual([]);
    expect(await storage.exists(names.at(-1) ?? '')).toBe(false);
  });

  it('is not sealed while somebody uses it', async () => {
    const name = names[0] ?? '';
    const used = Promise.withResolvers<void>();
    const using = storage.withFile(name, async (file) => {
      await used.promise;
      return readFile(file as string, 'utf8');
    });
    const sealing = storage.sealStored();
    await new Promise((resolve) => setImmediate(resolve));
    used.resolve();
    expect(await using).toBe(contentOf(name));
    await sealing;
    expect(await readable()).toEqual([]);
  });

  it('stops between two files', async () => {
    const sealing = storage.sealStored();
    await storage.close();
    await sealing;
    expect((await readable()).length).toBeGreaterThan(0);
  });

  it('is whole after a kill in the middle, and the next run goes on', async () => {
    const local = pathToFileURL(join(ROOT, 'server/adapters/storage/local.ts')).href;
    const sealed = pathToFileURL(join(ROOT, 'server/platform/sealed-file.ts')).href;
    const code = `
      import { createLocalStorage } from '${local}';
      import { createFileSealer } from '${sealed}';
      const sealer = createFileSealer(new Uint8Array(32).fill(9));
      let made = 0;
      const counting = { ...sealer, newKey: () => {
        made += 1;
        if (made === 15) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
        return sealer.newKey();
      } };
      const storage = await createLocalStorage(process.argv[1], { sealer: counting, isOn: () => true, renewHeader: async () => false });
      await storage.sealStored();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code, join(folder, 'files')]);
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    expect(signal).toBe('SIGKILL');
    const left = await readable();
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(names.length);
    for (const name of names) expect(await read(name)).toBe(contentOf(name));
    // As a kill leaves a file that was being written.
    const [next = ''] = left;
    const draft = join(folder, 'files', 'fax', `.new-0123456789ab-${next.slice(4)}`);
    await mkdir(join(folder, 'files', 'fax'), { recursive: true });
    await writeFile(draft, 'half of it');
    await storage.sealStored();
    expect(await readable()).toEqual([]);
    for (const name of names) expect(await read(name)).toBe(contentOf(name));
    expect((await readdir(join(folder, 'files', 'fax'))).filter((name) => name.startsWith('.new-'))).toEqual(
      [],
    );
  });
});
