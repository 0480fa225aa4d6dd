import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import { startChildProcess } from '../../server/documents/client/start-process.ts';
import type {
  DocumentConnection,
  DocumentSource,
  PreparedDocument,
} from '../../server/documents/documents.ts';
import { type NewFileKey, openBytes } from '../../server/platform/file-cipher.ts';
import { createFileSealer } from '../../server/platform/sealed-file.ts';
import { manyStrokes, missingPage, textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** Small uploads that wait for a thread are handed to it together; each must still stand for itself. */
let workspace: Workspace;
afterEach(async () => await workspace.close());

const letter = (pages: number) => Uint8Array.from(textPdf(pages));
const outcomes: string[] = [];

/** Hands in the bytes as an upload does, and notes how it went when it went. */
async function prepare(name: string, bytes: Uint8Array, folder = ''): Promise<PreparedDocument | null> {
  const path = join(workspace.folder, folder, `${name}.pdf`);
  const source = { bytes, fileName: `${name}.pdf`, declaredType: null };
  try {
    const prepared = await workspace.documents.prepare([source], path, { maxBytes: 1e7, durable: true });
    outcomes.push(`${name}: ${prepared.pages}`);
    return prepared;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    outcomes.push(`${name}: ${code}`);
    return null;
  }
}

/** All at once behind one that keeps the thread busy, so that they wait. */
async function prepareAll(...documents: readonly Parameters<typeof prepare>[]): Promise<string[]> {
  outcomes.length = 0;
  await Promise.all([prepare('first', letter(1)), ...documents.map((one) => prepare(...one))]);
  return [...outcomes];
}

describe('documents that are handed over together', () => {
  it('are each prepared, with bytes and digest of their own', async () => {
    workspace = openWorkspace({ threads: 1 });
    const sizes = [2, 3, 4, 5, 6, 7];
    const prepared = await Promise.all(sizes.map((pages) => prepare(`of ${pages}`, letter(pages))));
    for (const [index, document] of prepared.entries()) {
      const bytes = readFileSync(document!.path);
      expect(document!.pages).toBe(sizes[index]);
      expect(bytes.equals(letter(sizes[index]!))).toBe(true);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(document!.sha256);
    }
  });

  it('are not harmed by one that is refused or cannot be written', async () => {
    workspace = openWorkspace({ threads: 1 });
    const all = await prepareAll(
      ['two', letter(2)],
      ['damaged', Uint8Array.from(missingPage())],
      ['nowhere', letter(3), 'no such folder'],
      ['four', letter(4)],
    );
    expect(all.toSorted()).toEqual(['damaged: invalid', 'first: 1', 'four: 4', 'nowhere: ENOENT', 'two: 2']);
  });

  it('rule (documents): documents whose thread was ended by one of them are tried again', async () => {
    workspace = openWorkspace({ threads: 1, jobTimeoutMs: 500 });
    const all = await prepareAll(
      ['two', letter(2)],
      ['hostile', Uint8Array.from(await manyStrokes())],
      ['three', letter(3)],
      ['four', letter(4)],
    );
    expect(all.toSorted()).toEqual(['first: 1', 'four: 4', 'hostile: too_large', 'three: 3', 'two: 2']);
  });

  it('rule (documents): small documents go to a thread together, and a slow one delays no other', async () => {
    workspace = openWorkspace({ threads: 2, jobTimeoutMs: 5000 });
    const hostile = Uint8Array.from(await manyStrokes());
    const all = await prepareAll(
      ['second', letter(1)],
      ['two', letter(2)],
      ['hostile', hostile],
      ['three', letter(3)],
    );
    expect(all.at(-1)).toBe('hostile: too_large');
    expect(all.toSorted()).toEqual(['first: 1', 'hostile: too_large', 'second: 1', 'three: 3', 'two: 2']);
  });
});

test('what still waits when the gateway stops is told so', async () => {
  workspace = openWorkspace({ threads: 1 });
  outcomes.length = 0;
  const all = ['a', 'b', 'c'].map((name) => prepare(name, letter(1)));
  await workspace.documents.close();
  await Promise.all(all);
  await prepare('late', letter(1));
  expect(outcomes).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome !== 'a: 1')).toEqual(
    expect.arrayContaining(['b: ', 'c: ', 'late: ']),
  );
});

