import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboundRoutes, olderInboundRoutes } from '../../shared/api/inbound.ts';
import { junkRoutes } from '../../shared/api/inbound-junk.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { listen } from './console-stream.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

const SEEING = ['inbound:list', 'inbound:read', 'inbound:document'];
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const CLINIC = '+12025550101';
const ARCHIVE = '+12025550102';
const WARD = '+12025550103';
const PAST = '+12025550104';
const PRESENT = '+12025550105';
const HIDDEN_SENDER = '+12025550166';
const ROUTES: Readonly<Record<string, RouteDefinition>> = {
  ...junkRoutes,
  ...inboundRoutes,
  ...olderInboundRoutes,
};

/**
 * Resource that a route works on. `everywhere`: it requires a permission on the installation, so that nothing is hidden
 * there.
 */
type About = { of: 'fax'; json?: unknown; seen?: number } | { of: 'list' | 'everywhere' };
const ABOUT: Readonly<Record<string, About>> = {
  listInbound: { of: 'list' },
  pageInbound: { of: 'list' },
  countInbound: { of: 'list' },
  getInbound: { of: 'fax' },
  inboundPdf: { of: 'fax' },
  // The pages of the fax carry none.
  inboundOriginal: { of: 'fax', seen: 404 },
  decodeInbound: { of: 'fax', json: {} },
  inboundPage: { of: 'fax' },
  inboundEvidence: { of: 'fax' },
  inboundReaders: { of: 'fax' },
  describeInbound: {
    of: 'fax',
    json: { subject: 'Referral', expected_about: { subject: null, reference: null, document_type: null } },
  },
  markInbound: { of: 'fax', json: { read: true } },
  turnInbound: { of: 'fax', json: { pages: [1], quarter_turns: 1 } },
  inboundTargets: { of: 'fax' },
  // A caller who may only see the fax may not move it.
  moveInbound: { of: 'fax', json: { mailbox: 'clinic' }, seen: 403 },
  blockedSenders: { of: 'everywhere' },
  blockSender: { of: 'everywhere' },
  unblockSender: { of: 'everywhere' },
  notJunk: { of: 'everywhere' },
  applyInboundRules: { of: 'everywhere' },
  fetchInbound: { of: 'everywhere' },
  testInbound: { of: 'everywhere' },
  // Any test key that may list may have its own; the caller sees nothing of others.
  receiveTestFax: { of: 'list' },
  adminSimulateInbound: { of: 'everywhere' },
};
const OF_A_FAX = Object.entries(ABOUT).flatMap(([name, about]) => (about.of === 'fax' ? [name] : []));

test('every route of received faxes says what it is about', () => {
  expect(Object.keys(ABOUT).sort()).toEqual(Object.keys(ROUTES).sort());
  for (const [name, { path, access, anywhere }] of Object.entries(ROUTES)) {
    const of = ABOUT[name]?.of;
    expect([name, anywhere ?? false]).toEqual([name, of === 'fax' || of === 'list']);
    expect([name, access === 'public']).toEqual([name, false]);
    expect([name, path.startsWith('/inbound/:id') && anywhere === true]).toEqual([name, of === 'fax']);
  }
});

