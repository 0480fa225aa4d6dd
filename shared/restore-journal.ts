/** Which way a restore goes that was broken off: the database says so, or it was decided. */
export const RESTORE_WAYS = ['undecided', 'forward', 'back'] as const;
export type RestoreWay = (typeof RESTORE_WAYS)[number];

/** The name of a restore's journal in the data folder. Renaming it decides. */
export const restoreJournalName = (way: RestoreWay): string => `restore-${way}.json`;

/** Whether a data folder with these names is between two installations: none of its files may be believed then. */
export function isBetweenInstallations(names: readonly string[]): boolean {
  return RESTORE_WAYS.some((way) => names.includes(restoreJournalName(way)));
}
