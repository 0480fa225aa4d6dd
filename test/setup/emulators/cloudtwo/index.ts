export { CloudtwoEmulator, startCloudtwoEmulator } from './emulator.ts';
export type { EmulatedFax } from './fax-record.ts';
export type { WebhookOptions } from './webhook.ts';
