import { promises as dns } from 'node:dns';
import { createImapFolders } from './adapters/mail/imap.ts';
import { createMailReader } from './adapters/mail/mail-threads.ts';
import type { ResolveDns } from './adapters/mail/reading-port.ts';
import { createFolders, type FoldersRoomParts } from './features/folders/room.ts';
import { createMailToFax, type MailToFaxRoomParts } from './features/mail-to-fax/room.ts';
import type { Room } from './features/room.ts';
import type { Timers } from './platform/ami/timers.ts';
import { requestSettings } from './request-settings.ts';

const systemDns: ResolveDns = async (name, type) => (await dns.resolve(name, type)) as string[] | string[][];

/** The rooms by which faxes to send come in, beside the API. */
export function createSendingRooms(
  {
    resolveDns = systemDns,
    mailTimers,
  }: { readonly resolveDns?: ResolveDns | undefined; readonly mailTimers?: Timers | undefined },
  parts: Omit<FoldersRoomParts & MailToFaxRoomParts, 'mostFileBytes' | 'folders' | 'reader'>,
): readonly Room[] {
  return [
    createFolders({ ...parts, mostFileBytes: requestSettings(parts.settings).mostUploadBytes }),
    createMailToFax({
      ...parts,
      folders: createImapFolders(parts.logger.room('mail-to-fax')),
      reader: createMailReader(resolveDns, mailTimers),
    }),
  ];
}
