// What a process of documents is made of, for the desktop application, which starts it in its own way.
export type { FromProcess, ToProcess } from './documents/process/messages.ts';
export { closeNetwork } from './documents/process/no-network.ts';
export { serveDocuments } from './documents/process/serve-documents.ts';
