/** Message to the process of a terminal. The key comes this way because other programs can read arguments. */
export type ToTerminal =
  | {
      readonly kind: 'start';
      /** Address of this gateway. */
      readonly url: string;
      readonly key: string;
      readonly columns: number;
      readonly rows: number;
    }
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'size'; readonly columns: number; readonly rows: number }
  /** Length of output that has been passed on; the process waits while too much has not. */
  | { readonly kind: 'taken'; readonly length: number };

/** Message of the process of a terminal. */
export type FromTerminal =
  | { readonly kind: 'output'; readonly text: string }
  /** The person typed `exit`. */
  | { readonly kind: 'done' };

/** A process that runs the commands of one terminal. */
export interface TerminalProcess {
  send(message: ToTerminal): void;
  onMessage(listener: (message: FromTerminal) => void): void;
  /** Called once, when the process has ended; with what it wrote last, for the log. */
  onEnd(listener: (lastWords: string) => void): void;
  /** Ends the process now; resolves when it has ended. */
  end(): Promise<void>;
}

/** Starts the process of a terminal. It has no environment and reads no file but the code. */
export type StartTerminalProcess = () => Promise<TerminalProcess>;

/** Output that the process sends ahead of what was passed on, in UTF-16 units. */
export const MAX_OUTPUT_AHEAD = 65_536;
