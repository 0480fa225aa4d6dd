import type { MessageEvent } from 'electron';
import { type FromTerminal, serveTerminal, type ToTerminal } from '../server/terminal-process.ts';

// Entry point of the process of a console terminal. It receives nothing but a port to the gateway, and ends with it.

process.parentPort.once('message', ({ ports: [port] }: MessageEvent) => {
  if (port === undefined) return;
  port.on('close', () => process.kill(process.pid, 'SIGKILL'));
  serveTerminal({
    send: (message: FromTerminal) => port.postMessage(message),
    onMessage: (listener) =>
      void port.on('message', ({ data }: MessageEvent) => listener(data as ToTerminal)),
  });
  port.start();
});
