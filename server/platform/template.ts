/** Fills the placeholders of a template, names in braces, with the words of these names. Unknown ones stay. */
export function filledTemplate(template: string, words: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(words, name) ? (words[name] ?? whole) : whole,
  );
}

/** Lists the unknown placeholders of a template. */
export function unknownPlaceholders(template: string, known: readonly string[]): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/gu)]
    .map(([, name = '']) => name)
    .filter((name) => !known.includes(name));
}
