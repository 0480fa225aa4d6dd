import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

type Listener = Parameters<Electron.IpcMain['handle']>[1];

/** Message from the preload of a page, with the document it came from. */
export interface Received {
  readonly message: { kind: 'invoke' | 'send'; id: number; channel: string; args: unknown[] };
  readonly sender: object;
  readonly frame: { readonly url: string; readonly origin: string; readonly parent: null };
}

class IpcMain extends EventEmitter implements Pick<Electron.IpcMain, 'handle' | 'removeHandler'> {
  readonly #handlers = new Map<string, Listener>();

  handle(channel: string, listener: Listener): void {
    if (this.#handlers.has(channel)) throw new Error(`there is a handler for '${channel}' already`);
    this.#handlers.set(channel, listener);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** Answers as main does: a copy of the value, or the words of an error. Null for what asks for no answer. */
  async dispatch({
    message,
    sender,
    frame,
  }: Received): Promise<{ value: unknown } | { error: string } | null> {
    const event = { sender, senderFrame: frame, processId: 1, frameId: 1 } as unknown;
    const { kind, channel, args } = message;
    if (kind === 'send') {
      this.emit(channel, event, ...args);
      return null;
    }
    try {
      const handler = this.#handlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      return { value: structuredClone(await handler(event as Electron.IpcMainInvokeEvent, ...args)) };
    } catch (error) {
      return { error: `Error invoking remote method '${channel}': ${String(error)}` };
    }
  }
}

export const ipcMain = new IpcMain();
