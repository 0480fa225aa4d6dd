import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

describe.each(STORES)('the opt-out list on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null;
  beforeAll(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await gateway.request(method, path, { json });
    return [answer.status, await answer.json()];
  }
  async function post(path: string, fields: Record<string, string | File>): Promise<[number, Body]> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const answer = await gateway.request('POST', path, { form });
    return [answer.status, await answer.json()];
  }
  const add = (fax_number: string, note?: string) =>
    request('POST', '/contacts/opt-outs', { fax_number, ...(note !== undefined && { note }) });
  const remove = (number: string) => request('DELETE', `/contacts/opt-outs/${encodeURIComponent(number)}`);
  const listed = async (query = 'limit=200') =>
    (await request('GET', `/contacts/opt-outs?${query}`))[1].items as Body[];
  const numbers = async (query?: string) => (await listed(query)).map(({ fax_number }) => fax_number);

  test('rule (contacts): A number on the opt-out list gets no broadcast, with or without a contact', async () => {
    expect(await add('(202) 555-3001', 'Called on March 3')).toEqual([
      201,
      {
        fax_number: '+12025553001',
        source: 'list',
        contact: null,
        note: 'Called on March 3',
        added_at: expect.any(String),
        added_by: 'Installation key',
      },
    ]);
    const [, { checked, recipients }] = await post('/broadcasts', {
      recipients: '+12025553001\n+12025553002',
      preview: 'true',
    });
    expect(recipients).toBe(1);
    expect(checked[0].problem).toBe('This recipient opted out of faxes.');
    const [, audit] = await request('GET', '/access/audit?operation=opt_out.add');
    expect(audit.items[0]).toMatchObject({
      outcome: 'done',
      target: { kind: 'opt_out', id: '+12025553001' },
    });
    // It goes on the list while a broadcast waits.
    const [, { broadcast }] = await post('/broadcasts', {
      recipients: '+12025553003\n+12025553002',
      file: textFile(),
    });
    await add('+12025553003');
    await gateway.processAll();
    const [, page] = await request('GET', `/broadcasts/${broadcast.id}/recipients?state=refused`);
    expect(page.items).toMatchObject([
      { to: '+12025553003', reason: 'This recipient opted out of faxes.', fax_id: null },
    ]);
  });

  test('rule (outbound): The guard finds a number of the opt-out list in single faxes and case packets', async () => {
    await add('+12025553011');
    const fax = { to: '+12025553011', file: textFile(), guard: 'refuse' };
    const sentence =
      'This recipient opted out of faxes. Send it only if they agreed to this fax. Nothing was sent.';
    const digits = { guard_digits: '3011' };
    expect(await post('/fax', { ...fax, ...digits })).toEqual([409, { detail: sentence }]);
    const pdf = new File([textPdf(1)], 'letter.pdf', { type: 'application/pdf' });
    const packet = { to: '+12025553011', documents: pdf, titles: 'Letter', guard: 'refuse', ...digits };
    expect(await post('/cases/4711/faxes', packet)).toEqual([409, { detail: sentence }]);
    const [status] = await post('/cases/4711/faxes', { ...packet, guard_confirmed: 'opted_out' });
    expect(status).toBe(202);
    await gateway.set({ GUARD_OPTED_OUT: 'refuse' });
    expect((await post('/fax', { ...fax, ...digits, guard_confirmed: 'opted_out' }))[1].detail).toBe(
      'This recipient opted out of faxes. Reach them in another way. Nothing was sent.',
    );
    await gateway.set({ GUARD_OPTED_OUT: 'ask' });
  });

  test('contacts that opted out are a part of the list, and stay on it when they are removed', async () => {
    const [, made] = await request('POST', '/contacts', {
      name: 'Quiet Clinic',
      fax_number: '+12025553021',
      other_fax_numbers: ['+12025553022'],
      opted_out: true,
      consent_note: 'By letter',
    });
    expect(await listed('q=(202) 555-302')).toMatchObject([
      { fax_number: '+12025553021', source: 'contact', note: 'By letter', added_by: null },
      { fax_number: '+12025553022', source: 'contact', contact: { id: made.id, name: 'Quiet Clinic' } },
    ]);
    expect(await remove('+12025553021')).toEqual([200, { fax_number: '+12025553021', was_listed: false }]);
    await request('POST', `/contacts/${made.id}/remove`, { version: made.version });
    expect(await listed('q=555302')).toMatchObject([
      { source: 'list', contact: null, added_at: made.opted_out_at },
      { source: 'list' },
    ]);
  });

  test('a contact shows which of its numbers are on the list', async () => {
    await add('+12025553031');
    const [, made] = await request('POST', '/contacts', { name: 'Mill', fax_number: '+12025553031' });
    expect(made).toMatchObject({ opted_out: false, opted_out_numbers: ['+12025553031'] });
    const found = async (state: boolean) =>
      (await request('GET', `/contacts?q=mill&opted_out=${state}`))[1].items.length;
    expect([await found(true), await found(false)]).toEqual([1, 0]);
    expect((await request('GET', '/contacts/complete?q=mill'))[1].items[0].opted_out).toBe(true);
    expect((await listed('q=5553031'))[0].contact.name).toBe('Mill');
    expect((await remove('202 555 3031'))[1].was_listed).toBe(true);
    expect([await found(true), await found(false)]).toEqual([0, 1]);
    expect((await remove('+12025553031'))[1].was_listed).toBe(false);
  });

  test('an import adds numbers, names every line that it leaves out, and can be repeated', async () => {
    const csv = 'Name,Fax\nOne,202-555-3041\nTwo,12\nThree,\nFour,2025553042\nFive,(202) 555-3042\n';
    const file = () => new File([csv], 'list.csv', { type: 'text/csv' });
    const path = '/contacts/opt-outs/import';
    const result = {
      added: 2,
      unchanged: 1,
      left_out: 2,
      problems: [
        { line: 3, sentence: '“12” is no complete fax number.' },
        { line: 4, sentence: 'This line has no fax number.' },
      ],
    };
    expect(await post(path, { file: file(), check_only: 'true' })).toEqual([
      200,
      { ...result, checked_only: true },
    ]);
    expect(await numbers('q=555304')).toEqual([]);
    expect(await post(path, { file: file(), note: 'By fax' })).toEqual([
      200,
      { ...result, checked_only: false },
    ]);
    expect((await post(path, { file: file() }))[1]).toMatchObject({ added: 0, unchanged: 3 });
    expect(await listed('q=555304')).toMatchObject([{ note: 'By fax' }, { note: 'By fax' }]);
    expect((await post(path, { file: new File([new Uint8Array(100)], 'x.csv') }))[0]).toBe(400);
  });

  test('the largest file is read, a larger one is refused, and pages follow each other', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `+1303${String(at).padStart(7, '0')}`).join('\n');
    const path = '/contacts/opt-outs/import';
    const [status, { detail }] = await post(path, { file: new File([lines(20_001)], 'list.txt') });
    expect([status, detail]).toEqual([400, 'The list has more than 20,000 lines. Split it.']);
    const [, result] = await post(path, { file: new File([lines(1_200)], 'list.txt') });
    expect(result.added + result.left_out).toBe(1_200);
    const all = new Set<string>();
    let cursor = '';
    do {
      const [, page] = await request('GET', `/contacts/opt-outs?limit=200${cursor}`);
      for (const { fax_number } of page.items) all.add(fax_number);
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(all.size).toBeGreaterThanOrEqual(result.added);
    expect((await request('POST', '/contacts/opt-outs', { fax_number: '12' }))[0]).toBe(400);
  });
});
