import { EventEmitter } from 'node:events';
import type { MessageWithPorts, PortMessage } from './message-channel.ts';

// Loaded first into a utility process: its channel to main, and the ports that main hands over.

class ParentPort extends EventEmitter {
  postMessage(message: unknown): void {
    send(structuredClone(message));
  }
  start(): void {}
  close(): void {}
}

class HandedPort extends EventEmitter {
  readonly #id: number;
  #started = false;
  readonly #early: unknown[] = [];

  constructor(id: number) {
    super();
    this.#id = id;
  }

  postMessage(data: unknown): void {
    send({ standinPort: this.#id, event: 'message', data: structuredClone(data) } satisfies PortMessage);
  }

  start(): void {
    this.#started = true;
    for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] });
  }

  close(): void {
    ports.delete(this.#id);
    send({ standinPort: this.#id, event: 'close' } satisfies PortMessage);
  }

  arrived({ event, data }: PortMessage): void {
    if (event === 'close') this.emit('close');
    else if (this.#started) this.emit('message', { data, ports: [] });
    else this.#early.push(data);
  }
}

function send(message: unknown): void {
  if (process.connected) process.send?.(message);
}

const ports = new Map<number, HandedPort>();
const parent = new ParentPort();
process.on('message', (message: object) => {
  if ('standinPort' in message) {
    ports.get((message as PortMessage).standinPort)?.arrived(message as PortMessage);
    return;
  }
  if (!('standinPorts' in message)) {
    parent.emit('message', { data: message, ports: [] });
    return;
  }
  const { standinPorts, data } = message as MessageWithPorts;
  for (const id of standinPorts) ports.set(id, new HandedPort(id));
  parent.emit('message', { data, ports: standinPorts.map((id) => ports.get(id)) });
});
// A utility process ends with the application.
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: parent });
Object.defineProperty(process, 'type', { value: 'utility' });
