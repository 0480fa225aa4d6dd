import type { Kysely } from 'kysely';
import { createAccessTables } from './001/access.ts';
import { createInboundTables } from './001/inbound.ts';
import { createOutboundTables } from './001/outbound.ts';
import { createPairingTables } from './001/pairing.ts';
import { createSystemTables } from './001/system.ts';
import type { Migration } from './migration.ts';

export const firstRelease: Migration = {
  name: '001-first-release',
  async up(db: Kysely<unknown>) {
    await createSystemTables(db);
    await createAccessTables(db);
    await createOutboundTables(db);
    await createInboundTables(db);
    await createPairingTables(db);
  },
};
