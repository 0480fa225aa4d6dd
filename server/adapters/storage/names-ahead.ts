/** Names that are kept for later steps. */
export const AHEAD = 5_000;

/**
 * Returns an empty list of names that steps of work on many documents take from, so that a folder with a million documents is not
 * read anew for each of them.
 */
export function createNamesAhead(): NamesAhead {
  return new NamesAhead();
}

export type { NamesAhead };

class NamesAhead {
  #source = '';
  #after = '';
  /** In order. */
  #names: readonly string[] = [];

  /**
   * Returns up to one more than `count` names of a source that come after a name, in order. `read` yields its names, in any order,
   * and is called at the first step, for the last ones, and where nothing was kept after that name.
   */
  async next(
    source: string,
    { after, count }: { after: string; count: number },
    read: () => AsyncIterable<string>,
  ): Promise<readonly string[]> {
    const isKept = after !== '' && source === this.#source && after === this.#after;
    const names = isKept && this.#names.length > count ? this.#names : await firstOf(read(), after);
    this.#source = source;
    this.#after = names[count - 1] ?? '';
    this.#names = names.slice(count);
    return names.slice(0, count + 1);
  }
}

/** Holds no more names than twice those that are kept. */
async function firstOf(names: AsyncIterable<string>, after: string): Promise<readonly string[]> {
  let first: string[] = [];
  let last: string | null = null;
  for await (const name of names) {
    if (name <= after || (last !== null && name > last)) continue;
    if (first.push(name) < 2 * AHEAD) continue;
    first = inOrder(first);
    last = first.at(-1) ?? null;
  }
  return inOrder(first);
}

const inOrder = (names: string[]) => names.sort((a, b) => (a < b ? -1 : 1)).slice(0, AHEAD);
