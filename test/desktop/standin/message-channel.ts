import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

/** Receiver of the messages to a port that was transferred to a process. */
interface PortOwner {
  deliver(data: unknown): void;
  closed(): void;
}

/** One end of a channel, while it is in main or after it was handed to a utility process. */
export class MessagePortMain
  extends EventEmitter
  implements Pick<Electron.MessagePortMain, 'close' | 'postMessage' | 'start'>
{
  peer: MessagePortMain | null = null;
  #owner: PortOwner | null = null;
  #started = false;
  readonly #early: unknown[] = [];

  postMessage(message: unknown): void {
    this.peer?.arrived(structuredClone(message));
  }

  start(): void {
    this.#started = true;
    for (const data of this.#early.splice(0)) this.emit('message', { data, ports: [] });
  }

  close(): void {
    const { peer } = this;
    this.peer = null;
    if (peer === null) return;
    peer.peer = null;
    peer.#disconnected();
  }

  /** From now on another process has it. */
  handTo(owner: PortOwner): void {
    this.#owner = owner;
    for (const data of this.#early.splice(0)) owner.deliver(data);
  }

  arrived(data: unknown): void {
    if (this.#owner) this.#owner.deliver(data);
    else if (this.#started) this.emit('message', { data, ports: [] });
    else this.#early.push(data);
  }

  #disconnected(): void {
    if (this.#owner) this.#owner.closed();
    else this.emit('close');
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    this.port1.peer = this.port2;
    this.port2.peer = this.port1;
  }
}

/** A message about a port that a utility process has. */
export interface PortMessage {
  readonly standinPort: number;
  readonly event: 'message' | 'close';
  readonly data?: unknown;
}

/** A message that hands ports over with it. */
export interface MessageWithPorts {
  readonly standinPorts: readonly number[];
  readonly data: unknown;
}
