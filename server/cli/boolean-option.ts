import { InvalidArgumentError, Option } from 'commander';
import { withChoices } from './choice-option.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

const ANSWERS: Readonly<Record<string, boolean>> = { yes: true, no: false };

/** An option with two answers; what is left out stays as it is. */
export function booleanOption(flag: string, words: string): Option {
  const option = new Option(`${flag} <yes or no>`, words).argParser((text) => {
    const answer = ANSWERS[text.toLowerCase()];
    if (answer === undefined) throw new InvalidArgumentError('Enter yes or no.');
    return answer;
  });
  return withChoices(option, Object.keys(ANSWERS));
}

/** Returns the values of a change; throws when there is none. */
export function requireChange<T extends object>(values: T): T {
  if (Object.values(values).some((value) => value !== undefined)) return values;
  throw new CommandFailure('Give at least one option to change. See --help.', EXIT.usage);
}
