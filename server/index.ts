export { type BootOverrides, readBoot } from './config/boot.ts';
export { makeForOwnerOnly } from './config/owner-only.ts';
export type { DocumentConnection } from './documents/documents.ts';
export type { FromProcess } from './documents/process/messages.ts';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
export { type RunningGateway, runGateway } from './run-gateway.ts';
export { startProblem } from './start-problem.ts';
export { GatewayRunningError } from './take-data-folder.ts';
