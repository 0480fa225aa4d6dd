export { type Gateway, type GatewayOptions, GatewayRunningError, startGateway } from './gateway.ts';
