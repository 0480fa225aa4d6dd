import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { keyWith } from './console-stream.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
});
afterAll(() => gateway.close());

async function request(method: string, path: string, json?: unknown, key?: string): Promise<[number, Body]> {
  const answer = await gateway.request(method, path, { json, ...(key !== undefined && { key }) });
  return [answer.status, await answer.json()];
}

async function create(fields: object): Promise<Body> {
  const [status, contact] = await request('POST', '/contacts', fields);
  expect(status, JSON.stringify(contact)).toBe(201);
  return contact;
}

async function sendAndComplete(to: string, errorId?: number): Promise<Body> {
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), errorId === undefined ? {} : { errorId });
  gateway.clock.advance(5 * MINUTE);
  await gateway.processAll();
  return gateway.fax(id);
}

const complete = async (q: string, key?: string) =>
  (await request('GET', `/contacts/complete?q=${encodeURIComponent(q)}`, undefined, key))[1].items;
const namesFor = async (q: string, key?: string) => (await complete(q, key)).map(({ name }: Body) => name);

test('completes parts of names, organizations, tags and numbers, the recently used contacts first', async () => {
  await create({ name: 'Ada Bergström', organization: 'Bay Clinic', fax_number: '+14155550101' });
  await create({ name: 'Zoe Clinic Desk', fax_number: '+14155550102', tags: ['Ärzte'] });
  await create({
    name: 'Clinic of the East',
    fax_number: '+14155550103',
    other_fax_numbers: ['+14155550177'],
  });
  expect(await namesFor('clinic')).toEqual(['Clinic of the East', 'Ada Bergström', 'Zoe Clinic Desk']);
  expect(await namesFor('bergstrom ada')).toEqual(['Ada Bergström']);
  expect(await namesFor('arzte')).toEqual(['Zoe Clinic Desk']);
  expect((await complete('(415) 555-0177'))[0]).toMatchObject({
    name: 'Clinic of the East',
    fax_number: '+14155550177',
    last_used_at: null,
  });
  expect(await namesFor('nobody')).toEqual([]);
  expect(await namesFor('')).toEqual([]);
  const sent = await sendAndComplete('+14155550102');
  expect(await complete('clinic')).toMatchObject([
    { name: 'Zoe Clinic Desk', last_used_at: sent.created_at, last_success_at: sent.updated_at },
    { name: 'Clinic of the East' },
    { name: 'Ada Bergström' },
  ]);
  expect(await namesFor('')).toEqual(['Zoe Clinic Desk']);
  // A key that sees no faxes gets the names without their use.
  const reader = await keyWith(gateway, 'contacts:read');
  expect(await complete('zoe', reader)).toMatchObject([{ last_used_at: null, last_success_at: null }]);
  expect(await namesFor('', reader)).toEqual([]);
});

test('counts contacts by tag, by name', async () => {
  await create({ name: 'Tagged 1', fax_number: '+14155550111', tags: ['Freight', 'East'] });
  await create({ name: 'Tagged 2', fax_number: '+14155550112', tags: ['Freight'] });
  const [, { items }] = await request('GET', '/contacts/tags');
  expect(items).toEqual([
    { tag: 'Ärzte', contacts: 1 },
    { tag: 'East', contacts: 1 },
    { tag: 'Freight', contacts: 2 },
  ]);
});

