import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { type EventReader, keyWith, listen } from './console-stream.ts';

interface Changes {
  events: { id: string; kind: string; data: Record<string, unknown> }[];
  next: string;
  reset: boolean;
}

let gateway: TestGateway;
const open: EventReader[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.close();
});
afterAll(() => gateway.close());

async function reader(options: Parameters<typeof listen>[1] = {}): Promise<EventReader> {
  const opened = await listen(gateway, options);
  open.push(opened);
  return opened;
}

async function changes(after?: string, key?: string): Promise<Changes> {
  const path = after === undefined ? '/console/changes' : `/console/changes?after=${after}`;
  const answer = await gateway.request('GET', path, key === undefined ? {} : { key });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Changes;
}

/** A fax that was sent and delivered, with its versions on the way. */
async function sendOne(): Promise<string> {
  const { id } = await gateway.send();
  await gateway.processAll();
  return id;
}

describe('the stream of events', () => {
  test('reports a changed fax by its id and version only', async () => {
    const stream = await reader();
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    const id = await sendOne();
    const { delivery_version } = await gateway.fax(id);
    await expect.poll(() => stream.events.at(-1)?.data).toEqual({ id, delivery_version });
    expect(new Set(stream.events.map(({ kind }) => kind))).toEqual(new Set(['fax.changed']));
    expect(stream.events.map(({ data }) => Object.keys(data as object).join())).toEqual(
      stream.events.map(() => 'id,delivery_version'),
    );
  });

  test('reports a change of the settings by its generation', async () => {
    const stream = await reader();
    await gateway.set({ MAX_FILE_SIZE_MB: 30 });
    const answer = await gateway.request('GET', '/admin/settings');
    const { generation } = ((await answer.json()) as { _meta: { generation: number } })._meta;
    await expect
      .poll(() => stream.events)
      .toEqual([
        expect.objectContaining({ kind: 'settings.changed', data: { generation } }),
        expect.objectContaining({ kind: 'installation.changed', data: {} }),
      ]);
  });

  test('reports to listeners without settings:read only that a setting changed', async () => {
    const stream = await reader({ key: await keyWith(gateway, 'inbound:list') });
    await gateway.set({ INBOUND_READING: 'shared' });
    await expect
      .poll(() => stream.events)
      .toEqual([expect.objectContaining({ kind: 'installation.changed', data: {} })]);
    await gateway.set({ INBOUND_READING: null });
  });

  test('begins with a position to resume from', async () => {
    const stream = await reader();
    await expect.poll(() => stream.all).toHaveLength(1);
    expect(stream.all[0]).toMatchObject({ kind: 'message', data: {} });
    expect(stream.position).toBe((await changes()).next);
  });

  test.each(['Last-Event-ID', 'after'])('resumes by %s and misses nothing', async (way) => {
    const first = await reader();
    await expect.poll(() => first.position).not.toBe('');
    const { position } = first;
    await first.close();
    const ids = [await sendOne(), await sendOne()];
    const second = await reader(way === 'after' ? { after: position } : { lastEventId: position });
    const reported = () => new Set(second.events.map(({ data }) => (data as { id: string }).id));
    await expect.poll(reported).toEqual(new Set(ids));
    expect(second.events.map(({ kind }) => kind)).not.toContain('reset');
    expect(new Set(second.events.map(({ id }) => id)).size).toBe(second.events.length);
  });

  test('resumes where the browser says, when the address says something older', async () => {
    const before = (await changes()).next;
    await sendOne();
    const now = (await changes(before)).next;
    const stream = await reader({ after: before, lastEventId: now });
    const id = await sendOne();
    await expect.poll(() => stream.events.at(0)?.data).toMatchObject({ id });
  });

  test.each(['of-another-start-5', 'x-0', '-', '%', 'a'.repeat(80)])(
    'begins with a reset when the position %s is unknown',
    async (position) => {
      const stream = await reader({ lastEventId: position });
      await expect.poll(() => stream.all.at(0)).toMatchObject({ kind: 'reset', data: {} });
      const id = await sendOne();
      await expect.poll(() => stream.events.at(-1)?.data).toMatchObject({ id });
    },
  );

  test('shows a sign of life every two seconds, which moves the position on', async () => {
    const key = await keyWith(gateway, 'settings:read');
    const stream = await reader({ key });
    await expect.poll(() => stream.position).not.toBe('');
    const before = stream.position;
    await sendOne();
    // By time that really passes, whatever the clock of the gateway shows.
    await expect.poll(() => stream.comments.length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(new Set(stream.comments)).toEqual(new Set([': ping']));
    expect(stream.position).not.toBe(before);
    expect(stream.position).toBe((await changes()).next);
    expect(stream.events).toEqual([]);
  });

  test('answers HEAD and ends at once', async () => {
    const answer = await gateway.request('HEAD', '/console/events');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  });

  test('is left out of the times to answer', async () => {
    await (await reader()).close();
    const figures = await (await gateway.request('GET', '/metrics')).text();
    expect(figures).not.toContain('route="/console/events"');
    expect(figures).toContain('route="/console/changes"');
  });
});

describe('the same events on demand', () => {
  test('begin with no event and a position', async () => {
    expect(await changes()).toMatchObject({ events: [], reset: false });
  });

  test('come once each, in order, with ids of the stream', async () => {
    const stream = await reader();
    const { next } = await changes();
    await sendOne();
    const first = await changes(next);
    await expect.poll(() => stream.events.map(({ id }) => id)).toEqual(first.events.map(({ id }) => id));
    expect(first.next).toBe(first.events.at(-1)?.id);
    expect(await changes(first.next)).toEqual({ events: [], next: first.next, reset: false });
  });

  test('say that everything must be read again to whoever lost rights, once in each window', async () => {
    const people = new MailboxPeople(gateway);
    const { id, key } = await people.addPerson({ installation: ['fax:read', 'inbound:list'] });
    const poll = (after?: string) => changes(after, key);
    const { next } = await poll();
    expect(await poll(next)).toMatchObject({ reset: false, next });
    await people.grant(id, { installation: ['fax:read'] });
    const first = await poll(next);
    expect(first).toMatchObject({ events: [], reset: true });
    // A second window of the same session stands where it stood.
    expect((await poll(next)).reset).toBe(true);
    expect((await poll(first.next)).reset).toBe(false);
    // More rights are nothing to remove from a screen.
    await people.grant(id, { installation: ['fax:read', 'inbound:list'] });
    expect((await poll(first.next)).reset).toBe(false);
  });

  test('say that everything must be read again when the position means nothing', async () => {
    const { next } = await changes();
    expect(await changes('elsewhere-1')).toEqual({ events: [], next, reset: true });
  });
});

describe('who may not see a thing', () => {
  test('does not report that it changed', async () => {
    const [faxes, settings, nothing] = await Promise.all([
      keyWith(gateway, 'fax:read'),
      keyWith(gateway, 'settings:read'),
      keyWith(gateway),
    ]);
    const streams = await Promise.all([faxes, settings, nothing].map((key) => reader({ key })));
    const { next } = await changes();
    await sendOne();
    await gateway.set({ MAX_FILE_SIZE_MB: 31 });
    const kindsOf = async (key?: string) =>
      new Set((await changes(next, key)).events.map(({ kind }) => kind));
    expect(await kindsOf()).toEqual(new Set(['fax.changed', 'settings.changed', 'installation.changed']));
    expect(await kindsOf(faxes)).toEqual(new Set(['fax.changed', 'installation.changed']));
    expect(await kindsOf(settings)).toEqual(new Set(['settings.changed', 'installation.changed']));
    expect(await kindsOf(nothing)).toEqual(new Set(['installation.changed']));
    await expect.poll(() => streams[0]?.events.length).toBeGreaterThan(0);
    await expect.poll(() => streams[1]?.events.length).toBe(2);
    const heard = (index: number) => new Set(streams[index]?.events.map(({ kind }) => kind));
    await expect.poll(() => heard(0)).toEqual(new Set(['fax.changed', 'installation.changed']));
    await expect.poll(() => heard(2)).toEqual(new Set(['installation.changed']));
  });

  test('moves on without the events that are not theirs', async () => {
    const key = await keyWith(gateway);
    const { next } = await changes(undefined, key);
    await sendOne();
    const after = await changes(next, key);
    expect(after.events).toEqual([]);
    expect(after.next).toBe((await changes()).next);
  });
});
