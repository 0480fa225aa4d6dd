import type { Json } from './json-schema.ts';

/** Responses or parameters that several operations have, by their names as components. */
type Named = Record<string, Json>;

/**
 * Replaces responses and parameters that several operations have by references, and returns them as components: written out
 * they would make the most of the description.
 */
export function shareParts(paths: Record<string, Json>): { responses: Named; parameters: Named } {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Json[]);
  return {
    responses: shareIn(operations, 'responses', nameOfResponse),
    parameters: shareIn(operations, 'parameters', nameOfParameter),
  };
}

function shareIn(
  operations: readonly Json[],
  kind: 'responses' | 'parameters',
  nameOf: (part: Json, key: string) => string,
): Named {
  const holders = operations.flatMap((operation) =>
    operation[kind] ? [operation[kind] as Record<string, Json>] : [],
  );
  const counts = new Map<string, number>();
  for (const holder of holders)
    for (const part of Object.values(holder)) {
      if ('$ref' in part) continue;
      const text = JSON.stringify(part);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const names = new Map<string, string>();
  const shared: Named = {};
  for (const holder of holders)
    for (const [key, part] of Object.entries(holder)) {
      const text = JSON.stringify(part);
      if ((counts.get(text) ?? 0) < 2) continue;
      const name = names.get(text) ?? unusedName(nameOf(part, key), shared);
      names.set(text, name);
      shared[name] = part;
      holder[key] = { $ref: `#/components/${kind}/${name}` };
    }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => a.localeCompare(b)));
}

function unusedName(name: string, taken: Named): string {
  if (!(name in taken)) return name;
  for (let number = 2; ; number += 1) if (!(`${name}${number}` in taken)) return `${name}${number}`;
}

/** Returns such as `FaxJob200` for a response with that schema. */
function nameOfResponse({ content }: Json, status: string): string {
  const [type = '', { schema = {} } = {}] =
    Object.entries((content ?? {}) as Record<string, { schema?: Json }>)[0] ?? [];
  const { $ref: target = type } = schema as { $ref?: string };
  return `${pascalCase(target.slice(target.lastIndexOf('/') + 1))}${status}`;
}

const nameOfParameter = ({ name, in: place }: Json): string =>
  `${pascalCase(String(name))}${place === 'path' ? 'InPath' : ''}`;

const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
