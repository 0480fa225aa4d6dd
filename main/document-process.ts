import type { MessageEvent } from 'electron';
import {
  closeNetwork,
  type FromProcess,
  serveDocuments,
  type ToProcess,
} from '../server/document-process.ts';

// Entry point of the process of documents. It receives nothing but a port to the gateway, and ends with the gateway.

closeNetwork();
process.parentPort.once('message', ({ ports: [port] }: MessageEvent) => {
  if (port === undefined) return;
  port.on('close', () => process.kill(process.pid, 'SIGKILL'));
  serveDocuments({
    send: (message: FromProcess) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', ({ data }: MessageEvent) => listener(data as ToProcess)),
  });
  port.start();
});
