import { createFolders, type FoldersRoomParts } from './features/folders/room.ts';
import type { Room } from './features/room.ts';
import { requestSettings } from './request-settings.ts';

/** The rooms by which faxes to send come in, beside the API. */
export function createSendingRooms(parts: Omit<FoldersRoomParts, 'mostFileBytes'>): readonly Room[] {
  return [createFolders({ ...parts, mostFileBytes: requestSettings(parts.settings).mostUploadBytes })];
}
