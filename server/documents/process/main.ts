import { closeNetwork } from './no-network.ts';
import { serveDocuments } from './serve-documents.ts';

// The process of documents, as Node starts it.

closeNetwork();
// Without the gateway there is nothing to do and nothing to save, and a thread that is busy is not waited for.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
serveDocuments({
  send: (message) => void process.send?.(message),
  onMessage: (listener) => void process.on('message', listener),
});
