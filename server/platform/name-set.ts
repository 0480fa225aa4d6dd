import { hash } from 'node:crypto';

/** 32-bit words of a name's digest: no two names of an installation have the same 128 bits. */
const WORDS = 4;
const FIRST_SLOTS = 1024;

/** Returns an empty set of names that takes 20 to 50 bytes for each, none of them in the heap. */
export function createNameSet(): NameSet {
  return new NameSet();
}

export type { NameSet };

/** Hash table with open addressing. A slot of zeros is free. */
class NameSet {
  #slots = FIRST_SLOTS;
  #words = new Uint32Array(FIRST_SLOTS * WORDS);
  size = 0;

  has(name: string): boolean {
    return !isFree(this.#words, placeOf(this.#words, this.#slots, wordsOf(name)));
  }

  /** Adds a name. False when it is in the set already. */
  add(name: string): boolean {
    const words = wordsOf(name);
    const at = placeOf(this.#words, this.#slots, words);
    if (!isFree(this.#words, at)) return false;
    this.#words.set(words, at);
    this.size += 1;
    if (this.size > this.#slots * 0.8) this.#grow();
    return true;
  }

  #grow(): void {
    const slots = this.#slots * 2;
    const words = new Uint32Array(slots * WORDS);
    for (let at = 0; at < this.#words.length; at += WORDS) {
      if (isFree(this.#words, at)) continue;
      const digest = this.#words.subarray(at, at + WORDS);
      words.set(digest, placeOf(words, slots, digest));
    }
    this.#slots = slots;
    this.#words = words;
  }
}

function wordsOf(name: string): Uint32Array {
  const digest = hash('sha256', name, 'buffer');
  return new Uint32Array(digest.buffer.slice(digest.byteOffset, digest.byteOffset + WORDS * 4));
}

/** Returns the offset of the digest, or of the free slot where it belongs. `slots` is a power of two. */
function placeOf(table: Uint32Array, slots: number, digest: Uint32Array): number {
  for (let slot = (digest[0] as number) & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
    const at = slot * WORDS;
    if (isFree(table, at) || isSame(table, at, digest)) return at;
  }
}

function isFree(table: Uint32Array, at: number): boolean {
  return table[at] === 0 && table[at + 1] === 0 && table[at + 2] === 0 && table[at + 3] === 0;
}

function isSame(table: Uint32Array, at: number, digest: Uint32Array): boolean {
  return digest.every((word, index) => table[at + index] === word);
}
