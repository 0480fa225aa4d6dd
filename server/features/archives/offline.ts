export type { ArchivedFax } from '../../../shared/archive-format.ts';
export { ArchiveError, type OpenedArchive, openArchive } from './open-archive.ts';
