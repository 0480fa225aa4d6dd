import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { addMailbox, keyOn } from './inbound-mailboxes.ts';
import { type Inbound, InboundGateway, SENDER } from './inbound-setup.ts';

const FRONT = { id: 'mailbox-front', label: 'Front desk', number: '+12025550101' };
const LAB = { id: 'mailbox-lab', label: 'Laboratory', number: '+12025550102' };
const SEEING = ['inbound:list', 'inbound:read', 'inbound:document'];

let inbound: InboundGateway;
/** Newest first: one in each mailbox, one in none, one that waits. */
const faxes = {} as Record<'front' | 'lab' | 'none' | 'waiting', Inbound>;
beforeAll(async () => {
  inbound = await InboundGateway.start();
  addMailbox(inbound, FRONT);
  addMailbox(inbound, LAB);
  const arrive = async (to: string, from = SENDER, bare = false) => {
    inbound.gateway.clock.advance(MINUTE);
    const fax = inbound.arrive({ to, from, document: textPdf(2) });
    await (bare ? inbound.notifyBare(fax) : inbound.notify(fax));
    const [newest] = await inbound.list('?limit=1');
    return newest as Inbound;
  };
  faxes.waiting = await arrive(LAB.number, '+4930123456', true);
  faxes.none = await arrive('+12025550155');
  faxes.lab = await arrive(LAB.number);
  faxes.front = await arrive(FRONT.number);
});
afterAll(() => inbound.close());

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const get = async (path: string, key?: string) =>
  inbound.gateway.request('GET', path, key === undefined ? {} : { key });

