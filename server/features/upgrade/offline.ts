export { openEarlierFiles } from './files.ts';
export type { Takers } from './port.ts';
export type { OnProgress } from './recorder.ts';
export { runUpgrade } from './run-upgrade.ts';
export { listNotes } from './store.ts';
export type { UpgradeReport, UpgradeRun } from './types.ts';
