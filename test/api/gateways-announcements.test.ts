import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseAnnouncements, openAnnouncements } from '../../server/db/announcements.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { type CutOffProxy, startCutOffProxy } from '../setup/cut-off-proxy.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import type { Person } from '../setup/mailbox-people.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { type EventReader, listen } from './console-stream.ts';
import { READER, WorkGateway } from './work-setup.ts';

const logger = createLogger({ level: 'fatal', write: () => undefined });

describe.skipIf(postgresUrl === null)(`announcements between gateways${withoutPostgres}`, () => {
  let databaseUrl: string;
  let office: WorkGateway;
  let two: TestGateway;
  let ada: Person;
  let ben: Person;
  /** The changes that Ben and the installation key receive at the second gateway. */
  const streams: EventReader[] = [];

  beforeAll(async () => {
    databaseUrl = await newPostgresDatabase();
    office = await WorkGateway.start({ databaseUrl });
    const { clock, emulator } = office.inbound.gateway;
    two = await startTestGateway({
      databaseUrl,
      clock,
      emulator,
      settings: { INBOUND_ENABLED: 'true' },
    });
    ada = await office.people.addUser('Ada', { 'mailbox:ward': READER });
    ben = await office.people.addUser('Ben', { 'mailbox:ward': READER });
    streams.push(await listen(two), await listen(two, { key: ben.key }));
  });
  afterAll(async () => {
    for (const stream of streams) await stream.close();
    await two.stop();
    await office.close();
    await dropPostgresDatabase(databaseUrl);
  });

  const kinds = () => streams.flatMap(({ events }) => events.map(({ kind }) => kind));

  test('rule (gateways): who has a fax open is shown at every gateway', async () => {
    const { inbound_fax_id: fax } = await office.arrive('ward');
    const shown = async () => {
      const answer = await two.request('GET', '/presence', { key: ben.key });
      const { faxes } = (await answer.json()) as { faxes: { id: string; people: { name: string }[] }[] };
      return faxes.map(({ id, people }) => [id, ...people.map(({ name }) => name)]);
    };
    const report = (fax_id: string | null) =>
      office.request('PUT', '/presence', ada, { window: 'window-one', fax_id });
    await report(fax);
    await expect.poll(shown).toEqual([[fax, 'Ada']]);
    await expect.poll(kinds).toContain('presence.changed');
    await report(null);
    await expect.poll(shown).toEqual([]);
  });

  test('rule (gateways): changes that nothing records reach the consoles of every gateway', async () => {
    const json = { name: 'Ward 7', fax_number: '+12025550161' };
    const answer = await office.request('POST', '/contacts', undefined, json);
    expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
    await expect.poll(kinds).toContain('contact.changed');
  });

  test('the events of a time without announcements are not missed: consoles read anew', async () => {
    const { port, hostname } = new URL(databaseUrl);
    const proxy: CutOffProxy = await startCutOffProxy({ host: hostname, port: Number(port) });
    const url = new URL(databaseUrl);
    url.port = String(proxy.port);
    const received: unknown[] = [];
    let gaps = 0;
    const behind: DatabaseAnnouncements = openAnnouncements({ url: url.href, run: 'behind', logger });
    const before = openAnnouncements({ url: databaseUrl, run: 'before', logger });
    behind.on('test', (facts) => received.push(facts));
    before.on('test', () => received.push('came back to its sender'));
    behind.onGap(() => (gaps += 1));
    const sendUntil = (facts: string) =>
      expect
        .poll(() => {
          before.send('test', facts);
          return received;
        })
        .toContain(facts);
    await sendUntil('one');
    expect(gaps).toBe(0);
    await proxy.cut();
    await proxy.open();
    await expect.poll(() => gaps, { timeout: 10_000 }).toBe(1);
    await sendUntil('two');
    before.send('test', 'x'.repeat(9_000));
    await sendUntil('three');
    expect(new Set(received)).toEqual(new Set(['one', 'two', 'three']));
    await behind.close();
    await before.close();
    await proxy.close();
  });
});
