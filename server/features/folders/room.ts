import { join } from 'node:path';
import { check, sentenceOf } from '../../http/sentences.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { FoldersParts } from './parts.ts';
import { createSendFolder } from './send-folder.ts';
import { SendManifest } from './send-manifest.ts';
import { FOLDERS_SETTINGS, foldersSettings } from './settings.ts';

interface FoldersRoomParts extends Omit<FoldersParts, 'settings' | 'workDirectory' | 'checkManifest'> {
  readonly settings: SettingsService;
}

/** The room of folders whose files are sent. */
export function createFolders(given: FoldersRoomParts): Room {
  const folder = createSendFolder({
    ...given,
    logger: given.logger.room('folders'),
    settings: foldersSettings(given.settings),
    workDirectory: join(given.dataFolder, 'work'),
    checkManifest(value) {
      const checked = check(SendManifest, value);
      return checked.success ? checked.data : { problem: sentenceOf(checked.error) };
    },
  });
  return defineRoom({
    name: 'folders',
    jobs: [folder.definition as unknown as JobDefinition<never>],
    settings: { names: FOLDERS_SETTINGS, changed: () => folder.plan() },
    start: () => folder.plan(),
    warnings: async () => folder.warnings(),
  });
}
