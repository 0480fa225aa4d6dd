import { blackCodes, type RunCodes, runOfEntry, whiteCodes } from './code-tables.ts';

/** Bits that are looked at to find a run-length code; the longest has 13. */
const lookupBits = 13;

/** For each 13 bits: run length in the upper bits, code length in the lowest four; 0 = no code. */
function lookupOf(codes: RunCodes): Uint16Array {
  const table = new Uint16Array(1 << lookupBits);
  for (const [entry, bits] of codes.bits.entries()) {
    const length = codes.lengths[entry]!;
    const first = bits << (lookupBits - length);
    table.fill((runOfEntry(entry) << 4) | length, first, first + (1 << (lookupBits - length)));
  }
  return table;
}

export const whiteLookup = lookupOf(whiteCodes);
export const blackLookup = lookupOf(blackCodes);

export const passMode = 8;
export const horizontalMode = 9;

/** For each 7 bits: mode in the upper bits (a1 - b1 + 3 for the vertical modes), code length in the lowest four. */
export const modeLookup = new Uint16Array(128);

const modes: readonly [code: string, mode: number][] = [
  ['1', 3],
  ['011', 4],
  ['000011', 5],
  ['0000011', 6],
  ['010', 2],
  ['000010', 1],
  ['0000010', 0],
  ['0001', passMode],
  ['001', horizontalMode],
];
for (const [code, mode] of modes) {
  const spare = 7 - code.length;
  const first = Number.parseInt(code, 2) << spare;
  modeLookup.fill((mode << 4) | code.length, first, first + (1 << spare));
}