describe('the list of received faxes', () => {
  test('is a bare array, newest first, and names its next page in Link', async () => {
    const { front, lab, none, waiting } = faxes;
    expect(idsOf(await inbound.list())).toEqual(idsOf([front, lab, none, waiting]));
    const seen: string[] = [];
    for (let path: string | null = '/inbound?limit=1&q=202'; path !== null; ) {
      const answer = await get(path);
      seen.push(...idsOf((await answer.json()) as Inbound[]));
      path = /^<(.*)>; rel="next"$/u.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual(idsOf([front, lab, none, waiting]));
    const page = (await (await get('/inbound/page?limit=3')).json()) as { next_cursor: string | null };
    const rest = await get(`/inbound/page?limit=3&cursor=${page.next_cursor}`);
    expect(await rest.json()).toMatchObject({ items: [{ id: waiting.id }], next_cursor: null });
  });

  test.each([
    ['to_number=%2B12025550101', ['front']],
    ['to_number=(202)%20555-0101', ['front']],
    ['from_number=%2B4930123456', ['waiting']],
    ['status=waiting', ['waiting']],
    ['status=received,waiting&limit=2', ['front', 'lab']],
    ['mailbox=Laboratory', ['lab', 'waiting']],
    ['mailbox=mailbox-lab&status=received', ['lab']],
    ['mailbox=nowhere', []],
    ['backend=cloudone&limit=1', ['front']],
    ['backend=test', []],
    ['q=0155', ['none']],
    ['q=%2B49%2030', ['waiting']],
    ['q=100%25', []],
    ['since=2026-11-21T09:04:00Z', ['front']],
    ['until=2026-11-21T10:02:00%2B01:00', ['waiting']],
    ['unread=true&mailbox=Laboratory', ['lab']],
  ] as const)('is narrowed by %s', async (query, expected) => {
    expect(idsOf(await inbound.list(`?${query}`))).toEqual(expected.map((name) => faxes[name].id));
  });

  test('says of named faxes which fit the filter', async () => {
    const { lab, none, waiting } = faxes;
    const named = `ids=${idsOf([waiting, lab, none]).join()},nothing`;
    expect(idsOf(await inbound.list(`?${named}`))).toEqual(idsOf([lab, none, waiting]));
    expect(idsOf(await inbound.list(`?${named}&mailbox=Laboratory`))).toEqual(idsOf([lab, waiting]));
    expect(idsOf(await inbound.list(`?${named}&unread=true`))).toEqual(idsOf([lab, none]));
    expect(idsOf(await inbound.list(`?${named}&q=0155`))).toEqual([none.id]);
  });

  test.each(['limit=0', 'limit=201', 'cursor=nonsense', 'to_number=12', 'status=gone', 'since=soon'])(
    'refuses %s with a sentence',
    async (query) => {
      const answer = await get(`/inbound?${query}`);
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { detail: string }).detail).toMatch(/^[A-Z"].*\.$/u);
    },
  );
});

describe('who sees what', () => {
  test('holds in the list, the counts and every single fax: the hidden is missing', async () => {
    const key = await keyOn(inbound, SEEING, ['mailbox:mailbox-lab', `inbound:${faxes.front.id}`]);
    const { front, lab, waiting, none } = faxes;
    expect(idsOf(await inbound.list('', key))).toEqual(idsOf([front, lab, waiting]));
    const named = `?ids=${idsOf([front, none, waiting]).join()}`;
    expect(idsOf(await inbound.list(named, key))).toEqual(idsOf([front, waiting]));
    expect(idsOf(await inbound.list('?mailbox=Front%20desk', key))).toEqual([front.id]);
    expect(idsOf(await inbound.list('?status=received&limit=1', key))).toEqual([front.id]);
    expect(await inbound.counts(key)).toEqual({ unread: 2, waiting: 1, failed: 0, junk: 0 });
    for (const path of ['', '/evidence', '/pdf', '/pages/1.png']) {
      const hidden = await get(`/inbound/${none.id}${path}`, key);
      const missing = await get(`/inbound/0${path}`, key);
      expect([path, hidden.status, await hidden.text()]).toEqual([path, 404, await missing.text()]);
      expect((await get(`/inbound/${front.id}${path}`, key)).status).toBe(200);
    }
  });

  test('is nothing for who holds a mailbox without faxes, and 403 for what is visible but not allowed', async () => {
    const nobody = await keyOn(inbound, SEEING, ['mailbox:other']);
    expect(await inbound.list('', nobody)).toEqual([]);
    expect(await inbound.counts(nobody)).toEqual({ unread: 0, waiting: 0, failed: 0, junk: 0 });
    const reader = await keyOn(inbound, ['inbound:list', 'inbound:read'], ['mailbox:mailbox-lab']);
    expect((await get(`/inbound/${faxes.lab.id}`, reader)).status).toBe(200);
    expect((await get(`/inbound/${faxes.lab.id}/pdf`, reader)).status).toBe(403);
    expect(
      (await inbound.gateway.request('POST', `/inbound/${faxes.lab.id}/fetch`, { key: reader })).status,
    ).toBe(403);
  });

  test('applies to the events of consoles as well', async () => {
    const lab = await keyOn(inbound, SEEING, ['mailbox:mailbox-lab']);
    const front = await keyOn(inbound, SEEING, ['mailbox:mailbox-front']);
    const changes = async (key: string, after: string) =>
      (await (await get(`/console/changes?after=${after}`, key)).json()) as {
        next: string;
        events: { kind: string; data: unknown }[];
      };
    const { next } = (await (await get('/console/changes', lab)).json()) as { next: string };
    await inbound.gateway.request('PUT', `/inbound/${faxes.lab.id}/read`, { json: { read: true } });
    await inbound.gateway.request('PUT', `/inbound/${faxes.lab.id}/read`, { json: { read: false } });
    const reported = (await changes(lab, next)).events;
    expect(reported.map(({ kind }) => kind)).toEqual(['inbound.changed', 'inbound.changed']);
    expect(reported[0]?.data).toEqual({ id: faxes.lab.id, version: faxes.lab.version });
    expect((await changes(front, next)).events).toEqual([]);
  });
});

describe('reading', () => {
  test('is remembered for each caller alone, from the first opening on', async () => {
    const key = await keyOn(inbound, SEEING, ['installation']);
    const { id } = faxes.lab;
    const readAt = async (who?: string) =>
      ((await (await get(`/inbound/${id}`, who)).json()) as Inbound).read_at;
    expect((await inbound.counts(key)).unread).toBe(3);
    const at = new Date(inbound.gateway.clock.now()).toISOString();
    expect((await get(`/inbound/${id}/pdf`, key)).status).toBe(200);
    inbound.gateway.clock.advance(SECOND);
    await get(`/inbound/${id}/pdf`, key);
    expect([await readAt(key), await readAt()]).toEqual([at, null]);
    expect((await inbound.counts(key)).unread).toBe(2);
    expect(idsOf(await inbound.list('?unread=true', key))).not.toContain(id);
    const mark = async (read: boolean) =>
      inbound.gateway.request('PUT', `/inbound/${id}/read`, { key, json: { read } });
    expect(((await (await mark(false)).json()) as Inbound).read_at).toBeNull();
    expect((await inbound.counts(key)).unread).toBe(3);
    expect((await mark(true)).status).toBe(200);
    expect((await inbound.counts(key)).unread).toBe(2);
  });

  test('a page as a picture is drawn once, in the requested width', async () => {
    const path = `/inbound/${faxes.lab.id}/pages/2.png?width=300`;
    const [first, second] = await Promise.all([get(path), get(path)]);
    const picture = Buffer.from(await first.arrayBuffer());
    expect(first.headers.get('content-type')).toBe('image/png');
    expect(picture.readUInt32BE(16)).toBe(300);
    expect(Buffer.from(await second.arrayBuffer())).toEqual(picture);
    expect(Buffer.from(await (await get(path)).arrayBuffer())).toEqual(picture);
    for (const [page, status] of [
      ['3', 404],
      ['0', 404],
      ['x', 404],
    ] as const)
      expect((await get(`/inbound/${faxes.lab.id}/pages/${page}.png`)).status).toBe(status);
    expect((await get(`/inbound/${faxes.lab.id}/pages/1.png?width=63`)).status).toBe(400);
    expect((await get(`/inbound/${faxes.waiting.id}/pages/1.png`)).status).toBe(404);
  });

  test('lists and faxes more often than the limits is answered 429 with the time to wait', async () => {
    await inbound.gateway.set({ INBOUND_LIST_RPM: 2, INBOUND_GET_RPM: 1 });
    const key = await keyOn(inbound, SEEING, ['installation']);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await get('/inbound', key)).status);
    for (let i = 0; i < 2; i += 1) statuses.push((await get(`/inbound/${faxes.lab.id}`, key)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 429]);
    expect((await get('/inbound', key)).headers.get('retry-after')).toBe('60');
    expect((await get(`/inbound/${faxes.lab.id}/pdf`, key)).status).toBe(200);
    await inbound.gateway.set({ INBOUND_LIST_RPM: 0, INBOUND_GET_RPM: 0 });
  });
});

