import { addRepairBytes, CODEWORD_BYTES, CODEWORD_DATA_BYTES, repairCodeword } from './reed-solomon.ts';

/** State with which the whitening of every page begins: the letters FXE1. */
const WHITENING_SEED = 0x46584531;

/** Bytes of Marsaglia's xorshift (13, 17, 5), the highest of each state: a page of zeros looks like any other. */
function createWhitening(): () => number {
  let state = WHITENING_SEED;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 24;
  };
}

/**
 * Returns the bytes of a page as they are drawn: the data in codewords, byte after byte from each codeword in turn, so that
 * damage to a part of the page is shared by all of them, and whitened. `data` fills the codewords, or is filled up with zeros.
 */
export function toDrawnBytes(data: Uint8Array, codewords: number): Uint8Array {
  const drawn = new Uint8Array(codewords * CODEWORD_BYTES);
  const codeword = new Uint8Array(CODEWORD_BYTES);
  for (let number = 0; number < codewords; number++) {
    for (let i = 0; i < CODEWORD_DATA_BYTES; i++) codeword[i] = data[i * codewords + number] ?? 0;
    addRepairBytes(codeword);
    for (let i = 0; i < CODEWORD_BYTES; i++) drawn[i * codewords + number] = codeword[i]!;
  }
  const next = createWhitening();
  for (let i = 0; i < drawn.length; i++) drawn[i]! ^= next();
  return drawn;
}

/** A page as it was read: bytes, and how far each of them can be relied on, 255 for fully. */
export interface ReadBytes {
  bytes: Uint8Array;
  certainty: Uint8Array;
}

/** Data of a page, and the largest number of bytes that were repaired in one of its codewords. */
interface RepairedData {
  data: Uint8Array;
  worstRepair: number;
}

/** Repairs what {@link toDrawnBytes} made and returns the data; null when a codeword has too many wrong bytes. */
export function fromDrawnBytes(read: ReadBytes, codewords: number): RepairedData | null {
  const plain = new Uint8Array(codewords * CODEWORD_BYTES);
  const next = createWhitening();
  for (let i = 0; i < plain.length; i++) plain[i] = read.bytes[i]! ^ next();
  const data = new Uint8Array(codewords * CODEWORD_DATA_BYTES);
  const codeword = new Uint8Array(CODEWORD_BYTES);
  let worstRepair = 0;
  for (let number = 0; number < codewords; number++) {
    for (let i = 0; i < CODEWORD_BYTES; i++) codeword[i] = plain[i * codewords + number]!;
    const repaired = repairCodeword(codeword) ?? repairUncertain(codeword, read.certainty, number, codewords);
    if (repaired === null) return null;
    worstRepair = Math.max(worstRepair, repaired);
    for (let i = 0; i < CODEWORD_DATA_BYTES; i++) data[i * codewords + number] = codeword[i]!;
  }
  return { data, worstRepair };
}

/**
 * Bytes that are given up at most: 12 of the repair bytes are left for wrong ones elsewhere, and for refusing a page that is
 * none.
 */
const MAX_ERASED = 36;
/** Bytes less certain than this may be given up. */
const UNCERTAIN = 128;

/** Tries again without the least certain bytes. */
function repairUncertain(
  codeword: Uint8Array,
  certainty: Uint8Array,
  number: number,
  codewords: number,
): number | null {
  const places = Array.from({ length: CODEWORD_BYTES }, (_, place) => place);
  const of = (place: number): number => certainty[place * codewords + number]!;
  const uncertain = places.filter((place) => of(place) < UNCERTAIN).sort((a, b) => of(a) - of(b));
  return uncertain.length === 0 ? null : repairCodeword(codeword, uncertain.slice(0, MAX_ERASED));
}
