import type * as Electron from 'electron';

/**
 * Records everything the application did that a person would see, and holds the answers that tests give in place of a
 * person.
 */
export const recorder = {
  /** Calls without an effect here, as `[name, ...arguments]`. */
  calls: [] as unknown[][],
  notifications: [] as object[],
  trays: [] as object[],
  messageBoxes: [] as Electron.MessageBoxOptions[],
  /** Files that the next save dialogs return; without one they are canceled. */
  saveDialogs: [] as string[],
  /** Folders that the next folder dialogs return; without one they are canceled. */
  openDialogs: [] as string[],
  /** Printers of the computer. */
  printers: [] as Electron.PrinterInfo[],
};

export function record(name: string, ...facts: unknown[]): void {
  recorder.calls.push([name, ...facts]);
}
