interface DigitPart {
  readonly text: string;
  readonly differs: boolean;
}

/** Cuts a written number where its digits differ from another's: between the beginning and the end that both have. */
export function differingParts(written: string, other: string): DigitPart[] {
  const [digits, others] = [digitsOf(written), digitsOf(other)];
  const shorter = Math.min(digits.length, others.length);
  let begin = 0;
  while (begin < shorter && digits[begin] === others[begin]) begin += 1;
  let end = 0;
  while (end < shorter - begin && digits.at(-1 - end) === others.at(-1 - end)) end += 1;
  let index = 0;
  return Array.from(written).map((sign) => {
    if (!/\d/u.test(sign)) return { text: sign, differs: false };
    const differs = index >= begin && index < digits.length - end;
    index += 1;
    return { text: sign, differs };
  });
}

const digitsOf = (text: string): string => text.replaceAll(/\D/gu, '');
