import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../server/db/database.ts';
import type { SummaryDayTable } from '../../server/db/schema/summary.ts';
import { startTestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { needPostgres } from '../setup/tools.ts';
import { OWN_NUMBER, SENDER } from './inbound-setup.ts';
import { ALICE, BOB, CAROL, IntakeGateway } from './intake-setup.ts';

const CHOSEN = {
  SUMMARY_RECIPIENTS: [ALICE, BOB, CAROL],
  SUMMARY_CONNECTOR: 'front desk',
  SUMMARY_AT: '06:00',
  TIME_ZONE: 'America/New_York',
};

let intake: IntakeGateway;
beforeAll(async () => {
  intake = await IntakeGateway.start();
});
afterEach(async () => {
  await intake.gateway.set({ SUMMARY_RECIPIENTS: [] });
  await intake.clear();
});
afterAll(() => intake.close());

/** To a moment of a day, at which New York has five hours less. */
async function until(iso: string): Promise<void> {
  await intake.pass(Date.parse(iso) - intake.gateway.clock.now());
}

const summaries = () => intake.mail.mails.filter(({ raw }) => /^Subject: Faxes of /mu.test(raw));
const daysSent = async () => {
  const [, { sent }] = await intake.request('GET', '/summary');
  return Object.fromEntries((sent as { day: string; state: string }[]).map(({ day, state }) => [day, state]));
};
const warned = async (): Promise<string> => {
  const [, status] = await intake.request('GET', '/console/status');
  return JSON.stringify(status.warnings);
};

describe('the daily summary', () => {
  test('rule (crossings): received, overdue and failed faxes and costs are in the daily summary, without numbers and contents', async () => {
    // The connector is there for its server alone.
    await intake.connect({ enabled: false });
    await until('2026-11-22T14:00:00.000Z');
    await intake.receive({ pages: 3 });
    const { id } = await intake.gateway.send();
    await intake.gateway.processAll();
    const { provider_sid } = await intake.gateway.fax(id);
    intake.gateway.emulator.complete(String(provider_sid), { status: 'failure' });
    await intake.pass(10 * MINUTE);
    expect(await intake.gateway.fax(id)).toMatchObject({ delivery_state: 'failed' });
    await until('2026-11-23T04:00:00.000Z');
    await intake.gateway.set(CHOSEN);
    // The summary of the day before is due at once; the one under test comes after it.
    await intake.gateway.processAll();
    await intake.pass(2 * MINUTE);
    expect(await daysSent()).toEqual({ '2026-11-21': 'delivered' });
    intake.mail.mails.length = 0;
    await until('2026-11-23T10:58:00.000Z');
    expect(summaries()).toEqual([]);
    await intake.pass(3 * MINUTE);
    expect(summaries().map(({ to }) => to)).toEqual([[ALICE, BOB, CAROL]]);
    const [mail] = summaries();
    expect(mail?.raw).toMatch(/^Subject: Faxes of Nov 22, 2026\r$/mu);
    expect(mail?.raw).toContain('Auto-Submitted: auto-generated');
    const text = mail?.raw.replaceAll(/=\r\n/gu, '') ?? '';
    expect(text).toMatch(/^Received: 1\r$/mu);
    expect(text).toMatch(/^Received with pages that may be missing: 1\r$/mu);
    expect(text).toMatch(/^Overdue now: 0\r$/mu);
    expect(text).toMatch(/^Failed to send: 1\r$/mu);
    expect(text).toMatch(/^Printouts to check now: 0\r$/mu);
    expect(text).toMatch(/^Costs: 1 of unknown cost\r$/mu);
    expect(text).toContain('<td>1 of unknown cost</td>');
    for (const secret of [SENDER, OWN_NUMBER, '2025550', 'application/pdf'])
      expect(text).not.toContain(secret);
    await until('2026-11-24T10:30:00.000Z');
    expect(summaries()).toHaveLength(1);
    await intake.pass(HOUR);
    expect(summaries()).toHaveLength(2);
  });

  test('rule (summary): the summary of a day is recorded before it is sent and sent once, whatever the clock does', async () => {
    await intake.connect({ enabled: false });
    await intake.gateway.set(CHOSEN);
    await until('2026-12-01T12:00:00.000Z');
    intake.mail.mails.length = 0;
    await intake.pass(-3 * DAY);
    await intake.pass(2 * DAY);
    await intake.pass(DAY);
    expect(summaries()).toEqual([]);
    await intake.pass(4 * DAY);
    expect(summaries().map(({ raw }) => /^Subject: (.*)\r$/mu.exec(raw)?.[1])).toEqual([
      'Faxes of Dec 4, 2026',
    ]);
  });

  test('is tried again for whom it was refused, and never again when it may have arrived', async () => {
    await intake.connect();
    await intake.gateway.set(CHOSEN);
    intake.mail.faults = { recipients: { [BOB]: { code: 451, text: 'Later' } } };
    await until('2026-12-10T12:00:00.000Z');
    expect(summaries().map(({ to }) => to)).toEqual([[ALICE, CAROL]]);
    expect(await warned()).toContain(
      'The daily summary of Dec 9, 2026 was refused. Faxdesk sends it again automatically.',
    );
    intake.mail.faults = {};
    await intake.pass(MINUTE);
    expect(summaries().map(({ to }) => to)).toEqual([[ALICE, CAROL], [BOB]]);
    expect(await daysSent()).toMatchObject({ '2026-12-09': 'delivered' });
    intake.mail.mails.length = 0;
    intake.mail.faults = { cut: 'after keeping' };
    await until('2026-12-11T12:00:00.000Z');
    intake.mail.faults = {};
    await intake.pass(12 * HOUR);
    expect(intake.mail.inboxes).toEqual({ [ALICE]: 1, [BOB]: 1, [CAROL]: 1 });
    expect(await daysSent()).toMatchObject({ '2026-12-10': 'uncertain' });
    expect(await warned()).toContain('The daily summary of Dec 10, 2026 may or may not have arrived.');
    // A gateway that is killed in the middle leaves this behind.
    await leave('2026-12-10', { state: 'sending', retry_at: null });
    await intake.pass(5 * MINUTE);
    expect(await daysSent()).toMatchObject({ '2026-12-10': 'uncertain' });
    expect(intake.mail.mails).toHaveLength(1);
  });

  test('is a matter for a person after a day of refusals, or without a connector', async () => {
    await until('2026-12-20T12:00:00.000Z');
    await intake.gateway.set({ ...CHOSEN, SUMMARY_CONNECTOR: null });
    expect(await warned()).toContain('“Daily summary by” does not name an e-mail connector');
    await intake.gateway.set({ SUMMARY_CONNECTOR: 'nobody' });
    for (let hour = 0; hour < 32; hour += 1) await intake.pass(HOUR);
    expect(await daysSent()).toMatchObject({ '2026-12-19': 'failed', '2026-12-20': 'waiting' });
    const [, { sent }] = await intake.request('GET', '/summary');
    expect(sent[1].sentence).toBe('There is no e-mail connector named “nobody”.');
    await intake.connect();
    await intake.gateway.set(CHOSEN);
    await intake.pass(HOUR);
    expect(summaries()).toHaveLength(1);
    expect(await daysSent()).toMatchObject({ '2026-12-20': 'delivered' });
  });

  test('is sent at once for a person who tries it, with what failed in the answer', async () => {
    const send = async () => (await intake.request('POST', '/summary/send'))[1];
    expect(await send()).toMatchObject({ ok: false, detail: expect.stringContaining('no e-mail address') });
    await intake.gateway.set({ ...CHOSEN, SUMMARY_RECIPIENTS: [ALICE, BOB] });
    expect(await send()).toMatchObject({ ok: false, detail: expect.stringContaining('front desk') });
    await intake.connect();
    intake.mail.faults = { recipients: { [BOB]: { code: 550, text: 'No such user' } } };
    const refused = await send();
    expect(refused).toMatchObject({ ok: false, detail: expect.stringMatching(/^bob@.*550 No such user/u) });
    intake.mail.faults = {};
    expect(await send()).toMatchObject({
      ok: true,
      detail: 'The e-mail server accepted the summary for all 2 recipients.',
    });
    expect(intake.mail.inboxes).toEqual({ [ALICE]: 2, [BOB]: 1 });
  });

  test('is sent once by two gateways on one database', async (context) => {
    const databaseUrl = await needPostgres(context);
    const one = await IntakeGateway.start({ databaseUrl });
    await one.connect();
    await one.gateway.set(CHOSEN);
    // Started only now: a running gateway would read the other one's settings with a delay.
    const other = await startTestGateway({ databaseUrl, clock: one.gateway.clock });
    try {
      for (let hour = 0; hour < 30; hour += 1) {
        one.gateway.clock.advance(HOUR);
        await Promise.all([one.gateway.processAll(), other.processAll()]);
      }
      const subjects = one.mail.mails.map(({ raw }) => /^Subject: (.*)\r$/mu.exec(raw)?.[1]);
      expect(subjects).toEqual(['20', '21'].map((day) => `Faxes of Nov ${day}, 2026`));
    } finally {
      await other.close();
      await one.close();
      await dropPostgresDatabase(databaseUrl);
    }
  });
});

/** Puts a summary into the store as a gateway left it. */
async function leave(day: string, row: Partial<SummaryDayTable>): Promise<void> {
  const where = { postgresUrl: null, sqliteFile: join(intake.gateway.dataFolder, 'faxdesk.sqlite') };
  const db = openDatabase(where);
  await db.transaction((tx) => tx.updateTable('summary_day').set(row).where('day', '=', day).execute());
  await db.close();
}