describe('a test fax', () => {
  test('is received at once, marked, filed by its number, and in the security audit', async () => {
    const json = { from_number: '202 555 0177', to_number: FRONT.number };
    const answer = await inbound.gateway.request('POST', '/inbound/test', { json });
    expect(answer.status).toBe(201);
    const made = (await answer.json()) as Inbound;
    expect(made).toMatchObject({
      status: 'received',
      is_test: true,
      backend: 'test',
      fr: '+12025550177',
      mailbox: FRONT.label,
      pages: 1,
      source_received_at: null,
    });
    expect((await get(`/inbound/${made.id}/pdf`)).status).toBe(200);
    expect((await inbound.evidence(made.id)).map(({ kind }) => kind)).toEqual(['test', 'document']);
    const older = await inbound.gateway.request('POST', '/admin/inbound/simulate');
    expect([older.status, older.headers.get('deprecation')]).toEqual([201, expect.any(String)]);
  });
});

test('a document past its time is removed, and its record stays', async () => {
  const other = await InboundGateway.start({ settings: { INBOUND_RETENTION_DAYS: '30' } });
  await other.notify(other.arrive());
  const { id } = await other.only();
  other.gateway.clock.advance(30 * DAY - HOUR);
  await other.work();
  expect(await other.stored()).toHaveLength(1);
  other.gateway.clock.advance(2 * DAY);
  await other.work();
  expect(await other.stored()).toEqual([]);
  expect(await other.only()).toMatchObject({ id, status: 'received', document_kept: false, pages: 1 });
  const gone = await other.gateway.request('GET', `/inbound/${id}/pdf`);
  expect(gone.status).toBe(404);
  expect((await other.evidence(id)).at(-1)?.kind).toBe('expired');
  await other.close();
});

