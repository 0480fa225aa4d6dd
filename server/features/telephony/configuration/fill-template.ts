const PLACE = /\{\{(?<name>\w+)\}\}/gu;

/** Values for the placeholders of a template: text, or lines of their own in place of the line. */
export type Fillings = Readonly<Record<string, string | readonly string[]>>;

/**
 * Fills the placeholders (`{{name}}`) of a template. A line whose placeholder is filled with a list becomes those lines,
 * and is left out when the list is empty. Throws for a placeholder without a value: templates and fillings are written
 * together.
 */
export function fillTemplate(template: string, fillings: Fillings): string {
  return template
    .split('\n')
    .flatMap((line) => fillLine(line, fillings))
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n');
}

function fillLine(line: string, fillings: Fillings): readonly string[] {
  const whole = /^\{\{(\w+)\}\}$/u.exec(line)?.[1];
  const lines = whole === undefined ? undefined : fillings[whole];
  if (Array.isArray(lines)) return lines;
  return [
    line.replace(PLACE, (_, name: string) => {
      const text = fillings[name];
      if (typeof text !== 'string') throw new Error(`no text for the place ${name}`);
      return text;
    }),
  ];
}
