import type { Kysely } from 'kysely';
import { createAccessTables } from './001/access.ts';
import { createAuditTables } from './001/audit.ts';
import { createInboundTables } from './001/inbound.ts';
import { createJobTables } from './001/jobs.ts';
import { createOutboundTables } from './001/outbound.ts';
import { createPairingTables } from './001/pairing.ts';
import { createRoutingTables } from './001/routing.ts';
import { createSettingsTables } from './001/settings.ts';
import { createTelephonyTables } from './001/telephony.ts';
import type { Migration } from './migration.ts';

export const firstRelease: Migration = {
  name: '001-first-release',
  async up(db: Kysely<unknown>) {
    await createSettingsTables(db);
    await createAuditTables(db);
    await createJobTables(db);
    await createAccessTables(db);
    await createRoutingTables(db);
    await createOutboundTables(db);
    await createInboundTables(db);
    await createTelephonyTables(db);
    await createPairingTables(db);
  },
};
