import type { FromProcess, ToProcess } from '../process/messages.ts';

/** A process for documents that was started, seen from the gateway. */
export interface DocumentConnection {
  send(message: ToProcess): void;
  onMessage(listener: (message: FromProcess) => void): void;
  /** Called once, when the process has ended; with what it wrote last, for the log. */
  onEnd(listener: (lastWords: string) => void): void;
  /** Ends the process now, whatever it does; resolves when it has ended. */
  end(): Promise<void>;
  /** By what it is confined, besides Node's permission model. For the log. */
  readonly confinedBy: readonly string[];
}

/** Starts the process for documents. It may read and write the folders, and nothing else of the user's. */
export type StartDocumentProcess = (folders: readonly string[]) => Promise<DocumentConnection>;
