import { join } from 'node:path';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { MailToFaxParts } from './parts.ts';
import { mailToFaxServedRoutes } from './routes.ts';
import { createMailToFaxService } from './service.ts';
import { MAIL_TO_FAX_SETTINGS, mailToFaxSettings } from './settings.ts';

interface MailToFaxRoomParts extends Omit<MailToFaxParts, 'settings' | 'workDirectory'> {
  readonly settings: SettingsService;
  readonly dataFolder: string;
}

export { settleRestoredReplies } from './offline.ts';

/** The room of e-mails that are sent as faxes. */
export function createMailToFax(given: MailToFaxRoomParts): Room {
  const service = createMailToFaxService({
    ...given,
    logger: given.logger.room('mail-to-fax'),
    settings: mailToFaxSettings(given.settings),
    workDirectory: join(given.dataFolder, 'work'),
  });
  return defineRoom({
    name: 'mail-to-fax',
    served: mailToFaxServedRoutes(service),
    jobs: service.jobs,
    settings: { names: MAIL_TO_FAX_SETTINGS, changed: () => service.plan() },
    async open() {
      await service.plan();
      await service.planRepeated();
    },
    close: async () => service.close(),
    stop: async () => service.close(),
    warnings: async () => service.warnings(),
  });
}
