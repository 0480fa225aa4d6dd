import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { KEY_FILES } from '../../server/config/secrets.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { type EventReader, listen } from './console-stream.ts';

const FAXES = ['fax:send', 'fax:read', 'fax:document'];

let gateway: TestGateway;
let people: MailboxPeople;
let clerk: Person;
let both: Person;
beforeAll(async () => {
  gateway = await startTestGateway();
  people = new MailboxPeople(gateway);
  await people.addMailbox('clinic', 'Clinic');
  await people.addMailbox('archive', 'Archive');
  await people.addMailbox('closed', 'Closed', { enabled: false });
  clerk = await people.addPerson({ 'mailbox:clinic': FAXES, 'mailbox:closed': FAXES });
  both = await people.addPerson({ 'mailbox:clinic': FAXES, 'mailbox:archive': FAXES });
});
afterAll(() => gateway.close());

function post(
  person: Person | null,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ to: '+12025550123', ...fields })) form.append(name, value);
  form.append('file', textFile());
  return gateway.request('POST', '/fax', { form, headers, ...(person ? { key: person.key } : {}) });
}

async function accepted(answer: Promise<Response>): Promise<Fax> {
  const response = await answer;
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Fax;
}

async function refused(answer: Promise<Response>): Promise<[number, string]> {
  const response = await answer;
  return [response.status, ((await response.json()) as { detail: string }).detail];
}

async function cancel({ id, delivery_version }: Fax): Promise<string> {
  const response = await gateway.request('POST', `/fax/${id}/cancel`, { json: { delivery_version } });
  expect(response.status).toBe(200);
  return id;
}

const resend = (person: Person | null, id: string, json: unknown = {}) =>
  gateway.request('POST', `/fax/${id}/resend`, { json, ...(person ? { key: person.key } : {}) });

const NOT_YOURS = 'You cannot send for that mailbox, or it is disabled.';
const UNKNOWN = 'That mailbox does not exist or is disabled.';
const WHICH = 'Choose which mailbox this fax is sent for.';

describe('a fax is sent', () => {
  test('for no mailbox when the sender may send everywhere and names none', async () => {
    expect((await accepted(post(null))).mailbox).toBeNull();
    expect((await accepted(post(null, { mailbox: 'clinic' }))).mailbox).toBe('Clinic');
    expect((await accepted(post(null, { mailbox: 'Archive' }))).mailbox).toBe('Archive');
    for (const mailbox of ['closed', 'Closed', 'nowhere'])
      expect(await refused(post(null, { mailbox }))).toEqual([400, UNKNOWN]);
  });

  test('for the only mailbox that the sender may send for', async () => {
    expect((await accepted(post(clerk))).mailbox).toBe('Clinic');
    expect((await accepted(post(clerk, { mailbox: 'Clinic' }))).mailbox).toBe('Clinic');
  });

  test('for the named mailbox when the sender may send for several', async () => {
    expect(await refused(post(both))).toEqual([400, WHICH]);
    expect((await accepted(post(both, { mailbox: 'archive' }))).mailbox).toBe('Archive');
  });

  test('never for a mailbox of others, a disabled one or an unknown one', async () => {
    for (const mailbox of ['archive', 'Archive', 'closed', 'nowhere'])
      expect(await refused(post(clerk, { mailbox }))).toEqual([403, NOT_YOURS]);
    const nobody = await people.addPerson({ 'mailbox:closed': FAXES });
    expect(await refused(post(nobody))).toEqual([403, 'There is no enabled mailbox that you can send for.']);
  });

  test('once for each Idempotency-Key of a sender, also when others use the same key', async () => {
    const key = { 'Idempotency-Key': 'mailboxes' };
    const first = await accepted(post(both, { mailbox: 'clinic' }, key));
    expect((await accepted(post(both, { mailbox: 'Clinic' }, key))).id).toBe(first.id);
    const [status] = await refused(post(both, { mailbox: 'archive' }, key));
    expect(status).toBe(409);
    expect((await accepted(post(clerk, {}, key))).id).not.toBe(first.id);
  });
});

describe('a fax is sent again', () => {
  test('for its mailbox when the sender may send for it', async () => {
    const id = await cancel(await accepted(post(null, { mailbox: 'clinic' })));
    expect((await accepted(resend(null, id))).mailbox).toBe('Clinic');
    expect((await accepted(resend(both, id))).mailbox).toBe('Clinic');
    expect((await accepted(resend(both, id, { mailbox: 'archive' }))).mailbox).toBe('Archive');
    expect(await refused(resend(clerk, id, { mailbox: 'archive' }))).toEqual([403, NOT_YOURS]);
  });

  test('for the own mailbox of the sender when they may no longer send for the earlier one', async () => {
    const person = await people.addPerson({ 'mailbox:clinic': FAXES });
    const id = await cancel(await accepted(post(person)));
    await people.grant(person.id, { 'mailbox:archive': FAXES });
    expect((await accepted(resend(person, id))).mailbox).toBe('Archive');
    await people.grant(person.id, { 'mailbox:archive': FAXES, 'mailbox:clinic': ['fax:read'] });
    expect((await accepted(resend(person, id))).mailbox).toBe('Archive');
  });

  test('for no mailbox when it had none', async () => {
    const id = await cancel(await accepted(post(null)));
    expect((await accepted(resend(null, id))).mailbox).toBeNull();
  });
});

