import { expect, test } from 'vitest';
import { startTestGateway } from '../setup/gateway.ts';
import { ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, withoutPostgres } from '../setup/stores.ts';
import { InboundGateway, PUBLIC_URL } from './inbound-setup.ts';

test.skipIf(postgresUrl === null)(
  `two gateways on one database make one fax of notifications that both receive, and notify each other${withoutPostgres}`,
  async () => {
    const databaseUrl = await newPostgresDatabase();
    const clock = new ManualClock();
    const settings = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'on', PUBLIC_API_URL: PUBLIC_URL };
    const one = new InboundGateway(await startTestGateway({ databaseUrl, clock, settings }));
    const { emulator } = one.gateway;
    const two = new InboundGateway(await startTestGateway({ databaseUrl, clock, settings, emulator }));
    try {
      const position = async (after?: string) => {
        const path = after === undefined ? '/console/changes' : `/console/changes?after=${after}`;
        const answer = await one.gateway.request('GET', path);
        return (await answer.json()) as { next: string; events: { kind: string; data: { id?: string } }[] };
      };
      const { next } = await position();
      const fax = one.arrive();
      clock.advance(MINUTE);
      const answers = await Promise.all([
        one.notify(fax),
        two.notifyBare(fax),
        two.notify(fax),
        one.work(),
        two.work(),
      ]);
      expect(answers.slice(0, 3).map((answer) => answer?.status)).toEqual([200, 200, 200]);
      const held = await two.only();
      expect(held).toMatchObject({ status: 'received', provider_fax_id: String(fax.id), conflicts: 0 });
      const other = two.arrive({ from: '+12025550133' });
      expect((await two.notify(other)).status).toBe(200);
      const [newest] = await two.list('?from_number=%2B12025550133');
      const reported = (await position(next)).events.filter(({ kind }) => kind === 'inbound.changed');
      expect(reported.map(({ data }) => data.id)).toEqual(expect.arrayContaining([held.id, newest?.id]));
    } finally {
      await two.gateway.stop();
      await one.close();
      await dropPostgresDatabase(databaseUrl);
    }
  },
);
