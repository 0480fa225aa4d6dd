export { type BootOverrides, readBoot } from './config/boot.ts';
export { type Gateway, type GatewayOptions, GatewayRunningError, startGateway } from './gateway.ts';
export { startProblem } from './start-problem.ts';
