import { CommandFailure, EXIT } from './exit-codes.ts';

/** The id of a person by id or name. `what` says what only these people can do: "own this item". */
export function findPersonByName(
  people: readonly { readonly id: string; readonly name: string }[],
  typed: string,
  what: string,
): string {
  const named = people.filter(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const known = people.find((person) => person.id === typed) ?? named[0];
  if (!known) {
    const able = people.map(({ name }) => name).join(', ') || 'nobody';
    throw new CommandFailure(`${typed} cannot ${what}. These people can: ${able}.`, EXIT.notFound);
  }
  if (known.id !== typed && named.length > 1)
    throw new CommandFailure(`Several people are called ${typed}. Use the id instead.`, EXIT.usage);
  return known.id;
}
