import { EventEmitter } from 'node:events';

// Loaded first into a utility process: its channel to main.

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    if (process.connected) process.send?.(structuredClone(message));
  }
  start(): void {}
  close(): void {}
}

const port = new ParentPort();
process.on('message', (data) => port.emit('message', { data, ports: [] }));
// A utility process ends with the application.
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: port });
Object.defineProperty(process, 'type', { value: 'utility' });
