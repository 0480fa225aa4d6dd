export { type Gateway, startGateway } from './composition/gateway.ts';
export { type RunningGateway, runGateway } from './composition/run-gateway.ts';
export { startProblem } from './composition/start-problem.ts';
export type { UpdateBackup } from './composition/way-back.ts';
export { type BootOverrides, readBoot } from './config/boot.ts';
export { makeForOwnerOnly } from './config/owner-only.ts';
export type { DocumentConnection } from './documents/documents.ts';
export type { TerminalProcess } from './features/terminal/terminal-process-port.ts';
