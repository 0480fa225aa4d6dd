import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { textPdf } from '../fixtures/long-pdf.ts';
import { readPwg } from '../fixtures/print-raster.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../setup/manual-clock.ts';
import { ImportsGateway, manifestOf } from './imports-setup.ts';
import { PrintingOffice } from './print-rules-setup.ts';

let office: PrintingOffice;
beforeAll(async () => {
  office = await PrintingOffice.start({ settings: { TIME_ZONE: 'America/New_York' } });
});
afterEach(() => office.clear());
afterAll(() => office.close());

const confirm = (id: string, outcome: string, version: number) =>
  office.request('POST', `/printouts/${id}/confirm`, { outcome, version });
const printed = () => office.printer.jobs.map(({ document }) => document.subarray(0, 4).toString());

describe('a received fax', () => {
  test('rule (print-rules): is printed once by each rule for its mailbox, as the PDF that was filed', async () => {
    await office.addRule();
    const fax = await office.receive();
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({
      state: 'accepted',
      printer: 'Reception',
      rule: { name: 'Front desk' },
      fax: { pages: 1, from_number: '+12025550199' },
    });
    office.printer.print();
    await office.pass(15 * SECOND);
    const done = await office.printout(fax);
    expect(done).toMatchObject({ state: 'printed', sentence: null, retry_at: null });
    expect(done.printed_at).toBe(new Date(office.gateway.clock.now()).toISOString());
    for (let day = 0; day < 3; day += 1) await office.pass(DAY);
    expect(printed()).toEqual(['%PDF']);
  });

  test.for([
    ['grey', 'sgray_8'],
    ['black', 'black_1'],
  ])('is printed in %s pixels, in one job, at a printer that takes no PDF', async ([, type]) => {
    office.printer.formats = ['image/jpeg', 'image/pwg-raster'];
    office.printer.rasterTypes = [type ?? ''];
    await office.addRule();
    const fax = await office.receive({ document: textPdf(9), pages: 9 });
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({ state: 'accepted', sentence: null });
    const [job, second] = office.printer.jobs;
    expect(second).toBe(undefined);
    expect(job).toMatchObject({ format: 'image/pwg-raster', sheet: 'iso_a4_210x297mm' });
    const pages = readPwg(job!.document);
    expect(pages.length).toBe(9);
    expect(new Set(pages.map(({ width, height }) => `${width} x ${height}`))).toEqual(
      new Set(['2480 x 3508']),
    );
    expect(pages.every(({ pixels }) => pixels.includes(0) && pixels.includes(255))).toBe(true);
  });

  test('is printed only by the rules for its mailbox, and by those for all', async () => {
    const [, { policy_version: expected_policy_version }] = await office.request('GET', '/auth/me');
    const box = { label: 'Lab', expected_policy_version };
    const [, { mailbox }] = await office.request('POST', '/access/mailboxes', box);
    const { id } = mailbox;
    const rule = await office.addRule({ name: 'Lab', mailbox_id: id });
    expect(rule.mailbox).toEqual({ id, label: 'Lab' });
    const other = await office.receive();
    expect(await office.printouts(`?fax_id=${other}`)).toEqual([]);
    await office.addRule({ name: 'All' });
    const fax = await office.receive();
    expect((await office.printouts(`?fax_id=${fax}`)).map((one) => one.rule.name)).toEqual(['All']);
  });

  test('rule (print-rules): that arrives outside the hours of its rule is printed when they begin, by the clocks of the office', async () => {
    await office.addRule({ hours: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '17:00' }] });
    // A Saturday at noon in New York.
    await office.pass(Date.parse('2027-01-09T17:00:00Z') - office.gateway.clock.now());
    const fax = await office.receive();
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({
      state: 'waiting',
      failures: 0,
      sentence: 'It is printed when the hours of the print rule begin.',
      retry_at: '2027-01-11T13:00:00.000Z',
    });
    for (let hour = 0; hour < 43; hour += 1) await office.pass(HOUR);
    expect([await office.printout(fax), printed()]).toMatchObject([{ state: 'waiting' }, []]);
    await office.pass(HOUR);
    expect([await office.printout(fax), printed()]).toMatchObject([{ state: 'accepted' }, ['%PDF']]);
  });

  test('waits for a printer that is away or jammed, and is printed when it is back', async () => {
    await office.addRule();
    office.printer.reasons = ['media-jam-error'];
    const fax = await office.receive();
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({
      state: 'waiting',
      failures: 1,
      sentence: 'Paper is jammed in the printer. Remove it.',
    });
    await office.printer.close();
    await office.pass(MINUTE);
    expect((await office.printout(fax)).sentence).toContain('cannot be reached');
    await office.pass(2 * MINUTE);
    const [, status] = await office.request('GET', '/console/status');
    expect(JSON.stringify(status)).toContain('1 received fax waits for a printer that does not print.');
    await office.printer.open();
    office.printer.reasons = ['none'];
    expect(
      (
        await office.request('PUT', `/print-rules/${(await rules())[0].id}`, office.fields({ version: 1 }))
      )[0],
    ).toBe(200);
    await office.gateway.processAll();
    expect([await office.printout(fax), printed()]).toMatchObject([
      { state: 'accepted', failures: 0, sentence: null },
      ['%PDF'],
    ]);
  });

  test('given to a printer that forgets its jobs is no doubt, and claims no more than is known', async () => {
    await office.addRule();
    office.printer.keepsHistory = false;
    const fax = await office.receive();
    await office.gateway.processAll();
    office.printer.print();
    await office.pass(15 * SECOND);
    expect(await office.printout(fax)).toMatchObject({
      state: 'given',
      sentence: 'Given to the printer; it does not report when a job is printed.',
    });
  });

  test('rule (print-rules): that may have been printed is a question, and is printed again only when a person decides it', async () => {
    await office.addRule();
    office.printer.keepsHistory = false;
    const [first, second] = [await office.receive(), await office.receive()];
    await office.gateway.processAll();
    office.printer.print();
    office.printer.upTime = 3;
    await office.pass(15 * SECOND);
    for (let day = 0; day < 3; day += 1) await office.pass(DAY);
    const doubts = [await office.printout(first), await office.printout(second)];
    const sentence =
      'The printer received the fax but has no record of it now, maybe because it was restarted, so it may or may not have been printed: look for the pages at the printer.';
    expect(doubts).toMatchObject([
      { state: 'doubtful', sentence },
      { state: 'doubtful', sentence },
    ]);
    const logged = office.gateway.logLines.filter((line) => line.includes('a printout needs a check'));
    for (const { id } of doubts) expect(logged.filter((line) => line.includes(id))).toHaveLength(1);
    expect(office.printer.submitted).toBe(2);
    const [, status] = await office.request('GET', '/console/status');
    expect(JSON.stringify(status)).toContain('2 received faxes may or may not have been printed.');
    const [one, other] = doubts as [(typeof doubts)[0], (typeof doubts)[0]];
    expect((await office.request('POST', `/printouts/${one.id}/retry`))[0]).toBe(409);
    expect((await confirm(one.id, 'printed', one.version + 1))[0]).toBe(409);
    expect((await confirm(one.id, 'printed', one.version))[1]).toMatchObject({ state: 'printed' });
    expect((await confirm(other.id, 'print_again', other.version))[1]).toMatchObject({ state: 'waiting' });
    await office.gateway.processAll();
    expect(office.printer.submitted).toBe(3);
    expect((await confirm(one.id, 'print_again', one.version + 1))[0]).toBe(409);
    const [, { items }] = await office.request('GET', '/access/audit?operation=printout.confirm');
    const done = items.filter(({ outcome }: { outcome: string }) => outcome === 'done');
    expect(done.slice(0, 2).map(({ details }: { details: object }) => details)).toEqual([
      { outcome: 'print_again' },
      { outcome: 'printed' },
    ]);
  });

  test('that was canceled at the printer failed, and is printed again or not at all when a person says so', async () => {
    await office.addRule();
    const fax = await office.receive();
    await office.gateway.processAll();
    office.printer.end(office.printer.jobs[0] as never, 7);
    await office.pass(15 * SECOND);
    const failed = await office.printout(fax);
    expect(failed).toMatchObject({ state: 'failed', sentence: 'The fax was canceled at the printer.' });
    expect((await office.request('POST', `/printouts/${failed.id}/retry`))[1]).toMatchObject({
      state: 'waiting',
    });
    await office.gateway.processAll();
    office.printer.end(office.printer.jobs[1] as never, 8);
    await office.pass(15 * SECOND);
    const again = await office.printout(fax);
    expect(again.state).toBe('failed');
    expect((await confirm(again.id, 'do_not_print', again.version))[1]).toMatchObject({ state: 'canceled' });
    await office.pass(DAY);
    expect(office.printer.submitted).toBe(2);
  });

  test('rule (crossings): printouts that failed or may have been printed are in the daily summary until a person decides', async () => {
    const toCheck = async () =>
      (await office.request('GET', '/summary'))[1].figures.printouts_to_check_now as number;
    const before = await toCheck();
    await office.addRule();
    const first = await office.receive();
    await office.gateway.processAll();
    const second = await office.receive();
    await office.gateway.processAll();
    office.printer.end(office.printer.jobs[0] as never, 7);
    await office.pass(15 * SECOND);
    office.printer.keepsHistory = false;
    office.printer.print();
    office.printer.upTime = 3;
    for (let day = 0; day < 3; day += 1) await office.pass(DAY);
    const [failed, doubtful] = [await office.printout(first), await office.printout(second)];
    expect([failed.state, doubtful.state]).toEqual(['failed', 'doubtful']);
    expect(await toCheck()).toBe(before + 2);
    await confirm(failed.id, 'do_not_print', failed.version);
    await confirm(doubtful.id, 'printed', doubtful.version);
    expect(await toCheck()).toBe(before);
  });

  test('from a blocked sender is printed when a person takes it out of Junk, once', async () => {
    await office.addRule();
    await office.request('POST', '/inbound/blocked-senders', { number: '+12025550133' });
    const fax = await office.receive({ from: '+12025550133' });
    await office.pass(HOUR);
    expect(await office.printouts(`?fax_id=${fax}`)).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      await office.request('POST', `/inbound/${fax}/not-junk`, { unblock: true });
      await office.pass(HOUR);
      expect(printed()).toEqual(['%PDF']);
      expect((await office.request('POST', '/inbound/blocked-senders', { fax_id: fax }))[0]).toBe(200);
    }
    await office.request('POST', `/inbound/${fax}/not-junk`, { unblock: true });
  });

  test('that was imported is never printed', async () => {
    await office.addRule();
    const fax = (await new ImportsGateway(office.gateway).imported(manifestOf())).inbound_id;
    await office.pass(HOUR);
    expect(await office.printouts(`?fax_id=${fax}`)).toEqual([]);
  });

  test('waits while its rule is off, follows its new printer, and fails when the rule is removed', async () => {
    const rule = await office.addRule();
    const fax = await office.receive();
    const off = office.fields({ enabled: false, version: rule.version });
    await office.request('PUT', `/print-rules/${rule.id}`, off);
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({
      state: 'waiting',
      sentence: 'The print rule is off.',
    });
    await office.request('POST', `/print-rules/${rule.id}/remove`, { version: rule.version + 1 });
    await office.gateway.processAll();
    expect(await office.printout(fax)).toMatchObject({
      state: 'failed',
      sentence: 'The print rule was removed.',
    });
    expect(printed()).toEqual([]);
  });
});

