import { afterEach, expect, test } from 'vitest';
import { needDovecot } from '../setup/dovecot.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { ManualTimers } from '../setup/manual-timers.ts';
import { dnsOf } from '../setup/signed-mail.ts';
import { needPostgres } from '../setup/tools.ts';
import { postgresOfTest } from '../setup/two-gateways.ts';
import { InboundGateway, PUBLIC_URL } from './inbound-setup.ts';
import {
  ANN,
  allowSender,
  clinic,
  elsewhere,
  MailGateway,
  mailboxSettings,
  signed,
} from './mail-to-fax-setup.ts';
import { WEBHOOKS_ON, WebhookGateway } from './webhooks-setup.ts';
import { MANAGER, NUMBERS, WorkGateway } from './work-setup.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Times at which each value is in the list. */
const countsOf = (values: readonly string[]) =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [value, values.filter((one) => one === value).length]),
  );

test('rule (gateways): retention, escalations, e-mail and webhooks are done once by two gateways, also after a hand-over', async (context) => {
  await needPostgres(context);
  const dovecot = await needDovecot(context);
  ends.push(() => dovecot.close());
  const databaseUrl = await postgresOfTest((end) => ends.push(end));
  const options = {
    databaseUrl,
    settings: {
      ...WEBHOOKS_ON,
      INBOUND_ENABLED: 'true',
      INBOUND_RETENTION_DAYS: '1',
      PUBLIC_API_URL: PUBLIC_URL,
    },
    mailTimers: new ManualTimers(),
    resolveDns: dnsOf([clinic, elsewhere], new Set()),
  };
  const office = await WebhookGateway.start(options);
  ends.push(() => office.close());
  const one = office.gateway;
  await office.connect({ events: ['inbound.received', 'work.overdue'] });
  const people = new MailboxPeople(one, databaseUrl);
  await people.addMailbox('ward', 'ward');
  await people.addRule(NUMBERS.ward, 'ward');
  const ben = await people.addUser('Ben', { 'mailbox:ward': MANAGER });
  const work = new WorkGateway(office.inbound, people);
  await work.setMailbox('ward', { acknowledge_hours: 1, backup_principal_id: ben.id });
  await one.set(mailboxSettings(dovecot));
  await allowSender(one, ANN);

  const { clock, emulator } = one;
  const two = await startTestGateway({ ...options, clock, emulator });
  ends.push(() => two.stop());
  let running: readonly TestGateway[] = [one, two];
  const pass = async (ms: number) => {
    clock.advance(ms);
    await Promise.all(running.map((gateway) => gateway.processAll()));
  };

  const items: string[] = [];
  for (let n = 0; n < 4; n += 1) items.push((await work.arrive('ward')).id);
  await dovecot.deliver(await signed(), await signed());
  await pass(MINUTE);
  await dovecot.deliver(await signed());
  await pass(HOUR);
  // The first gateway stops and gives its permit back, while some of the work is still to be done.
  const late = await work.arrive('ward');
  await dovecot.deliver(await signed());
  clock.advance(HOUR);
  await one.stop();
  running = [two];
  await pass(MINUTE);
  await pass(MINUTE);
  for (let day = 0; day < 3; day += 1) await pass(24 * HOUR);

  const next = new InboundGateway(two);
  const after = new WorkGateway(next, people);
  for (const id of [...items, late.id])
    expect(countsOf(await after.kinds(id)), id).toMatchObject({ overdue: 1, escalated: 1 });
  const faxes = await next.list('?limit=50');
  expect(faxes.map(({ document_kept }) => document_kept)).toEqual(Array.from({ length: 5 }, () => false));
  for (const { id } of faxes) {
    const kinds = (await next.evidence(id)).map(({ kind }) => kind);
    expect(countsOf(kinds), id).toMatchObject({ expired: 1 });
  }
  expect(countsOf(office.receiver.types)).toEqual({ 'inbound.received': 5, 'work.overdue': 5 });
  expect(new Set(office.receiver.ids).size).toBe(10);
  const mails = new MailGateway({ dovecot, dnsFaults: new Set(), gateway: two });
  expect(await mails.messages()).toHaveLength(4);
  expect(await mails.faxes()).toHaveLength(4);
  expect(emulator.counts.accepted).toBe(4);
});
