import type * as Electron from 'electron';

/**
 * Recordings of everything the application did that a person would see, and the answers that tests give in a person's
 * place.
 */
export const recorder = {
  /** Calls without an effect here, as `[name, ...arguments]`. */
  calls: [] as unknown[][],
  notifications: [] as object[],
  trays: [] as object[],
  messageBoxes: [] as Electron.MessageBoxOptions[],
  /** Files that the next save dialogs name; without one they are cancelled. */
  saveDialogs: [] as string[],
  /** Folders that the next dialogs for a folder name; without one they are cancelled. */
  openDialogs: [] as string[],
};

export function record(name: string, ...facts: unknown[]): void {
  recorder.calls.push([name, ...facts]);
}
