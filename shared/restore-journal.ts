/** Direction of an interrupted restore, from the database or a decision. */
export const RESTORE_WAYS = ['undecided', 'forward', 'back'] as const;
export type RestoreWay = (typeof RESTORE_WAYS)[number];

/** The name of a restore's journal in the data folder. Renaming it decides. */
export const restoreJournalName = (way: RestoreWay): string => `restore-${way}.json`;

/**
 * Returns true when a data folder with these names is between two installations: none of its files can be trusted then.
 */
export function isBetweenInstallations(names: readonly string[]): boolean {
  return RESTORE_WAYS.some((way) => names.includes(restoreJournalName(way)));
}
