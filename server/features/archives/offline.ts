export type { ArchivedFax } from './format.ts';
export { ArchiveError, type OpenedArchive, openArchive } from './open-archive.ts';
