import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { olderFaxRoutes, outboundRoutes } from '../../shared/api/outbound.ts';
import type { FaxCounts, FaxNumber, NumberCheck } from '../../shared/api/outbound-shapes.ts';
import type { RouteDefinition } from '../../shared/api/route.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

const FAX_PERMISSIONS = ['fax:send', 'fax:read', 'fax:document', 'fax:refresh', 'fax:reconcile'];
const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const ROUTES: Readonly<Record<string, RouteDefinition>> = { ...outboundRoutes, ...olderFaxRoutes };

/** Resource of a route. A route of one fax answers `status` for a canceled fax that the caller may see. */
type RouteSubject =
  | { of: 'fax'; status: number; json?: unknown }
  | { of: 'list' | 'new fax' | 'own preview' | 'link' | 'provider' };

const version = { delivery_version: 99 };
const SUBJECTS: Readonly<Record<string, RouteSubject>> = {
  sendFax: { of: 'new fax' },
  previewFax: { of: 'own preview' },
  previewState: { of: 'own preview' },
  redrawPreview: { of: 'own preview' },
  removePreview: { of: 'own preview' },
  previewPage: { of: 'own preview' },
  previewUnchangedPage: { of: 'own preview' },
  previewEncoded: { of: 'own preview' },
  listFaxes: { of: 'list' },
  adminListFaxes: { of: 'list' },
  countFaxes: { of: 'list' },
  dayReports: { of: 'list' },
  faxCalendar: { of: 'list' },
  listNumbers: { of: 'list' },
  checkNumber: { of: 'list' },
  proposeAbout: { of: 'list' },
  getFax: { of: 'fax', status: 200 },
  adminGetFax: { of: 'fax', status: 200 },
  servePdf: { of: 'link' },
  releaseFax: { of: 'fax', status: 409, json: version },
  cancelFax: { of: 'fax', status: 409, json: version },
  scheduleFax: { of: 'fax', status: 409, json: { send_at: null, ...version } },
  describeFax: { of: 'fax', status: 200, json: { subject: 'Referral' } },
  seenFax: { of: 'fax', status: 200 },
  reconcileFax: { of: 'fax', status: 409, json: { outcome: 'failed', note: 'Called.', ...version } },
  resendFax: { of: 'fax', status: 202 },
  tryFaxAgain: { of: 'fax', status: 409 },
  refreshFax: { of: 'fax', status: 200 },
  adminRefreshFax: { of: 'fax', status: 200 },
  faxHistory: { of: 'fax', status: 200 },
  faxDocument: { of: 'fax', status: 200 },
  adminFaxPdf: { of: 'fax', status: 200 },
  faxOriginal: { of: 'fax', status: 404 },
  faxReport: { of: 'fax', status: 200 },
};
const FAX_ROUTES = Object.entries(SUBJECTS).flatMap(([name, subject]) =>
  subject.of === 'fax' ? [[name, subject] as const] : [],
);

let gateway: TestGateway;

async function sendAs(key: string | undefined, fields: Record<string, string>): Promise<Fax> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ to: '+12025550123', ...fields })) form.append(name, value);
  form.append('file', textFile());
  const response = await gateway.request('POST', '/fax', { key, form });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Fax;
}

async function cancelFax(fax: Fax): Promise<string> {
  const json = { delivery_version: fax.delivery_version };
  const response = await gateway.request('POST', `/fax/${fax.id}/cancel`, { json });
  expect(response.status).toBe(200);
  return fax.id;
}

async function deliverFax(fields: Record<string, string>): Promise<string> {
  const { id } = await sendAs(undefined, fields);
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), { status: 'success' });
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
  return id;
}

/** Returns the answer of a route, without the headers that differ in every answer. */
async function answerOf(name: string, id: string, key: string): Promise<unknown> {
  const { method, path } = ROUTES[name] as RouteDefinition;
  const subject = SUBJECTS[name];
  const json = subject?.of === 'fax' ? subject.json : undefined;
  const response = await gateway.request(method, path.replace(':id', id), { key, json });
  const headers = [...response.headers].filter(([header]) => !['date', 'x-request-id'].includes(header));
  return { status: response.status, headers, body: await response.text() };
}