test('rule (contacts): the history of a contact covers all its numbers, and only faxes that the caller may see', async () => {
  const { id } = await create({
    name: 'Millstone Pharmacy',
    fax_number: '+15035550126',
    other_fax_numbers: ['+15035550127'],
  });
  const failed = await sendAndComplete('+15035550126', 17);
  const reached = await sendAndComplete('+15035550127');
  const [, received] = await request('POST', '/inbound/test', { from_number: '+15035550127' });
  const [, history] = await request('GET', `/contacts/${id}/history`);
  expect(history).toMatchObject({
    delivered: 1,
    failed: 1,
    pages_delivered: 1,
    last_success_at: reached.updated_at,
    last_failure_at: failed.updated_at,
    last_received_at: received.received_at,
    recent: [
      { direction: 'received', id: received.id, number: '+15035550127', delivery_state: null },
      { direction: 'sent', id: reached.id, number: '+15035550127', pages: 1, delivery_state: 'success' },
      { direction: 'sent', id: failed.id, number: '+15035550126', delivery_state: 'failed' },
    ],
  });
  expect((await request('GET', `/contacts/${id}`))[1].last_success_at).toBe(reached.updated_at);
  const reader = await keyWith(gateway, 'contacts:read');
  expect((await request('GET', `/contacts/${id}/history`, undefined, reader))[1]).toEqual({
    delivered: 0,
    failed: 0,
    pages_delivered: 0,
    last_success_at: null,
    last_failure_at: null,
    last_received_at: null,
    recent: [],
  });
});

test('rule (contacts): two contacts become one that keeps every number, block and opt-out of both', async () => {
  const kept = await create({
    name: 'Orchard Dental',
    fax_number: '+15035550133',
    note: 'Ask Lee',
    tags: ['A'],
  });
  const other = await create({
    name: 'Orchard Dental Group',
    organization: 'Orchard',
    fax_number: '+15035550134',
    other_fax_numbers: ['+15035550135'],
    voice_number: '+15035550136',
    tags: ['a', 'B'],
    note: 'Closed on Friday',
    opted_out: true,
    blocked: true,
    encoded_pages: 'encrypted',
    shared_key: 'a long shared key of both sides',
  });
  const path = `/contacts/${kept.id}/merge`;
  const body = { version: 1, other_id: other.id, other_version: 1 };
  expect((await request('POST', path, { ...body, other_version: 2 }))[0]).toBe(409);
  expect((await request('POST', path, { ...body, other_id: kept.id }))[1].detail).toBe(
    'This is one and the same contact.',
  );
  const [, shown] = await request('POST', path, { ...body, check_only: true });
  const [status, merged] = await request('POST', path, body);
  // Nothing was changed before, and what was shown is what both became.
  expect({ ...shown, version: 0, updated_at: '' }).toEqual({ ...merged, version: 0, updated_at: '' });
  expect([status, merged], JSON.stringify(merged)).toMatchObject([
    200,
    {
      id: kept.id,
      name: 'Orchard Dental',
      organization: 'Orchard',
      fax_number: '+15035550133',
      other_fax_numbers: ['+15035550134', '+15035550135'],
      voice_number: '+15035550136',
      tags: ['A', 'B'],
      note: 'Ask Lee\nClosed on Friday\nOrchard Dental Group',
      blocked: true,
      opted_out: true,
      opted_out_at: other.opted_out_at,
      encoded_pages: 'encrypted',
      shared_key_fingerprint: other.shared_key_fingerprint,
      version: 2,
    },
  ]);
  expect(await request('GET', `/contacts/${other.id}`)).toEqual([
    404,
    { detail: ERRORS.no_such_contact.sentence },
  ]);
  expect((await request('GET', '/contacts?fax_number=%2B15035550135'))[1].items).toMatchObject([
    { id: kept.id },
  ]);
  const numbers = Array.from({ length: 4 }, (_, at) => `+1503555019${at}`);
  const [fax_number, ...others] = numbers;
  const wide = await create({ name: 'Wide', fax_number, other_fax_numbers: others });
  const refused = await request('POST', path, { version: 2, other_id: wide.id, other_version: 1 });
  expect(refused[1].detail).toBe('Together they have more than 6 fax numbers. Remove some of them first.');
  const [, { items }] = await request('GET', '/access/audit?operation=contact.merge');
  expect(items.find(({ outcome }: Body) => outcome === 'done')).toMatchObject({
    target: { kind: 'contact', id: kept.id },
    details: { merged: other.id },
  });
});
