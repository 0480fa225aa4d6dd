import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ArchivingOffice, type Removal, TO } from '../api/archives-removal-setup.ts';
import { InboundGateway } from '../api/inbound-setup.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

const FAXES = 24;

describe.each(STORES)('a legal hold at the same instant as a removal on %s', (store) => {
  let place: ArchivingOffice;
  let databaseUrl: string | null;
  beforeEach(async () => {
    databaseUrl = store === 'sqlite' ? null : await newPostgresDatabase();
    place = new ArchivingOffice(await InboundGateway.start({ databaseUrl }));
    await place.gateway.set({ INBOUND_RETENTION_DAYS: 0, ARTIFACT_TTL_DAYS: 0 });
  });
  afterEach(async () => {
    await place.gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function archived(faxes: number): Promise<{ ids: string[]; checked: Removal }> {
    const { year } = place;
    const ids: string[] = [];
    for (let fax = 0; fax < faxes; fax += 1) ids.push(await place.send());
    await place.pass();
    return { ids, checked: await place.check(await place.archive(year), year) };
  }
  const hold = (covered: object) =>
    place.status('POST', '/legal-holds', { name: 'Smith', reason: 'Letter', ...covered });

  test('rule (archives): a legal hold that is placed while a removal runs keeps its fax, or says that the fax is gone', async () => {
    const { ids, checked } = await archived(FAXES);
    await place.start(checked);
    const removing = place.gateway.processAll();
    const placed = await Promise.all(ids.map((id) => hold({ fax_ids: [id] })));
    await removing;
    await place.gateway.processAll();
    const found = await Promise.all(ids.map((id) => place.status('GET', `/fax/${id}/document`)));
    // Either the hold was first, or the fax had left.
    expect(placed.map(([status]) => status)).toEqual(found.map(([status]) => (status === 200 ? 201 : 400)));
    const kept = found.filter(([status]) => status === 200).length;
    const done = await place.removal(checked.id);
    expect(done).toMatchObject({ state: 'done', removed: { sent: FAXES - kept } });
    expect(done.staying.reduce((sum, { faxes }) => sum + faxes, 0)).toBe(kept);
  });

  test.skipIf(store === 'sqlite')('waits for a removal that looked for holds before', async () => {
    const { ids, checked } = await archived(1);
    await place.start(checked);
    const connect = async () => {
      const client = new pg.Client({ connectionString: databaseUrl ?? '' });
      await client.connect();
      return client;
    };
    const other = await connect();
    const watching = await connect();
    try {
      // The removal waits for a fax that another transaction has.
      await other.query('begin');
      await other.query('select id from fax_job where id = $1 for update', ids);
      const removing = place.gateway.processAll();
      const blocked = 'select 1 from pg_stat_activity where wait_event_type = $1 and query like $2';
      const waiting = async (query: string) => (await watching.query(blocked, ['Lock', query])).rowCount;
      await expect.poll(() => waiting('%"fax_job"%for update%')).toBe(1);
      let isPlaced = false;
      const placing = hold({ number: TO }).finally(() => {
        isPlaced = true;
      });
      await expect.poll(() => waiting('%legal holds%')).toBe(1);
      expect(isPlaced).toBe(false);
      await other.query('commit');
      expect(await placing).toEqual([201, null]);
      await removing;
    } finally {
      await other.end();
      await watching.end();
    }
    expect(await place.status('GET', `/fax/${ids[0]}`)).toEqual([404, 'fax_archived']);
    expect(await place.removal(checked.id)).toMatchObject({ removed: { sent: 1 } });
  });
});