describe('where reading is shared', () => {
  afterEach(() => inbound.gateway.set({ INBOUND_READING: null }));
  const newFax = async () => {
    await inbound.notify(inbound.arrive({ to: FRONT.number, from: SENDER, document: textPdf(1) }));
    return ((await inbound.list('?limit=1'))[0] as Inbound).id;
  };
  const mark = (id: string, read: boolean, key?: string) =>
    inbound.gateway.request('PUT', `/inbound/${id}/read`, { key, json: { read } });
  const readAt = async (id: string, key?: string) =>
    ((await (await get(`/inbound/${id}`, key)).json()) as Inbound).read_at;

  test('a fax that one person read is read for everybody, until one calls it unread', async () => {
    const key = await keyOn(inbound, SEEING, ['installation']);
    const id = await newFax();
    await inbound.gateway.set({ INBOUND_READING: 'shared' });
    const before = (await inbound.counts(key)).unread;
    expect(await readAt(id, key)).toBeNull();
    expect((await mark(id, true)).status).toBe(200);
    expect(await readAt(id, key)).not.toBeNull();
    expect((await inbound.counts(key)).unread).toBe(before - 1);
    expect(idsOf(await inbound.list('?unread=true', key))).not.toContain(id);
    await mark(id, false, key);
    expect(await readAt(id)).toBeNull();
    expect((await inbound.counts()).unread).toBe(before);
    expect(idsOf(await inbound.list('?unread=true'))).toContain(id);
  });

  test('marks hold on both ways when the setting changes', async () => {
    const key = await keyOn(inbound, SEEING, ['installation']);
    const id = await newFax();
    await mark(id, true, key);
    expect(await readAt(id)).toBeNull();
    await inbound.gateway.set({ INBOUND_READING: 'shared' });
    expect(await readAt(id)).not.toBeNull();
    expect((await inbound.counts()).unread).toBe((await inbound.counts(key)).unread);
    await inbound.gateway.set({ INBOUND_READING: null });
    expect(await readAt(id)).toBeNull();
    await mark(id, false, key);
    await inbound.gateway.set({ INBOUND_READING: 'shared' });
    expect(await readAt(id), 'nobody has read it any more').toBeNull();
  });

  test('people who may read a fax see who read it, in both cases', async () => {
    const key = await keyOn(inbound, SEEING, ['installation']);
    const id = await newFax();
    const readers = async (by?: string) =>
      ((await (await get(`/inbound/${id}/readers`, by)).json()) as { readers: { name: string }[] }).readers;
    await mark(id, true, key);
    inbound.gateway.clock.advance(MINUTE);
    await mark(id, true);
    const names = (await readers(key)).map(({ name }) => name);
    expect(names).toHaveLength(2);
    expect(names.at(-1)).toBe('Installation key');
    await mark(id, false, key);
    expect((await readers()).map(({ name }) => name)).toEqual(['Installation key']);
  });
});
