export type { Fault } from '../faults.ts';
export {
  CloudoneEmulator,
  startCloudoneEmulator,
} from './emulator.ts';
export { errorCatalog } from './error-catalog.ts';
export type { EmulatedFax } from './fax-record.ts';
export { VendorClient } from './vendor-client.ts';
export {
  vendorSignature,
  type WebhookOptions,
} from './webhook.ts';
