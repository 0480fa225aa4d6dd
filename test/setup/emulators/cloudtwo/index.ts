export type { WebhookDelivery } from '../deliveries.ts';
export type { Fault } from '../faults.ts';
export { CloudtwoEmulator, type CloudtwoEmulatorOptions, startCloudtwoEmulator } from './emulator.ts';
export type { EmulatedFax, FaxOutcome } from './fax-record.ts';
export type { ReceivedFax } from './sending.ts';
export type { WebhookOptions } from './webhook.ts';
