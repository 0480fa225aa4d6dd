import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESK_LIMITS } from '../../shared/desk.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

const DAY = 24 * 3_600_000;
const SECRET = 'Recall of Erika Doe on Tuesday';
const newDraftId = () => randomBytes(16).toString('hex');

interface Draft {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly documents: number;
  readonly size_bytes: number;
  readonly template: boolean;
  readonly files: readonly { readonly number: number; readonly sha256: string }[];
}

describe.each(STORES)('the desk of a person on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  /** Another person. */
  let other: string;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    const response = await gateway.request('POST', '/admin/api-keys', { json: { scopes: ['fax:send'] } });
    other = ((await response.json()) as { token: string }).token;
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function call<T>(
    method: string,
    path: string,
    options: object = {},
  ): Promise<T & { status: number }> {
    const response = await gateway.request(method, path, options);
    return { ...((await response.json()) as T), status: response.status };
  }
  async function save(
    id: string,
    fields: Record<string, string>,
    files: readonly string[] = [],
    key?: string,
  ) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ name: 'Recall', content: '{}', ...fields }))
      form.append(name, value);
    for (const text of files) form.append('file', new File([text], 'a.txt'));
    return call<Draft & { error?: string }>('PUT', `/desk/drafts/${id}`, { form, ...(key ? { key } : {}) });
  }
  const list = async (key?: string) =>
    (await call<{ items: Draft[] }>('GET', '/desk/drafts', key ? { key } : {})).items;

  test('the tour is offered once, and everyone has a place of their own in it', async () => {
    const tour = (key?: string) => call('GET', '/desk/tour', key ? { key } : {});
    const record = (json: object) => call('PUT', '/desk/tour', { json });
    expect(await tour()).toEqual({ state: 'none', step: null, status: 200 });
    expect(await record({ state: 'offered' })).toMatchObject({ state: 'offered', step: null });
    expect(await record({ state: 'begun', step: 'inbox' })).toMatchObject({ state: 'begun', step: 'inbox' });
    expect(await record({ state: 'offered' })).toMatchObject({ state: 'begun', step: 'inbox' });
    expect(await tour(other)).toMatchObject({ state: 'none' });
    expect(await record({ state: 'ended', step: 'work' })).toMatchObject({ state: 'ended', step: null });
    expect(await tour()).toMatchObject({ state: 'ended' });
    for (const wrong of [{ state: 'none' }, { state: 'begun', step: 'ninth' }, {}])
      expect((await record(wrong)).status).toBe(400);
  });

  test('a draft is saved with its documents, read, renamed and removed', async () => {
    const id = newDraftId();
    const content = JSON.stringify({ to: '+12025550123', note: SECRET });
    const large = 'x'.repeat(400_000);
    expect(await save(id, { content }, [SECRET, large])).toMatchObject({
      status: 200,
      id,
      name: 'Recall',
      documents: 2,
      size_bytes: SECRET.length + large.length,
      template: false,
    });
    const draft = await call<Draft>('GET', `/desk/drafts/${id}`);
    expect(draft).toMatchObject({ content, files: [{ number: 1 }, { number: 2 }] });
    for (const [number, text] of [SECRET, large].entries()) {
      const file = await gateway.request('GET', `/desk/drafts/${id}/files/${number + 1}`);
      expect(await file.text()).toBe(text);
    }
    expect((await gateway.request('GET', `/desk/drafts/${id}/files/3`)).status).toBe(404);
    const renamed = await call<Draft>('POST', `/desk/drafts/${id}/name`, { json: { name: 'Tuesday' } });
    expect(renamed).toMatchObject({ name: 'Tuesday', documents: 2 });
    expect(await list()).toEqual([expect.objectContaining({ id, name: 'Tuesday' })]);
    expect((await gateway.request('DELETE', `/desk/drafts/${id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
    expect(await draftFiles()).toEqual([]);
  });

  test('the same ID replaces a draft and its documents', async () => {
    const id = newDraftId();
    await save(id, {}, ['one', 'two']);
    await save(id, { name: 'Later', template: 'true' }, ['three']);
    expect(await list()).toEqual([expect.objectContaining({ name: 'Later', documents: 1, template: true })]);
    expect(await (await gateway.request('GET', `/desk/drafts/${id}/files/1`)).text()).toBe('three');
    expect(await draftFiles()).toHaveLength(1);
    await gateway.request('DELETE', `/desk/drafts/${id}`);
  });

  test('rule (desk): nobody but the person who saved it lists, reads, changes or removes a draft', async () => {
    const id = newDraftId();
    await save(id, {}, ['one']);
    expect(await list(other)).toEqual([]);
    for (const [method, path, options] of [
      ['GET', `/desk/drafts/${id}`, {}],
      ['GET', `/desk/drafts/${id}/files/1`, {}],
      ['POST', `/desk/drafts/${id}/name`, { json: { name: 'Mine' } }],
      ['DELETE', `/desk/drafts/${id}`, {}],
    ] as const)
      expect((await gateway.request(method, path, { ...options, key: other })).status, path).toBe(404);
    // The same ID of another person is another draft.
    expect(await save(id, { name: 'Theirs' }, [], other)).toMatchObject({ status: 200, name: 'Theirs' });
    expect(await list()).toEqual([expect.objectContaining({ name: 'Recall', documents: 1 })]);
    await gateway.request('DELETE', `/desk/drafts/${id}`);
    await gateway.request('DELETE', `/desk/drafts/${id}`, { key: other });
  });

  test('rule (desk): drafts and phrases are sealed in the store and on the disk', async () => {
    const id = newDraftId();
    await save(id, { name: SECRET, content: SECRET }, [SECRET, SECRET.padEnd(300_000, '.')]);
    await gateway.request('POST', '/desk/phrases', { json: { title: 'Recall', text: SECRET } });
    const { version } = await call<{ version: number }>('GET', '/desk/defaults');
    const defaults = { mailbox_id: null, cover_id: null, signature: SECRET, header_name: null, version };
    expect((await gateway.request('PUT', '/desk/defaults', { json: defaults })).status).toBe(200);
    const files = [...(await draftFiles()), ...(await storeFiles())];
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect((await readFile(file, 'latin1')).includes(SECRET), file).toBe(false);
    await gateway.request('DELETE', `/desk/drafts/${id}`);
  });

  test('a draft that does not fit is refused, and the earlier one stays', async () => {
    const id = newDraftId();
    await save(id, {}, ['one']);
    const content = 'x'.repeat(DESK_LIMITS.draftContent + 1);
    expect((await save(id, { content }, ['two'])).status).toBe(400);
    expect((await save(id, { name: ' ' })).status).toBe(400);
    expect((await save('no-id', {})).status).toBe(404);
    expect(await (await gateway.request('GET', `/desk/drafts/${id}/files/1`)).text()).toBe('one');
    for (let count = 1; count < DESK_LIMITS.drafts; count += 1) await save(newDraftId(), {});
    expect(await save(newDraftId(), {}, ['late'])).toMatchObject({
      status: 409,
      detail: 'You have 100 saved drafts already. Delete one first. Nothing was saved.',
    });
    expect(await save(id, {}, ['again'])).toMatchObject({ status: 200 });
    expect(await draftFiles()).toHaveLength(1);
    for (const draft of await list()) await gateway.request('DELETE', `/desk/drafts/${draft.id}`);
  });

  test('rule (crossings): old drafts are deleted with their documents, templates stay', async () => {
    const [old, template] = [newDraftId(), newDraftId()];
    await save(old, {}, ['old']);
    await save(template, { template: 'true' }, ['kept']);
    gateway.clock.advance(89 * DAY);
    await gateway.processAll();
    expect(await list()).toHaveLength(2);
    gateway.clock.advance(2 * DAY);
    await gateway.processAll();
    expect(await list()).toEqual([expect.objectContaining({ id: template })]);
    expect(await draftFiles()).toHaveLength(1);
    await gateway.request('DELETE', `/desk/drafts/${template}`);
  });

  test('phrases are listed by title, changed and removed by their person alone', async () => {
    for (const { id } of (await call<{ items: Draft[] }>('GET', '/desk/phrases')).items)
      await gateway.request('DELETE', `/desk/phrases/${id}`);
    const created: string[] = [];
    for (const title of ['Recall', 'Arrived'])
      created.push(
        (await call<Draft>('POST', '/desk/phrases', { json: { title, text: `${title}.\nThank you.` } })).id,
      );
    const phrases = await call<{ items: object[] }>('GET', '/desk/phrases');
    expect(phrases.items).toMatchObject([
      { title: 'Arrived', text: 'Arrived.\nThank you.' },
      { title: 'Recall' },
    ]);
    const change = { json: { title: 'Call back', text: 'Please call back.' } };
    const [id] = created;
    expect((await gateway.request('PUT', `/desk/phrases/${id}`, { ...change, key: other })).status).toBe(404);
    expect(await call('PUT', `/desk/phrases/${id}`, change)).toMatchObject({ title: 'Call back' });
    expect((await gateway.request('DELETE', `/desk/phrases/${id}`, { key: other })).status).toBe(404);
    expect((await gateway.request('DELETE', `/desk/phrases/${id}`)).status).toBe(200);
    expect((await call<{ items: object[] }>('GET', '/desk/phrases', { key: other })).items).toEqual([]);
  });

  test('defaults are changed once for the version that was read', async () => {
    const before = await call<{ version: number }>('GET', '/desk/defaults', { key: other });
    expect(before).toMatchObject({ mailbox_id: null, cover_id: null, signature: null, version: 0 });
    const signature = 'Mara Okafor\nFront desk';
    const json = { mailbox_id: null, cover_id: 'plain', signature, header_name: null, version: 0 };
    const [one, two] = await Promise.all([
      call<{ version: number }>('PUT', '/desk/defaults', { json, key: other }),
      call<{ version: number }>('PUT', '/desk/defaults', { json, key: other }),
    ]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await call('GET', '/desk/defaults', { key: other })).toMatchObject({ ...json, version: 1 });
  });

  async function draftFiles(): Promise<string[]> {
    const folder = join(gateway.dataFolder, 'files', 'draft');
    return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  }
  async function storeFiles(): Promise<string[]> {
    const names = await readdir(gateway.dataFolder);
    return names
      .filter((name) => name.startsWith('faxdesk.sqlite'))
      .map((name) => join(gateway.dataFolder, name));
  }
});
