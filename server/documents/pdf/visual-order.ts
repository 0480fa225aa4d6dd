/**
 * Order and forms of Arabic and Hebrew letters on a line of text. A simple form of the Unicode bidirectional algorithm
 * (UAX #9) without embeddings: enough for names and titles of one line.
 */

/** Letters of U+0621 to U+064A in the order of their presentation forms, with the number of forms of each. */
const FORMS = 'ء1آ2أ2ؤ2إ2ئ4ا2ب4ة2ت4ث4ج4ح4خ4د2ذ2ر2ز2س4ش4ص4ض4ط4ظ4ع4غ4ف4ق4ك4ل4م4ن4ه4و2ى2ي4';
const FIRST_FORM = 0xfe80;
/** Persian letters: first form and number of forms. */
const OTHER_FORMS: readonly (readonly [letter: string, first: number, count: number])[] = [
  ['پ', 0xfb56, 4],
  ['چ', 0xfb7a, 4],
  ['ژ', 0xfb8a, 2],
  ['ک', 0xfb8e, 4],
  ['گ', 0xfb92, 4],
  ['ی', 0xfbfc, 4],
];
/** Forms of lam with an alef: alone, and after a letter that joins. */
const LAM = 'ل';
const LAM_ALEF = new Map([
  ['آ', 0xfef5],
  ['أ', 0xfef7],
  ['إ', 0xfef9],
  ['ا', 0xfefb],
]);
const TATWEEL = 'ـ';
const TRANSPARENT = /\p{M}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
const MIRRORED = new Map(Array.from('()[]{}<>«»').map((sign, at, all) => [sign, all[at ^ 1] ?? sign]));

interface Shape {
  readonly first: number;
  /** 1: joins nothing, 2: joins the letter before, 4: joins on both sides. */
  readonly count: number;
}

const SHAPES = new Map<string, Shape>(
  OTHER_FORMS.map(([letter, first, count]) => [letter, { first, count }]),
);
for (let at = 0, first = FIRST_FORM; at < FORMS.length; at += 2) {
  const count = Number(FORMS[at + 1]);
  SHAPES.set(FORMS[at] ?? '', { first, count });
  first += count;
}

/** Returns a line of text as its letters are drawn from left to right, in the forms that they have there. */
export function visualOrder(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  const characters = joinForms([...text]);
  const levels = levelsOf(characters);
  const mirrored = characters.map((character, at) =>
    (levels[at] ?? 0) % 2 === 1 ? (MIRRORED.get(character) ?? character) : character,
  );
  return reorder(mirrored, levels).join('');
}

/** Replaces Arabic letters by the forms that they have beside others. */
function joinForms(characters: readonly string[]): string[] {
  const formed: string[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const shape = SHAPES.get(character);
    if (!shape) {
      formed.push(character);
      continue;
    }
    const isJoined = shape.count > 1 && joinsNext(characters, at);
    const ligature = character === LAM ? LAM_ALEF.get(characters[at + 1] ?? '') : undefined;
    if (ligature !== undefined) {
      formed.push(String.fromCodePoint(ligature + (isJoined ? 1 : 0)));
      at += 1;
      continue;
    }
    const goesOn = shape.count === 4 && joinsPrevious(characters, at);
    formed.push(String.fromCodePoint(shape.first + (goesOn ? 2 : 0) + (isJoined ? 1 : 0)));
  }
  return formed;
}

/** True when the letter before joins the one at a place. */
function joinsNext(characters: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && TRANSPARENT.test(characters[before] ?? '')) before -= 1;
  const character = characters[before] ?? '';
  return character === TATWEEL || SHAPES.get(character)?.count === 4;
}

/** True when the letter after joins the one at a place. */
function joinsPrevious(characters: readonly string[], at: number): boolean {
  let after = at + 1;
  while (after < characters.length && TRANSPARENT.test(characters[after] ?? '')) after += 1;
  const character = characters[after] ?? '';
  return character === TATWEEL || (SHAPES.get(character)?.count ?? 0) > 1;
}

type Direction = 'left' | 'right' | 'number' | null;

function directionOf(character: string): Direction {
  if (DIGIT.test(character)) return 'number';
  if (RIGHT_TO_LEFT.test(character)) return 'right';
  return LETTER.test(character) ? 'left' : null;
}

