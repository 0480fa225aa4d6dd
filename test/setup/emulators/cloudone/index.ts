export type { WebhookDelivery } from './deliveries.ts';
export {
  CloudoneEmulator,
  type CloudoneEmulatorOptions,
  type RecordedCall,
  startCloudoneEmulator,
} from './emulator.ts';
export { errorCatalogue } from './error-catalogue.ts';
export type { Fault, FaultKind } from './faults.ts';
export type { EmulatedFax, FaxOutcome } from './fax-record.ts';
export { VendorClient } from './vendor-client.ts';
export {
  vendorSignature,
  type WebhookLayout,
  type WebhookOptions,
  type WebhookTampering,
} from './webhook.ts';