describe('the console', () => {
  const open: EventReader[] = [];
  afterEach(async () => {
    for (const reader of open.splice(0)) await reader.close();
  });

  const changedFaxes = async (gateway: TestGateway, person: Person, after?: string) => {
    const path = after === undefined ? '/console/changes' : `/console/changes?after=${after}`;
    const response = await gateway.request('GET', path, { key: person.key });
    const { events, next } = (await response.json()) as { events: { data: unknown }[]; next: string };
    return { ids: events.map(({ data }) => (data as { id: string }).id), events, next };
  };

  test('receives the mailboxes to choose from', async () => {
    const contextOf = async (person: Person | null) => {
      const options = person ? { key: person.key } : {};
      return (await (await gateway.request('GET', '/auth/context', options)).json()) as {
        navigation: Record<string, boolean>;
        permissions: string[];
        anywhere: string[];
        send: { mailboxes: unknown[] } | null;
      };
    };
    const [archive, clinic] = [
      { id: 'archive', label: 'Archive' },
      { id: 'clinic', label: 'Clinic' },
    ];
    expect((await contextOf(null)).send?.mailboxes).toEqual([archive, clinic]);
    expect((await contextOf(both)).send?.mailboxes).toEqual([archive, clinic]);
    const own = await contextOf(clerk);
    expect(own.send?.mailboxes).toEqual([clinic]);
    expect([own.permissions, own.anywhere]).toEqual([[], FAXES]);
    expect(own.navigation).toMatchObject({ jobs: true, send: true, inbox: false });
    const reader = await contextOf(await people.addPerson({ 'mailbox:clinic': ['fax:read'] }));
    expect(reader.send).toBeNull();
    expect(reader.navigation).toMatchObject({ jobs: true, send: false });
  });

  test('receives only changes of own faxes and of faxes in own mailboxes', async () => {
    const reader = await people.addPerson({ 'mailbox:clinic': ['fax:read'] });
    const sender = await people.addPerson({ 'mailbox:archive': ['fax:send'] });
    const stream = await listen(gateway, { key: reader.key });
    open.push(stream);
    const before = (await changedFaxes(gateway, reader)).next;
    const hidden = await accepted(post(null));
    const archived = await accepted(post(null, { mailbox: 'archive' }));
    const own = await accepted(post(sender));
    const seen = await accepted(post(null, { mailbox: 'clinic' }));
    const reported = await changedFaxes(gateway, reader, before);
    expect(reported.ids).toEqual([seen.id]);
    expect(reported.events.map((event) => Object.keys(event).sort())).toEqual([['data', 'id', 'kind']]);
    expect((await changedFaxes(gateway, sender, before)).ids).toEqual([own.id]);
    expect((await changedFaxes(gateway, both, before)).ids).toEqual([archived.id, own.id, seen.id]);
    await expect.poll(() => stream.events).toHaveLength(1);
    expect(JSON.stringify(stream.all)).toContain(seen.id);
    for (const { id } of [hidden, archived, own]) expect(JSON.stringify(stream.all)).not.toContain(id);
  });

  test.skipIf(postgresUrl === null)(
    `receives the same changes through other gateways${withoutPostgres}`,
    async () => {
      const databaseUrl = await newPostgresDatabase();
      const first = await startTestGateway({ databaseUrl });
      const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-'));
      await copyFile(join(first.dataFolder, KEY_FILES.data), join(dataFolder, KEY_FILES.data));
      const second = await startTestGateway({ databaseUrl, clock: first.clock, dataFolder });
      try {
        const there = new MailboxPeople(first, databaseUrl);
        await there.addMailbox('clinic', 'Clinic');
        const reader = await there.addPerson({ 'mailbox:clinic': ['fax:read'] });
        const before = (await changedFaxes(second, reader)).next;
        await first.send();
        const seen = await first.send({ mailbox: 'clinic' });
        expect((await changedFaxes(second, reader, before)).ids).toEqual([seen.id]);
      } finally {
        await second.close();
        await first.close();
        await dropPostgresDatabase(databaseUrl);
      }
    },
  );
});
