import { type Command, InvalidArgumentError } from 'commander';

export interface CoverOptions {
  readonly coverField?: readonly (readonly [string, string])[];
}

export function addCoverFieldOption(command: Command): Command {
  return command.option(
    '--cover-field <name=value>',
    'value of a field of the cover page, such as note="As agreed"; once for each field',
    collect,
  );
}

/** Returns the values by field. */
export const coverFieldsOf = ({ coverField = [] }: CoverOptions): Record<string, string> =>
  Object.fromEntries(coverField);

function collect(text: string, before: readonly (readonly [string, string])[] = []) {
  const end = text.indexOf('=');
  if (end < 1) throw new InvalidArgumentError('Write it as name=value.');
  return [...before, [text.slice(0, end), text.slice(end + 1)] as const];
}