describe.each(STORES)(`in %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let inbound: InboundGateway;
  let people: MailboxPeople;
  /** Sees one mailbox, one document of another, and nothing. */
  let clerk: Person;
  let guest: Person;
  let stranger: Person;
  let faxes: Record<'clinic' | 'archive' | 'none', Inbound>;

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    inbound = await InboundGateway.start({ databaseUrl });
    people = new MailboxPeople(inbound.gateway, databaseUrl);
    for (const [id, number] of [
      ['clinic', CLINIC],
      ['archive', ARCHIVE],
    ] as const) {
      await people.addMailbox(id, id);
      await people.addRule(number, id);
    }
    faxes = {
      none: await arrive('+12025550155', HIDDEN_SENDER),
      archive: await arrive(ARCHIVE, HIDDEN_SENDER),
      clinic: await arrive(CLINIC),
    };
    clerk = await people.addPerson({ 'mailbox:clinic': SEEING });
    guest = await people.addPerson({ [`inbound:${faxes.archive.id}`]: SEEING });
    stranger = await people.addPerson({ 'mailbox:elsewhere': SEEING });
  });
  afterAll(async () => {
    await inbound.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  async function arrive(to: string, from?: string): Promise<Inbound> {
    inbound.gateway.clock.advance(MINUTE);
    await inbound.notify(inbound.arrive({ to, ...(from === undefined ? {} : { from }) }));
    const [newest] = await inbound.list('?limit=1');
    return newest as Inbound;
  }

  /** Everything of an answer but what every answer has of its own. */
  async function wholeOf(route: string, id: string, { key }: Person) {
    const { method, path } = ROUTES[route] as RouteDefinition;
    const about = ABOUT[route];
    const json = about?.of === 'fax' ? about.json : undefined;
    const url = path.replace(':id', id).replace(':page', '1');
    const response = await inbound.gateway.request(method, url, { key, json });
    const headers = [...response.headers].filter(([header]) => !['date', 'x-request-id'].includes(header));
    return { status: response.status, headers, body: await response.text() };
  }

  const missing404 = { status: 404, body: JSON.stringify({ detail: ERRORS.no_such_received_fax.sentence }) };

  test.each(OF_A_FAX)('%s answers a hidden fax like a missing one', async (route) => {
    for (const [person, hidden] of [
      [clerk, [faxes.archive, faxes.none]],
      [guest, [faxes.clinic, faxes.none]],
      [stranger, [faxes.clinic, faxes.archive, faxes.none]],
    ] as const) {
      const missing = await wholeOf(route, UNKNOWN, person);
      expect(missing).toMatchObject(missing404);
      for (const { id } of hidden) expect(await wholeOf(route, id, person)).toEqual(missing);
    }
  });

  test.each(OF_A_FAX)(
    '%s opens what lies in the mailbox, and the one document that was given',
    async (route) => {
      const about = ABOUT[route];
      const status = about?.of === 'fax' ? (about.seen ?? 200) : 200;
      expect(await wholeOf(route, faxes.clinic.id, clerk)).toMatchObject({ status });
      expect(await wholeOf(route, faxes.archive.id, guest)).toMatchObject({ status });
    },
  );

  test('lists, pages, filters and searches return nothing of the others', async () => {
    const seen = async (query: string, { key }: Person) =>
      (await inbound.list(query, key)).map(({ id }) => id);
    expect(await seen('', clerk)).toEqual([faxes.clinic.id]);
    expect(await seen('', guest)).toEqual([faxes.archive.id]);
    for (const query of [
      '?mailbox=archive',
      `?to_number=${encodeURIComponent(ARCHIVE)}`,
      `?from_number=${encodeURIComponent(HIDDEN_SENDER)}`,
      '?q=0166',
      '?q=0155',
      `?until=${encodeURIComponent(faxes.archive.received_at ?? '')}`,
      `?q=${faxes.archive.id}`,
    ])
      expect([query, await seen(query, clerk)]).toEqual([query, []]);
    const page = await inbound.gateway.request('GET', '/inbound/page?limit=1', { key: clerk.key });
    expect(await page.json()).toMatchObject({ items: [{ id: faxes.clinic.id }], next_cursor: null });
    const first = await inbound.gateway.request('GET', '/inbound?limit=1', { key: clerk.key });
    expect(first.headers.get('link')).toBeNull();
    await first.body?.cancel();
  });

  test('counts are of what is visible, and answers to a stranger hold nothing of any fax', async () => {
    expect(await inbound.counts(stranger.key)).toEqual({ unread: 0, waiting: 0, failed: 0, junk: 0 });
    const newcomer = await people.addPerson({ [`inbound:${faxes.archive.id}`]: SEEING });
    expect((await inbound.counts(newcomer.key)).unread).toBe(1);
    for (const route of ['listInbound', 'pageInbound', 'countInbound']) {
      const { body } = await wholeOf(route, UNKNOWN, stranger);
      for (const { id } of Object.values(faxes)) expect(body).not.toContain(id);
      expect(body).not.toMatch(/0101|0102|0166|clinic|archive/u);
    }
  });

  test('no listener is notified of a fax they may not see, neither at once nor later', async () => {
    await people.addMailbox('ward', 'ward');
    await people.addRule(WARD, 'ward');
    const nurse = await people.addPerson({ 'mailbox:ward': SEEING });
    const streams = {
      nurse: await listen(inbound.gateway, { key: nurse.key }),
      stranger: await listen(inbound.gateway, { key: stranger.key }),
    };
    const changesOf = async ({ key }: Person, after = '') => {
      const answer = await inbound.gateway.request('GET', `/console/changes${after}`, { key });
      return (await answer.json()) as { events: { data: { id: string } }[]; next: string };
    };
    const [ofNurse, ofStranger] = [await changesOf(nurse), await changesOf(stranger)];
    const hidden = await arrive(ARCHIVE);
    const visible = await arrive(WARD);
    await expect.poll(() => streams.nurse.events.length).toBeGreaterThan(0);
    const reported = streams.nurse.events.map(({ data }) => (data as { id: string }).id);
    expect([reported.includes(visible.id), reported.includes(hidden.id)]).toEqual([true, false]);
    expect(streams.stranger.events).toEqual([]);
    const later = (await changesOf(nurse, `?after=${ofNurse.next}`)).events.map(({ data }) => data.id);
    expect(new Set(later)).toEqual(new Set([visible.id]));
    expect((await changesOf(stranger, `?after=${ofStranger.next}`)).events).toEqual([]);
    for (const stream of Object.values(streams)) await stream.close();
  });

  test('a listener is notified by their permissions now, not by those at the time of connecting', async () => {
    await people.addMailbox('past', 'past');
    await people.addMailbox('present', 'present');
    await people.addRule(PAST, 'past');
    await people.addRule(PRESENT, 'present');
    const mover = await people.addPerson({ 'mailbox:past': SEEING });
    const stream = await listen(inbound.gateway, { key: mover.key });
    await people.grant(mover.id, { 'mailbox:present': SEEING });
    inbound.gateway.clock.advance(MINUTE);
    // The page of a listener who lost rights reads everything again.
    await expect.poll(() => stream.events.map(({ kind }) => kind)).toContain('reset');
    await arrive(PAST);
    const visible = await arrive(PRESENT);
    const reported = () =>
      stream.events.filter(({ kind }) => kind !== 'reset').map(({ data }) => (data as { id: string }).id);
    await expect.poll(reported).not.toEqual([]);
    expect(new Set(reported())).toEqual(new Set([visible.id]));
    await stream.close();
  });
});
