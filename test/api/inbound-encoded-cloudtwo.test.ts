import { expect, test } from 'vitest';
import { startCloudtwoEmulator } from '../setup/emulators/cloudtwo/index.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl } from '../setup/stores.ts';
import { OWN_NUMBER } from './inbound-setup.ts';
import { EncodedPages, KEY, PARTNER } from './outbound-encoded-setup.ts';

const PROJECT = 'project-of-this-test';

test.skipIf(postgresUrl === null)(
  'rule (inbound): encrypted pages go out and come back by another provider [cloudtwo on PostgreSQL]',
  async () => {
    const clock = new ManualClock();
    const emulator = await startCloudtwoEmulator({
      projectId: PROJECT,
      apiKey: 'key',
      apiSecret: 'secret',
      clock,
    });
    const databaseUrl = await newPostgresDatabase();
    const settings = {
      FAX_BACKEND: 'cloudtwo',
      CLOUDTWO_PROJECT_ID: PROJECT,
      CLOUDTWO_API_KEY: 'key',
      CLOUDTWO_API_SECRET: 'secret',
      CLOUDTWO_API_URL: emulator.url,
      PUBLIC_API_URL: '',
      INBOUND_POLLING: 'on',
    };
    const office = await EncodedPages.start({ settings, clock, databaseUrl });
    try {
      await office.contact({ encoded_pages: 'encrypted', shared_key: KEY });
      const { id } = await office.gateway.send({ to: PARTNER });
      await office.gateway.processAll();
      const fax = await office.gateway.fax(id);
      expect(fax).toMatchObject({ backend: 'cloudtwo', encoded: { mode: 'encrypted' } });
      const document = emulator.faxes.get(String(fax.provider_sid))?.document ?? Buffer.alloc(0);
      emulator.receive({ from: PARTNER, to: OWN_NUMBER, document });
      for (let minute = 0; minute < 20; minute += 1) {
        clock.advance(60_000);
        await office.inbound.work();
      }
      expect(await office.inbound.only()).toMatchObject({
        backend: 'cloudtwo',
        decode: { state: 'decoded', sha256: fax.document.sha256 },
      });
    } finally {
      await office.close();
      await emulator.close();
      await dropPostgresDatabase(databaseUrl);
    }
  },
);