async function request<T>(path: string, { key }: { key: string }): Promise<T> {
  const response = await gateway.request('GET', path, { key });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const listed = async (path: string, person: Person) =>
  (await request<{ items: Fax[] }>(path, person)).items.map(({ id }) => id);

test('every route of sent faxes is listed with its resource', () => {
  expect(Object.keys(SUBJECTS).sort()).toEqual(Object.keys(ROUTES).sort());
  for (const [name, { path, access, anywhere }] of Object.entries(ROUTES)) {
    const isOfFax = /^\/(?:admin\/fax-jobs|fax)\/:id/u.test(path) && access !== 'public';
    expect([name, isOfFax]).toEqual([name, SUBJECTS[name]?.of === 'fax']);
    expect([name, anywhere ?? false]).toEqual([name, access !== 'public']);
  }
});

describe.each(STORES)('in %s', (name) => {
  let databaseUrl: string | null = null;
  let people: MailboxPeople;
  /** Every permission on the mailbox Clinic. */
  let clerk: Person;
  /** May only read in Clinic. */
  let viewer: Person;
  /** May only read in Clinic, with every permission on Archive. */
  let mixed: Person;
  /** Every permission on Archive; sent a fax while it was on Clinic. */
  let moved: Person;
  let faxes: Record<'ofNone' | 'ofClinic' | 'ofArchive' | 'ofMoved', string>;

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    people = new MailboxPeople(gateway, databaseUrl);
    await people.addMailbox('clinic', 'Clinic');
    await people.addMailbox('archive', 'Archive');
    clerk = await people.addPerson({ 'mailbox:clinic': FAX_PERMISSIONS });
    viewer = await people.addPerson({ 'mailbox:clinic': ['fax:read'] });
    mixed = await people.addPerson({ 'mailbox:clinic': ['fax:read'], 'mailbox:archive': FAX_PERMISSIONS });
    moved = await people.addPerson({ 'mailbox:clinic': FAX_PERMISSIONS });
    const ofMoved = await cancelFax(await sendAs(moved.key, { to: '+12025550144' }));
    await people.grant(moved.id, { 'mailbox:archive': FAX_PERMISSIONS });
    faxes = {
      ofMoved,
      ofArchive: await deliverFax({ to: '+12025550133', mailbox: 'archive' }),
      ofNone: await deliverFax({ to: '+12025550111' }),
      ofClinic: await cancelFax(await sendAs(undefined, { to: '+12025550122', mailbox: 'clinic' })),
    };
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  test.each(FAX_ROUTES)('%s answers a hidden fax like a missing one', async (route) => {
    const missing = await answerOf(route, UNKNOWN, clerk.key);
    expect(missing).toMatchObject({
      status: 404,
      body: JSON.stringify({ detail: ERRORS.no_such_fax.sentence }),
    });
    for (const hidden of [faxes.ofNone, faxes.ofArchive])
      expect(await answerOf(route, hidden, clerk.key)).toEqual(missing);
  });

  test.each(FAX_ROUTES)('%s opens faxes of the mailbox, and own ones', async (route, { status }) => {
    expect(await answerOf(route, faxes.ofClinic, clerk.key)).toMatchObject({ status });
    expect(await answerOf(route, faxes.ofMoved, moved.key)).toMatchObject({ status });
  });

  test.each(FAX_ROUTES)('%s is refused where only reading is allowed', async (route, { status }) => {
    const mayRead = ROUTES[route]?.access === 'fax:read';
    for (const person of [viewer, mixed])
      expect(await answerOf(route, faxes.ofClinic, person.key)).toMatchObject(
        mayRead ? { status } : { status: 403, body: JSON.stringify({ detail: ERRORS.not_allowed.sentence }) },
      );
  });

  test('lists, filters and searches show nothing of the others', async () => {
    const ofClinic = (await listed('/fax?state=cancelled', viewer)).toSorted();
    expect(ofClinic).toEqual([faxes.ofClinic, faxes.ofMoved].toSorted());
    expect(await listed('/admin/fax-jobs?state=cancelled', viewer)).toHaveLength(2);
    for (const path of ['/fax?state=success', '/fax?to=%2B12025550111', '/fax?q=0133'])
      expect([path, await listed(path, viewer)]).toEqual([path, []]);
    expect(await listed('/fax?created_by=bootstrap&state=cancelled', viewer)).toEqual([faxes.ofClinic]);
    const named = Object.values(faxes).join();
    expect(await listed(`/fax?ids=${named}`, viewer)).toEqual([faxes.ofClinic, faxes.ofMoved]);
    expect(await listed('/fax?to=%2B12025550133', moved)).toEqual([faxes.ofArchive]);
    expect(await listed('/fax?created_by=me&state=cancelled', moved)).toEqual([faxes.ofMoved]);
    expect(await listed('/fax?created_by=me', viewer)).toEqual([]);
    const [item] = (await request<{ items: Fax[] }>('/fax?q=0122', viewer)).items;
    expect(item?.mailbox).toBe('Clinic');
  });

  test('pages of the list leave out the others', async () => {
    const all = await listed('/fax?limit=200', clerk);
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: Fax[]; next_cursor: string | null } = await request(
        `/fax?limit=1${cursor}`,
        clerk,
      );
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`;
    }
    expect(ids).toEqual(all);
    expect(ids).not.toContain(faxes.ofNone);
  });

  test('counts include only visible faxes', async () => {
    const { all, mine } = await request<z.infer<typeof FaxCounts>>('/fax/counts', viewer);
    expect(all).toMatchObject({ success: 0, cancelled: 2 });
    expect(Object.values(mine).every((count) => count === 0)).toBe(true);
    const own = await request<z.infer<typeof FaxCounts>>('/fax/counts', moved);
    expect(own.all).toMatchObject({ success: 1, cancelled: 1 });
    expect(own.mine).toMatchObject({ success: 0, cancelled: 1 });
  });

  test('the calendar contains only visible faxes', async () => {
    const sendAt = new Date(gateway.clock.now() + 48 * 3600 * SECOND).toISOString();
    const fax = await sendAs(undefined, { to: '+12025550155', send_at: sendAt });
    const calendarOf = async (person: Person) =>
      (await request<{ count: number }>('/fax/scheduled', person)).count;
    expect([await calendarOf(viewer), await calendarOf(clerk)]).toEqual([0, 0]);
    expect(await listed('/fax?scheduled=true', clerk)).toEqual([]);
    expect(await request<z.infer<typeof FaxCounts>>('/fax/counts', clerk)).toMatchObject({
      scheduled: { all: 0, mine: 0 },
    });
    await cancelFax(fax);
  });

  test('numbers are those of visible faxes, with nothing of the others', async () => {
    const numbersOf = async (person: Person) =>
      (await request<{ items: z.infer<typeof FaxNumber>[] }>('/fax/numbers', person)).items;
    const numbers = await numbersOf(clerk);
    expect(numbers.map(({ to }) => to).sort()).toEqual(['+12025550122', '+12025550144']);
    expect(numbers.every(({ last_success_at }) => last_success_at === null)).toBe(true);
    const delivered = (await numbersOf(moved)).find(({ to }) => to === '+12025550133');
    expect(delivered).toMatchObject({ uses: 1, last_success_at: expect.any(String) });
    const check = (to: string, person: Person) =>
      request<z.infer<typeof NumberCheck>>(`/fax/numbers/check?to=${encodeURIComponent(to)}`, person);
    const nothing = { first_time: true, last_success_at: null, near: null };
    expect(await check('+12025550111', clerk)).toMatchObject(nothing);
    expect(await check('+12025550113', clerk)).toMatchObject(nothing);
    expect(await check('+12025550133', moved)).toMatchObject({ first_time: false, near: null });
    expect((await check('+12025550138', moved)).near?.to).toBe('+12025550133');
    expect((await check('+12025550138', clerk)).near).toBeNull();
  });

  test('rule (outbound): the reports of a day are those of the documents that one may open', async () => {
    const date = new Date(gateway.clock.now()).toISOString().slice(0, 10);
    const reported = async ({ key }: Person) => {
      const answer = await gateway.request('GET', `/fax/reports?date=${date}`, { key });
      const bytes = Buffer.from(await answer.arrayBuffer());
      // A report may name another fax that its reader may see, such as the first of one that is sent again.
      return [answer.status, ...Object.values(faxes).filter((id) => bytes.includes(`${id}.pdf`))];
    };
    expect(await reported(clerk)).toEqual([200, faxes.ofMoved, faxes.ofClinic]);
    expect(await reported(mixed)).toEqual([200, faxes.ofArchive]);
    expect(await reported(moved)).toEqual([200, faxes.ofMoved, faxes.ofArchive]);
    expect(await reported(viewer)).toEqual([403]);
  });

  test('a person who lost every role sees no faxes, not even their own', async () => {
    const gone = await people.addPerson({ 'mailbox:clinic': FAX_PERMISSIONS });
    const { id } = await sendAs(gone.key, {});
    expect(await listed('/fax?created_by=me', gone)).toEqual([id]);
    await people.grant(gone.id, {});
    for (const path of ['/fax', `/fax/${id}`, `/fax/${id}/document`])
      expect((await gateway.request('GET', path, { key: gone.key })).status).toBe(403);
  });
});
