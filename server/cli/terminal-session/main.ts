import type { ToTerminal } from '../../features/terminal/terminal-process-port.ts';
import { serveTerminal } from './serve-terminal.ts';

// The process of a console terminal, as Node starts it.

// Without the gateway there is nobody to read the output.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
serveTerminal({
  send: (message) => void process.send?.(message),
  onMessage: (listener) => void process.on('message', (message) => listener(message as ToTerminal)),
});
