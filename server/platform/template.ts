/** The text with what is in braces replaced by the word of that name; names that are none of ours stay as they are. */
export function filledTemplate(template: string, words: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(words, name) ? (words[name] ?? whole) : whole,
  );
}

/** Names in braces that stand for nothing. */
export function unknownWords(template: string, known: readonly string[]): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/gu)]
    .map(([, name = '']) => name)
    .filter((name) => !known.includes(name));
}
