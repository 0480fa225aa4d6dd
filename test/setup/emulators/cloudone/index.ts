export type { WebhookDelivery } from '../deliveries.ts';
export type { RecordedCall } from '../emulator.ts';
export type { Fault, FaultKind } from '../faults.ts';
export {
  CloudoneEmulator,
  type CloudoneEmulatorOptions,
  startCloudoneEmulator,
} from './emulator.ts';
export { errorCatalogue } from './error-catalogue.ts';
export type { EmulatedFax, FaxOutcome } from './fax-record.ts';
export type { ReceivedFax } from './sending.ts';
export { VendorClient } from './vendor-client.ts';
export {
  vendorSignature,
  type WebhookLayout,
  type WebhookOptions,
  type WebhookTampering,
} from './webhook.ts';