/** Returns the level of each character: even ones are read from left to right. */
function levelsOf(characters: readonly string[]): number[] {
  const directions = characters.map(directionOf);
  const base =
    directions.find((direction) => direction === 'left' || direction === 'right') === 'right' ? 1 : 0;
  const strong: Direction[] = [];
  let last: Direction = base === 1 ? 'right' : 'left';
  for (const direction of directions) {
    if (direction === 'left' || direction === 'right') last = direction;
    // A number is read from left to right, and belongs to the letters before it.
    strong.push(direction === 'number' && last === 'left' ? 'left' : direction);
  }
  setBrackets(characters, strong, base);
  const signs = neutralDirections(characters, strong, base);
  return signs.map((direction) => {
    if (direction === 'number') return 2;
    if (direction === 'right') return 1;
    return base === 0 ? 0 : 2;
  });
}

const CLOSING = new Map(
  Array.from('()[]{}').map((sign, at, all) => [sign, at % 2 === 0 ? (all[at + 1] ?? '') : '']),
);

/**
 * Gives a pair of brackets one direction: that of the line where letters of it are inside, or where the letters before do not
 * go in the other direction like those inside.
 */
function setBrackets(characters: readonly string[], strong: Direction[], base: 0 | 1): void {
  const ofLine: 'left' | 'right' = base === 1 ? 'right' : 'left';
  const other: Direction = base === 1 ? 'left' : 'right';
  const count = { left: [0], right: [0] };
  const before: ('left' | 'right')[] = [];
  let last: 'left' | 'right' = ofLine;
  for (const direction of strong) {
    before.push(last);
    if (direction !== null) last = direction === 'left' ? 'left' : 'right';
    count.left.push((count.left.at(-1) ?? 0) + (direction === 'left' ? 1 : 0));
    count.right.push((count.right.at(-1) ?? 0) + (direction === 'right' || direction === 'number' ? 1 : 0));
  }
  const open: { readonly closing: string; readonly at: number }[] = [];
  for (const [at, character] of characters.entries()) {
    const closing = CLOSING.get(character);
    if (closing === undefined) continue;
    if (closing !== '') open.push({ closing, at });
    else if (open.at(-1)?.closing === character) {
      const from = open.pop()?.at ?? at;
      const has = (direction: 'left' | 'right') =>
        (count[direction][at] ?? 0) > (count[direction][from] ?? 0);
      if (!has('left') && !has('right')) continue;
      const direction = has(ofLine) || before[from] === ofLine ? ofLine : other;
      strong[from] = direction;
      strong[at] = direction;
    }
  }
}

/** Gives signs and spaces the direction of both sides, or that of the line; a sign within a number stays in it. */
function neutralDirections(
  characters: readonly string[],
  strong: readonly Direction[],
  base: 0 | 1,
): Direction[] {
  const found = [...strong];
  const ofLine: Direction = base === 1 ? 'right' : 'left';
  for (let at = 0; at < found.length; ) {
    if (found[at] !== null) {
      at += 1;
      continue;
    }
    let end = at;
    while (end < found.length && strong[end] === null) end += 1;
    const [before, after] = [strong[at - 1] ?? ofLine, strong[end] ?? ofLine];
    const isInNumber =
      before === 'number' && after === 'number' && end - at === 1 && /[.,:/-]/u.test(characters[at] ?? '');
    const side = (direction: Direction) => (direction === 'number' ? 'right' : direction);
    const direction = isInNumber ? 'number' : side(before) === side(after) ? side(before) : ofLine;
    found.fill(direction, at, end);
    at = end;
  }
  return found;
}

/** Turns each run of a level and above, from the highest level down to 1. */
function reorder(characters: readonly string[], levels: readonly number[]): string[] {
  const line = [...characters];
  const order = [...levels];
  for (const level of [2, 1])
    for (let at = 0; at < line.length; ) {
      let end = at;
      while (end < line.length && (order[end] ?? 0) >= level) end += 1;
      reverse(line, at, end);
      reverse(order, at, end);
      at = end + 1;
    }
  return line;
}

/** Reverses a part of a list where it is. */
function reverse(list: unknown[], from: number, to: number): void {
  for (let first = from, last = to - 1; first < last; first += 1, last -= 1)
    [list[first], list[last]] = [list[last], list[first]];
}
