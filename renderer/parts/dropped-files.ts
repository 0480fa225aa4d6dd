/** Files dropped on another screen, until the Send screen takes them. */
let waiting: readonly File[] = [];
let isOpen = false;

/** Keeps files for the Send screen, which is being opened. */
export function keepDropped(files: readonly File[]): void {
  waiting = [...waiting, ...files];
}

/** Returns true while the Send screen takes dropped files itself. */
export const takesDropped = (): boolean => isOpen;

/** The Send screen takes files from now on; returns those that were dropped before. */
export function beginTaking(): readonly File[] {
  isOpen = true;
  const files = waiting;
  waiting = [];
  return files;
}

export function endTaking(): void {
  isOpen = false;
}

export const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
