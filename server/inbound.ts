import { join } from 'node:path';
import type { Storage } from './adapters/storage/port.ts';
import type { Database } from './db/database.ts';
import type { Documents } from './documents/documents.ts';
import { GATEWAY_ACTOR } from './features/access/service.ts';
import type { SecurityAudit } from './features/audit/service.ts';
import type { InboundAnnouncements, InboundParts, InboundSettings } from './features/inbound/parts.ts';
import { ReceivingWatch } from './features/inbound/receiving-watch.ts';
import { InboundService } from './features/inbound/service.ts';
import { UnreadFloor } from './features/inbound/unread-floor.ts';
import { SettingsStaleError } from './features/settings/errors.ts';
import type { SettingsService } from './features/settings/service.ts';
import type { Queue } from './jobs/queue.ts';
import type { Clock } from './platform/clock.ts';
import type { Announcer } from './platform/events.ts';
import type { Logger } from './platform/logger.ts';
import type { Seal } from './platform/seal.ts';

export interface InboundNeeds {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly seal: Seal;
  readonly storage: Storage;
  readonly documents: Documents;
  readonly audit: SecurityAudit;
  readonly settings: SettingsService;
  readonly announcer: Announcer<InboundAnnouncements>;
  readonly receivers: InboundParts['receivers'];
  readonly dataFolder: string;
}

/** The room of received faxes. Rooms that act on held documents are wired here. */
export function openInbound(needs: InboundNeeds): InboundService {
  const { settings, logger, ...parts } = needs;
  return new InboundService({
    ...parts,
    logger: logger.room('inbound'),
    heldHandlers: [],
    watch: new ReceivingWatch(needs.clock),
    unreadFloor: new UnreadFloor(needs.clock, needs.db.capabilities.soleProcess),
    settings: inboundSettings(settings),
    workDirectory: join(needs.dataFolder, 'work'),
  });
}

function inboundSettings(settings: SettingsService): InboundSettings {
  return {
    enabled: () => settings.get('INBOUND_ENABLED'),
    polling: () => settings.get('INBOUND_POLLING'),
    publicUrl: () => settings.get('PUBLIC_API_URL'),
    retentionDays: () => settings.get('INBOUND_RETENTION_DAYS'),
    cleanupMinutes: () => settings.get('CLEANUP_INTERVAL_MINUTES'),
    listsPerMinute: () => settings.get('INBOUND_LIST_RPM'),
    readsPerMinute: () => settings.get('INBOUND_GET_RPM'),
    country: () => settings.get('FAX_DEFAULT_COUNTRY'),
    ownNumber: () => settings.get('FAX_NUMBER'),
    handOverSecret: () => settings.get('TELEPHONY_INBOUND_SECRET'),
    saveHandOverSecret: (secret) => saveHandOverSecret(settings, secret),
  };
}

async function saveHandOverSecret(settings: SettingsService, secret: string): Promise<void> {
  while (settings.get('TELEPHONY_INBOUND_SECRET') === null) {
    try {
      await settings.change({
        named: { TELEPHONY_INBOUND_SECRET: secret },
        namedAt: 'changes',
        expectedRevisionId: settings.applyState().desired.id,
        actor: GATEWAY_ACTOR,
      });
    } catch (error) {
      if (!(error instanceof SettingsStaleError)) throw error;
      await settings.refresh();
    }
  }
}
