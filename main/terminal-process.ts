import type { MessageEvent } from 'electron';
import {
  closeComputer,
  type FromTerminal,
  serveTerminal,
  type ToTerminal,
} from '../server/terminal-process.ts';
import { codeFolders } from './files.ts';

// Entry point of the process of a console terminal. It receives nothing but a port to the gateway, and ends with it.

// Electron's processes start without Node's permission model.
closeComputer(codeFolders());

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
