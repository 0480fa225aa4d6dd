import type { Command } from 'commander';
import type { Client } from '../../shared/client/index.ts';
import { connect, type GlobalOptions } from './connection.ts';
import { translateFieldNames } from './option-words.ts';
import { terminal } from './terminal.ts';

/** Context of an action, beside its own arguments. */
export interface ActionContext<O> {
  readonly options: O & GlobalOptions;
  /** Connects at the first use. */
  client(): Promise<Client>;
  /** Prints `value` as JSON when asked for, else what `words` make of it. */
  answer<T>(value: T, words: (value: T) => string): void;
}

/** An action whose last arguments, commander's own, are put into words of ours. */
export function action<O = object>(
  work: (context: ActionContext<O>, ...words: string[]) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    const command = args.at(-1) as Command;
    const words = args.slice(0, -2) as string[];
    const options = command.optsWithGlobals<O & GlobalOptions>();
    const context = {
      options,
      client: () => connect(options),
      answer: <T>(value: T, format: (value: T) => string) =>
        terminal.print(options.json ? JSON.stringify(value, null, 2) : format(value)),
    };
    await work(context, ...words).catch((error: unknown) => {
      throw translateFieldNames(command, error);
    });
  };
}