describe('a document that was seen before', () => {
  it('is prepared as at the first time, into a file of its own', async () => {
    workspace = openWorkspace();
    const [first, second] = [await prepare('one', letter(2)), await prepare('another', letter(2))];
    expect(second).toEqual({ ...first, path: join(workspace.folder, 'another.pdf') });
    expect(readFileSync(second!.path).equals(letter(2))).toBe(true);
  });

  it('is refused as at the first time', async () => {
    workspace = openWorkspace();
    outcomes.length = 0;
    for (const name of ['one', 'another']) await prepare(name, Uint8Array.from(missingPage()));
    expect(outcomes).toEqual(['one: invalid', 'another: invalid']);
  });

  it('is stored without the process once its digest is known', async () => {
    let sentJobs = 0;
    const start = async (folders: readonly string[]): Promise<DocumentConnection> => {
      const connection = await startChildProcess(folders);
      const send = (message: Parameters<DocumentConnection['send']>[0]) => {
        if (message.kind === 'run') sentJobs += message.jobs.length;
        connection.send(message);
      };
      return { ...connection, send };
    };
    workspace = openWorkspace({ start });
    const first = await prepareUpload('one', letter(2));
    const second = await prepareUpload('another', letter(2));
    expect(second).toEqual({ ...first, path: join(workspace.folder, 'another.pdf') });
    expect(readFileSync(second.path).equals(letter(2))).toBe(true);
    expect(statSync(second.path).mode & 0o077).toBe(0);
    expect(readdirSync(workspace.folder).toSorted()).toEqual(['another.pdf', 'one.pdf']);
    expect(sentJobs).toBe(1);
  });

  it('is sealed with the key that comes with it', async () => {
    workspace = openWorkspace();
    const sealer = createFileSealer(new Uint8Array(32));
    await prepareUpload('one', letter(2));
    const seal = sealer.newKey();
    const { path } = await prepareUpload('another', letter(2), { seal });
    const stored = readFileSync(path);
    expect(stored.includes('%PDF')).toBe(false);
    expect(openBytes(sealer.keyOf(stored), stored).equals(letter(2))).toBe(true);
  });

  it('is refused for a name or a type that promises another kind, and where it became too large', async () => {
    workspace = openWorkspace();
    await prepareUpload('one', letter(2));
    const refused = (source: Partial<DocumentSource>, maxBytes = 1e7) =>
      prepareUpload('another', letter(2), { source, maxBytes }).catch((error: unknown) => error);
    expect(await refused({ fileName: 'picture.png' })).toMatchObject({ code: 'unsupported' });
    expect(await refused({ declaredType: 'image/tiff' })).toMatchObject({ code: 'unsupported' });
    expect(await refused({}, 100)).toMatchObject({ code: 'too_large' });
    expect(readdirSync(workspace.folder)).toEqual(['one.pdf']);
  });

  it('reports an error of the disk with its code', async () => {
    workspace = openWorkspace();
    await prepareUpload('one', letter(2));
    const failed = prepareUpload('no such folder/another', letter(2));
    await expect(failed).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not stored any more after the end', async () => {
    workspace = openWorkspace();
    await prepareUpload('one', letter(2));
    await workspace.documents.close();
    await expect(prepareUpload('another', letter(2))).rejects.toThrow('the work on documents has ended');
    expect(readdirSync(workspace.folder)).toEqual(['one.pdf']);
  });
});

/** Prepares bytes with their digest, as they come with a form. */
function prepareUpload(
  name: string,
  bytes: Uint8Array,
  {
    source = {},
    maxBytes = 1e7,
    seal = null,
  }: { source?: Partial<DocumentSource>; maxBytes?: number; seal?: NewFileKey | null } = {},
): Promise<PreparedDocument> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const upload = { bytes, fileName: 'letter.pdf', declaredType: null, digest, ...source } as DocumentSource;
  const path = join(workspace.folder, `${name}.pdf`);
  return workspace.documents.prepare([upload], path, { maxBytes, durable: true, seal });
}
