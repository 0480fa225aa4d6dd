import type { Command } from 'commander';
import type { Client } from '../../shared/client/index.ts';
import { connect, type GlobalOptions } from './connection.ts';
import { inWordsOf } from './option-words.ts';
import { terminal } from './terminal.ts';

/** Context of an action, beside its own arguments. */
export interface Running<O> {
  readonly options: O & GlobalOptions;
  /** Connects at the first use. */
  client(): Promise<Client>;
  /** Prints `value` as JSON when asked for, else what `words` make of it. */
  answer<T>(value: T, words: (value: T) => string): void;
}

/** An action whose last arguments, commander's own, are put into words of ours. */
export function action<O = object>(
  work: (running: Running<O>, ...words: string[]) => Promise<void>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const words = given.slice(0, -2) as string[];
    const options = command.optsWithGlobals<O & GlobalOptions>();
    const running = {
      options,
      client: () => connect(options),
      answer: <T>(value: T, say: (value: T) => string) =>
        terminal.print(options.json ? JSON.stringify(value, null, 2) : say(value)),
    };
    await work(running, ...words).catch((error: unknown) => {
      throw inWordsOf(command, error);
    });
  };
}
