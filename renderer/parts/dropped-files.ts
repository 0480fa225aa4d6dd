import { forgetWithPerson } from '../api/person-memory.ts';

/** Files dropped on another screen, until the Send screen takes them. */
let waiting: readonly File[] = [];
let isHandling = false;

/** Keeps files for the Send screen, which is being opened. */
export function keepDroppedFiles(files: readonly File[]): void {
  waiting = [...waiting, ...files];
}

/** Returns true while the open screen handles dropped files itself. */
export const isHandlingDrops = (): boolean => isHandling;

/** Marks that the open screen handles dropped files itself. Returns the files that were dropped before it opened. */
export function startHandlingDrops(): readonly File[] {
  isHandling = true;
  const files = waiting;
  waiting = [];
  return files;
}

export function stopHandlingDrops(): void {
  isHandling = false;
}

export const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

forgetWithPerson(() => {
  waiting = [];
});
