// Exports for the desktop application, which starts a process of documents in its own way.
export type { FromProcess, ToProcess } from './documents/process/messages.ts';
export { closeNetwork } from './documents/process/no-network.ts';
export { serveDocuments } from './documents/process/serve-documents.ts';
