/** The initials of at most two words: "Mara Okafor" is MO, "front-desk" is F. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

export interface Pickable {
  readonly id: string;
  readonly name: string;
}

/** Those whose initials or one of whose names begin with what was typed, the best first; all of them while nothing is. */
export function matching<Person extends Pickable>(
  people: readonly Person[],
  typed: string,
): readonly Person[] {
  const wanted = typed.trim().toLocaleLowerCase();
  if (wanted === '') return people;
  const rank = ({ name }: Person): number => {
    const initials = initialsOf(name).toLocaleLowerCase();
    if (initials === wanted) return 0;
    if (initials.startsWith(wanted)) return 1;
    const whole = name.toLocaleLowerCase();
    return whole.startsWith(wanted) || whole.split(/\s+/u).some((word) => word.startsWith(wanted)) ? 2 : 3;
  };
  return people
    .map((person) => ({ person, at: rank(person) }))
    .filter(({ at }) => at < 3)
    .sort((a, b) => a.at - b.at)
    .map(({ person }) => person);
}
