import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MailboxPeople, type Person } from '../setup/mailbox-people.ts';
import { SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { listen } from './console-stream.ts';
import { PrintingOffice, type PrintoutAnswer } from './print-rules-setup.ts';

const SEEING = ['inbound:list', 'inbound:read', 'inbound:document'];
const CLINIC = '+12025550101';
const ARCHIVE = '+12025550102';
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

describe.each(STORES)(`printouts of several mailboxes in %s${withoutPostgres}`, (name) => {
  let databaseUrl: string | null = null;
  let office: PrintingOffice;
  let people: MailboxPeople;
  let faxes: Record<'clinic' | 'archive' | 'none', string>;

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    office = await PrintingOffice.start({ databaseUrl });
    people = new MailboxPeople(office.gateway, databaseUrl);
    for (const [id, number] of [
      ['clinic', CLINIC],
      ['archive', ARCHIVE],
    ] as const) {
      await people.addMailbox(id, id);
      await people.addRule(number, id);
    }
    await office.addRule();
    office.printer.keepsHistory = false;
    faxes = {
      none: await office.receive({ to: '+12025550155' }),
      archive: await office.receive({ to: ARCHIVE }),
      clinic: await office.receive({ to: CLINIC }),
    };
    await office.gateway.processAll();
    // The printer restarts, and a person has to look whether the faxes were printed.
    office.printer.print();
    office.printer.upTime = 1;
    await office.pass(15 * SECOND);
  });
  afterAll(async () => {
    await office.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  async function pageFor({ key }: Person, query = '') {
    const [status, page] = await office.request('GET', `/printouts${query}`, undefined, key);
    expect(status).toBe(200);
    const items = page.items as PrintoutAnswer[];
    return { faxes: items.map(({ fax_id }) => fax_id), counts: page.counts, next: page.next_cursor };
  }

  const decide = (person: Person, { id, version }: Pick<PrintoutAnswer, 'id' | 'version'>) =>
    office.request('POST', `/printouts/${id}/confirm`, { outcome: 'printed', version }, person.key);

  test('rule (print-rules): are listed, counted and announced to those who can read the fax, and to nobody else', async () => {
    const clerk = await people.addPerson({ 'mailbox:clinic': SEEING, [`inbound:${faxes.clinic}`]: SEEING });
    const both = await people.addPerson({ 'mailbox:clinic': SEEING, 'mailbox:archive': SEEING });
    const guest = await people.addPerson({ [`inbound:${faxes.archive}`]: SEEING });
    const stranger = await people.addPerson({ 'mailbox:elsewhere': SEEING });
    const all = await people.addPerson({ installation: SEEING });
    expect(await pageFor(clerk)).toMatchObject({ faxes: [faxes.clinic], counts: { doubtful: 1 } });
    expect(await pageFor(guest)).toMatchObject({ faxes: [faxes.archive], counts: { doubtful: 1 } });
    expect(await pageFor(stranger)).toMatchObject({ faxes: [], counts: { doubtful: 0 }, next: null });
    const everything = [faxes.clinic, faxes.archive, faxes.none];
    expect(await pageFor(all)).toMatchObject({ faxes: everything, counts: { doubtful: 3 } });
    const first = await pageFor(both, '?state=doubtful&limit=1');
    expect(first).toMatchObject({ faxes: [faxes.clinic], counts: { doubtful: 2 } });
    const rest = await pageFor(both, `?state=doubtful&limit=1&cursor=${first.next}`);
    expect(rest).toMatchObject({ faxes: [faxes.archive], next: null });
    const streams = await Promise.all([clerk, guest].map(({ key }) => listen(office.gateway, { key })));
    const { id, version } = await office.printout(faxes.clinic);
    expect((await decide(all, { id, version }))[0]).toBe(200);
    const [near, far] = streams;
    await expect.poll(() => near?.events.map(({ data }) => data)).toEqual([{ id, version: version + 1 }]);
    expect(far?.events).toEqual([]);
    for (const stream of streams) await stream.close();
  });

  test('rule (print-rules): are decided by those who can open the document of the fax', async () => {
    const printout = await office.printout(faxes.archive);
    const reader = await people.addPerson({ 'mailbox:archive': ['inbound:list', 'inbound:read'] });
    const opener = await people.addPerson({
      'mailbox:archive': ['inbound:list', 'inbound:read'],
      'mailbox:clinic': SEEING,
    });
    const elsewhere = await people.addPerson({ 'mailbox:clinic': SEEING });
    expect((await decide(reader, printout))[0]).toBe(403);
    expect((await decide(opener, printout))[0]).toBe(403);
    expect(await decide(elsewhere, printout)).toEqual(await decide(elsewhere, { ...printout, id: UNKNOWN }));
    expect((await decide(elsewhere, printout))[0]).toBe(404);
    const retry = `/printouts/${printout.id}/retry`;
    expect((await office.request('POST', retry, undefined, elsewhere.key))[0]).toBe(404);
    expect(await office.printout(faxes.archive)).toEqual(printout);
    const clerk = await people.addPerson({ 'mailbox:archive': SEEING });
    expect(await decide(clerk, printout)).toMatchObject([
      200,
      { state: 'printed', fax: { to_number: ARCHIVE } },
    ]);
  });
});
