/** Names that a storage uses for its own files, directly in its folder; no document can have these names. */
export const MARK_FILE = 'installation.json';
export const UNCLAIMED_FOLDER = 'unclaimed';
export const SET_ASIDE_FOLDER = 'set-aside';

const RESERVED: ReadonlySet<string> = new Set([MARK_FILE, UNCLAIMED_FOLDER, SET_ASIDE_FOLDER]);

/** Returns true when the first segment of a name belongs to the storage itself. */
export const isReserved = (segment: string): boolean => RESERVED.has(segment);