const rules = async () => (await office.request('GET', '/print-rules'))[1].items;

describe('print rules', () => {
  test('are created, changed and removed by version, and recorded in the security audit', async () => {
    const rule = await office.addRule({ hours: [{ days: [1, 5], from: '08:00', to: '17:00' }] });
    const { id } = rule;
    expect(rule).toMatchObject({ enabled: true, mailbox: null, version: 1 });
    const change = (version: number | null) =>
      office.request('PUT', `/print-rules/${id}`, office.fields({ name: 'Night', version }));
    expect((await change(null))[0]).toBe(400);
    expect((await change(7))[0]).toBe(409);
    expect(await change(1)).toMatchObject([200, { name: 'Night', hours: null, version: 2 }]);
    expect((await office.request('POST', `/print-rules/${id}/remove`, { version: 1 }))[0]).toBe(409);
    expect((await office.request('POST', `/print-rules/${id}/remove`, { version: 2 }))[0]).toBe(200);
    expect((await change(2))[0]).toBe(404);
    const [, { items }] = await office.request('GET', '/access/audit?operation=print_rule.remove');
    expect(items[0]).toMatchObject({ target: { kind: 'print_rule', id }, details: { name: 'Night' } });
  });

  test('refuse what is no printer address, no hours and no mailbox', async () => {
    const refused = async (given: object) =>
      (await office.request('POST', '/print-rules', office.fields(given)))[0];
    for (const printer_url of [
      'http://192.0.2.30/',
      'ipp://',
      'ipp://a b/',
      'file:///etc/passwd',
      'ipp://u:p@h/',
    ])
      expect([printer_url, await refused({ printer_url })]).toEqual([printer_url, 400]);
    expect(await refused({ hours: [{ days: [1], from: '17:00', to: '08:00' }] })).toBe(400);
    expect(await refused({ hours: [] })).toBe(400);
    expect(await refused({ mailbox_id: '00000000-0000-4000-8000-000000000000' })).toBe(404);
    expect(await refused({ name: ' ' })).toBe(400);
  });

  test('check a printer, name it, and say what keeps it from printing', async () => {
    const check = async (printer_url = office.printer.url) =>
      (await office.request('POST', '/printers/check', { printer_url }))[1];
    expect(await check()).toEqual({
      ok: true,
      model: 'Example Laser 5',
      detail: 'Example Laser 5 answers and can print faxes.',
    });
    office.printer.reasons = ['media-empty'];
    expect(await check()).toMatchObject({
      ok: false,
      detail: 'Example Laser 5 answers. The printer has no paper. Add paper.',
    });
    office.printer.reasons = ['none'];
    office.printer.formats = ['image/jpeg'];
    expect((await check()).detail).toContain('takes neither PDF documents nor PWG raster');
    const { url } = office.printer;
    await office.printer.close();
    expect(await check(url)).toMatchObject({ ok: false, model: null });
    await office.printer.open();
    expect(office.printer.jobs).toEqual([]);
  });
});
