import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../shared/errors/all.ts';
import type { FaxOutcome } from '../setup/emulators/cloudone/fax-record.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { type EventReader, keyWith, listen } from './console-stream.ts';

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

const names = async (query = '') =>
  (await request('GET', `/contacts${query}`))[1].items.map(({ name }: Body) => name);

async function importCsv(
  csv: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): Promise<[number, Body]> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new File([csv], 'contacts.csv'));
  const answer = await gateway.request('POST', '/contacts/import', { form });
  return [answer.status, await answer.json()];
}

/** Sends a fax to the number and completes it with the outcome. */
async function sendAndComplete(to: string, outcome: FaxOutcome): Promise<Fax> {
  const { id } = await gateway.send({ to });
  return complete(id, outcome);
}

async function complete(id: string, outcome: FaxOutcome): Promise<Fax> {
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  gateway.emulator.complete(String(provider_sid), outcome);
  gateway.clock.advance(5 * MINUTE);
  await gateway.processAll();
  return gateway.fax(id);
}

async function audited(operation: string): Promise<Body[]> {
  return (await request('GET', `/access/audit?operation=${operation}`))[1].items;
}

describe('a contact', () => {
  test('is created, changed by its version, and removed for good', async () => {
    const made = await create({ name: '  Mill Valley Cardiology ', fax_number: '(971) 555-0183', note: '' });
    expect(made).toMatchObject({
      name: 'Mill Valley Cardiology',
      organization: null,
      fax_number: '+19715550183',
      send_together_minutes: 0,
      note: null,
      blocked: false,
      last_success_at: null,
      recent_failures: 0,
      version: 1,
    });
    const path = `/contacts/${made.id}`;
    const change = { organization: 'Mill Group', send_together_minutes: 30, version: 1 };
    expect(await request('PATCH', path, change)).toEqual([
      200,
      expect.objectContaining({
        organization: 'Mill Group',
        send_together_minutes: 30,
        name: made.name,
        version: 2,
      }),
    ]);
    expect(await request('PATCH', path, { name: 'Other', version: 1 })).toEqual([
      409,
      { detail: ERRORS.stale.sentence },
    ]);
    expect((await request('PATCH', path, { name: made.name, version: 2 }))[1].version).toBe(2);
    expect((await request('PATCH', path, { send_together_minutes: 1441, version: 2 }))[0]).toBe(400);
    expect((await request('POST', `${path}/remove`, { version: 1 }))[0]).toBe(409);
    expect((await request('POST', `${path}/remove`, { version: 2 }))[0]).toBe(200);
    expect(await request('GET', path)).toEqual([404, { detail: ERRORS.no_such_contact.sentence }]);
    expect((await audited('contact.change')).find(({ outcome }) => outcome === 'done')).toMatchObject({
      target: { kind: 'contact', id: made.id },
      details: { fields: ['organization', 'send_together_minutes'] },
    });
    const recorded = JSON.stringify([
      await audited('contact.create'),
      await audited('contact.remove'),
      gateway.logLines,
    ]);
    expect(recorded).not.toContain('Mill Valley');
    expect(recorded).not.toContain('9715550183');
  });

  test('rule (contacts): a number has one contact, however it is typed', async () => {
    const one = await create({ name: 'Bridge Pharmacy', fax_number: '+1 360 555 0151' });
    const taken = [409, { detail: ERRORS.contact_number_taken.sentence }];
    expect(await request('POST', '/contacts', { name: 'Bridge', fax_number: '360-555-0151' })).toEqual(taken);
    const other = await create({ name: 'Orchard Dental', fax_number: '+15035550133' });
    expect(await request('PATCH', `/contacts/${other.id}`, { fax_number: '3605550151', version: 1 })).toEqual(
      taken,
    );
    expect(await request('POST', '/contacts', { name: 'Nobody', fax_number: '555' })).toEqual([
      400,
      { detail: ERRORS.invalid_fax_number.sentence },
    ]);
    expect((await request('GET', '/contacts?fax_number=360.555.0151'))[1].items).toEqual([one]);
  });

  test('is listed by name whatever its case and accents, in pages, and found by words in any order', async () => {
    await create({ name: 'émile Zöller', organization: 'Praxis am Markt', fax_number: '+14585550119' });
    await create({ name: 'Torres & Miller, attorneys', fax_number: '+13605550147', note: 'Call Dana first' });
    const all = await names();
    expect(all).toEqual(['Bridge Pharmacy', 'émile Zöller', 'Orchard Dental', 'Torres & Miller, attorneys']);
    const paged: string[] = [];
    let query = '?limit=1';
    for (;;) {
      const [, page] = await request('GET', `/contacts${query}`);
      paged.push(...page.items.map(({ name }: Body) => name));
      if (page.next_cursor === null) break;
      query = `?limit=1&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(all);
    const found = Object.fromEntries(
      await Promise.all(
        ['miller torres', 'zoller', 'Zöller markt', 'dana', '555 0147', '(360) 555', 'no one', '100%'].map(
          async (q) => [q, await names(`?q=${encodeURIComponent(q)}`)] as const,
        ),
      ),
    );
    expect(found).toEqual({
      'miller torres': ['Torres & Miller, attorneys'],
      zoller: ['émile Zöller'],
      'Zöller markt': ['émile Zöller'],
      dana: ['Torres & Miller, attorneys'],
      '555 0147': ['Torres & Miller, attorneys'],
      '(360) 555': ['Bridge Pharmacy', 'Torres & Miller, attorneys'],
      'no one': [],
      '100%': [],
    });
  });

  test('rule (crossings): a changed contact reaches open windows of those who may see contacts, by id and version', async () => {
    const readers: EventReader[] = [
      await listen(gateway, { key: await keyWith(gateway, 'contacts:read') }),
      await listen(gateway, { key: await keyWith(gateway, 'fax:read') }),
    ];
    const { id } = await create({ name: 'Cedar Ridge Imaging', fax_number: '+15415550190' });
    await request('POST', `/contacts/${id}/remove`, { version: 1 });
    const versions = [1, 2].map((version) => ({ id, version }));
    await expect.poll(() => readers[0]?.events.map(({ data }) => data)).toEqual(versions);
    expect(readers[1]?.events).toEqual([]);
    for (const reader of readers) await reader.close();
  });
});

describe('the number of a contact', () => {
  test('rule (crossings): sent and received faxes show their contact to those who may see contacts, and are found by its name', async () => {
    const { id } = await create({ name: 'Harborview Laboratory', fax_number: '+15035550173' });
    const contact = { id, name: 'Harborview Laboratory' };
    const sent = await gateway.send({ to: '(503) 555-0173' });
    expect(sent.contact).toEqual(contact);
    const given = { from_number: '+15035550173' };
    const [status, received] = await request('POST', '/inbound/test', given);
    expect([status, received], JSON.stringify(received)).toMatchObject([201, { contact }]);
    const [, check] = await request('GET', '/fax/numbers/check?to=503-555-0173');
    expect(check).toMatchObject({ contact, first_time: false, blocked: false });
    expect((await request('GET', '/fax/numbers'))[1].items[0]).toMatchObject({ to: '+15035550173', contact });
    const idsFound = async (path: string) => (await request('GET', path))[1].items.map((one: Body) => one.id);
    expect(await idsFound('/fax?q=laboratory%20harbor')).toEqual([sent.id]);
    expect(await idsFound('/inbound/page?q=harborview')).toEqual([received.id]);
    expect((await request('GET', '/work'))[1].items[0]).toMatchObject({ contact });
    const without = await keyWith(gateway, 'fax:read', 'inbound:list', 'inbound:read');
    expect((await request('GET', `/fax/${sent.id}`, undefined, without))[1].contact).toBeNull();
    expect((await request('GET', `/inbound/${received.id}`, undefined, without))[1].contact).toBeNull();
    expect((await request('GET', '/fax?q=harborview', undefined, without))[1].items).toEqual([]);
  });

  test('rule (contacts): a fax to a blocked number is refused before anything is recorded, also when it is sent again', async () => {
    const { id } = await create({ name: 'Wrong Number', fax_number: '+15035550101', blocked: true });
    const refused = [409, ERRORS.number_blocked.sentence];
    const answer = await gateway.sendForm({ to: '503 555 0101' }, [textFile()]);
    expect([answer.status, ((await answer.json()) as Body).detail]).toEqual(refused);
    expect((await request('GET', '/fax?to=%2B15035550101'))[1].items).toEqual([]);
    expect((await request('GET', '/fax/numbers/check?to=5035550101'))[1].blocked).toBe(true);
    await request('PATCH', `/contacts/${id}`, { blocked: false, version: 1 });
    const fax = await gateway.send({ to: '+15035550101' });
    await complete(fax.id, {});
    await request('PATCH', `/contacts/${id}`, { blocked: true, version: 2 });
    expect((await request('GET', '/contacts?blocked=true'))[1].items.map((one: Body) => one.id)).toEqual([
      id,
    ]);
    const again = await request('POST', `/fax/${fax.id}/resend`, {});
    expect([again[0], again[1].detail]).toEqual(refused);
  });

  test('rule (contacts): a contact shows the recent outcomes of its faxes that the caller may see', async () => {
    const to = '+15035550126';
    const { id } = await create({ name: 'Millstone Pharmacy', fax_number: to });
    const facts = async (key?: string) => {
      const { last_success_at, recent_failures } = (
        await request('GET', `/contacts/${id}`, undefined, key)
      )[1];
      return [last_success_at, recent_failures];
    };
    await sendAndComplete(to, { errorId: 17 });
    expect(await facts()).toEqual([null, 1]);
    const reached = await sendAndComplete(to, {});
    expect(await facts()).toEqual([reached.updated_at, 0]);
    gateway.clock.advance(60_000);
    await sendAndComplete(to, { errorId: 17 });
    await sendAndComplete(to, { errorId: 17 });
    expect(await facts()).toEqual([reached.updated_at, 2]);
    expect(await facts(await keyWith(gateway, 'contacts:read'))).toEqual([null, 0]);
    gateway.clock.advance(31 * DAY);
    expect(await facts()).toEqual([reached.updated_at, 0]);
  });
});

const GOOGLE = [
  'First Name,Last Name,Organization Name,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value',
  'Ana,Ruiz,County Health Office,Work,503-555-0100,Work Fax,503-555-0109',
].join('\n');

describe('an import', () => {
  test('reads the address books of Outlook, Google and a German Excel', async () => {
    const outlook =
      '\ufeff"First Name","Last Name","Company","Business Fax","Notes"\r\n"Lee","Park","Park Dental","(206) 555-0110","Two lines\r\nof note"\r\n,,"Northbank Mutual","206-555-0108",""\r\n';
    expect((await importCsv(outlook))[1]).toMatchObject({ added: 2, left_out: 0, problems: [] });
    expect((await importCsv(GOOGLE))[1]).toMatchObject({ added: 1, left_out: 0 });
    const latin = Uint8Array.from('Name;Firma;Fax\nJörg Weiß;Praxis;+49 30 901820\n', (sign) =>
      sign.charCodeAt(0),
    );
    expect((await importCsv(latin))[1]).toMatchObject({ added: 1 });
    const wide = Uint8Array.from(Buffer.from('\ufeffName\tFax\nŁukasz Żak\t+48225550100\n', 'utf16le'));
    expect((await importCsv(wide))[1]).toMatchObject({ added: 1 });
    const known = async (q: string) =>
      (await request('GET', `/contacts?q=${encodeURIComponent(q)}`))[1].items[0];
    expect(await known('lee park')).toMatchObject({
      organization: 'Park Dental',
      fax_number: '+12065550110',
      note: 'Two lines\nof note',
    });
    expect(await known('northbank')).toMatchObject({ name: 'Northbank Mutual', note: null });
    expect(await known('ana ruiz')).toMatchObject({ fax_number: '+15035550109' });
    expect(await known('jorg')).toMatchObject({ name: 'Jörg Weiß', fax_number: '+4930901820' });
    expect(await known('zak')).toMatchObject({ name: 'Łukasz Żak' });
  });

  test('reports each line that it left out, and changes nothing when it only checks', async () => {
    await create({ name: 'Kept As It Is', fax_number: '+12065550120', note: 'mine' });
    const csv = [
      'Name,Fax number,Blocked,Send together (minutes)',
      'New One,206 555 0121,yes,15',
      '',
      'Twice,2065550121,,',
      'Incomplete,555-01,no,0',
      ',2065550122,no,0',
      'Wrong Minutes,2065550123,no,2000',
      'Wrong Word,2065550124,maybe,0',
      'Someone Else,2065550120,no,0',
    ].join('\n');
    const expected = {
      added: 1,
      changed: 0,
      unchanged: 0,
      merged: 1,
      left_out: 5,
      changes: [{ line: 2, kind: 'new', name: 'New One', fax_number: '+12065550121', fields: [] }],
      remarks: [{ line: 4, sentence: 'It was merged into line 2: both are about +12065550121.' }],
      problems: [
        { line: 5, sentence: '"555-01" is not a complete fax number.' },
        { line: 6, sentence: 'There is no name.' },
        { line: 7, sentence: '"2000" is not a number of minutes from 0 to 1440.' },
        { line: 8, sentence: '"maybe" in the column "Blocked" is neither yes nor no.' },
        { line: 9, sentence: '+12065550120 is already in the contacts. That contact was not changed.' },
      ],
    };
    expect(await importCsv(csv, { check_only: 'true' })).toEqual([200, { ...expected, checked_only: true }]);
    expect(await names('?q=206')).not.toContain('New One');
    expect(await importCsv(csv)).toEqual([200, { ...expected, checked_only: false }]);
    expect((await request('GET', '/contacts?q=new%20one'))[1].items[0]).toMatchObject({
      blocked: true,
      send_together_minutes: 15,
      note: 'Twice',
    });
    const changed = (await importCsv(csv, { existing: 'update' }))[1];
    expect(changed).toMatchObject({ added: 0, changed: 1, unchanged: 1, merged: 1, left_out: 4 });
    expect((await request('GET', '/contacts?fax_number=2065550120'))[1].items[0]).toMatchObject({
      name: 'Someone Else',
      note: 'mine',
      version: 2,
    });
    expect((await audited('contact.import'))[0].details).toEqual({ added: 0, changed: 1, left_out: 4 });
  });

  test('refuses a file that is not an address book', async () => {
    const refused = async (csv: string | Uint8Array<ArrayBuffer>) => (await importCsv(csv))[1].detail;
    expect(await refused('')).toBe('The file is empty.');
    expect(await refused('Name,Phone\nA,1\n')).toContain('no column "Fax number"');
    expect(await refused('Fax\n+12065550130\n')).toContain('no column "Name"');
    expect(await refused(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toContain('Save it as CSV');
    expect(await refused('x'.repeat(5 * 1024 * 1024 + 1))).toContain('larger than 5 MB');
    const wide = Array.from({ length: 20_000 }, (_, at) => `Phone ${at} - Value,Phone ${at} - Label`);
    expect(await refused(`Name,${wide.join(',')}\nA,1\n`)).toBe(
      'Line 1 of the file has more than 500 columns.',
    );
    const many = `Name,Fax\n${'A,\n'.repeat(20_001)}`;
    expect(await refused(many)).toBe('The file has more than 20000 lines. Split it and import the parts.');
    expect(await importCsv(`${many.slice(0, -3)}\n\n`, { check_only: 'true' })).toEqual([
      200,
      expect.objectContaining({ left_out: 20_000 }),
    ]);
  });

  test('reads an export again, also a large file that is kept on disk and needs several transactions', async () => {
    const lines = Array.from(
      { length: 450 },
      (_, at) => `"=Clinic, ${at}",+1617555${String(at).padStart(4, '0')},"${'n'.repeat(900)}"`,
    );
    expect((await importCsv(['Name,Fax,Note', ...lines].join('\n')))[1]).toMatchObject({
      added: 450,
      left_out: 0,
    });
    const answer = await gateway.request('GET', '/contacts/export');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const csv = new Uint8Array(await answer.arrayBuffer());
    expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(csv);
    expect(text).toContain(`"'=Clinic, 7",,'+16175550007,0,no,`);
    const count = text.split('\r\n').length - 2;
    expect((await importCsv(csv, { existing: 'update' }))[1]).toMatchObject({
      added: 0,
      changed: 0,
      unchanged: count,
      left_out: 0,
    });
    expect((await audited('contact.export'))[0].details).toEqual({ contacts: count });
  });
});
