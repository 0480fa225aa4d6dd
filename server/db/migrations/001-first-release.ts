import type { Kysely } from 'kysely';
import { createAccessTables } from './001/access.ts';
import { createAuditTables } from './001/audit.ts';
import { createBroadcastsTables } from './001/broadcasts.ts';
import { createConsoleTables } from './001/console.ts';
import { createContactsTables } from './001/contacts.ts';
import { createCoversTables } from './001/covers.ts';
import { createDirectTables } from './001/direct.ts';
import { createFoldersTables } from './001/folders.ts';
import { createImportsTables } from './001/imports.ts';
import { createInboundTables } from './001/inbound.ts';
import { createIntakeTables } from './001/intake.ts';
import { createJobTables } from './001/jobs.ts';
import { createMailToFaxTables } from './001/mail-to-fax.ts';
import { createNoticesTables } from './001/notices.ts';
import { createOutboundTables } from './001/outbound.ts';
import { createPairingTables } from './001/pairing.ts';
import { createRoutingTables } from './001/routing.ts';
import { createSettingsTables } from './001/settings.ts';
import { createSigningTables } from './001/signing.ts';
import { createStorageTables } from './001/storage.ts';
import { createSummaryTables } from './001/summary.ts';
import { createTelephonyTables } from './001/telephony.ts';
import { createUpgradeTables } from './001/upgrade.ts';
import { createWebhooksTables } from './001/webhooks.ts';
import { createWorkTables } from './001/work.ts';
import type { Migration } from './migration.ts';

export const firstRelease: Migration = {
  name: '001-first-release',
  async up(db: Kysely<unknown>) {
    await createSettingsTables(db);
    await createAuditTables(db);
    await createJobTables(db);
    await createAccessTables(db);
    await createRoutingTables(db);
    await createContactsTables(db);
    await createCoversTables(db);
    await createOutboundTables(db);
    await createBroadcastsTables(db);
    await createInboundTables(db);
    await createIntakeTables(db);
    await createWorkTables(db);
    await createSummaryTables(db);
    await createStorageTables(db);
    await createSigningTables(db);
    await createTelephonyTables(db);
    await createImportsTables(db);
    await createFoldersTables(db);
    await createMailToFaxTables(db);
    await createPairingTables(db);
    await createConsoleTables(db);
    await createNoticesTables(db);
    await createUpgradeTables(db);
    await createWebhooksTables(db);
    await createDirectTables(db);
  },
};
