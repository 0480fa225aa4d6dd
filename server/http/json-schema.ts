import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Turns the contract's schemas into JSON Schema; those that have an id are collected for `#/components/schemas`. */
export function createComponents(): Components {
  return new Components();
}

export type { Components };

class Components {
  readonly schemas: Json = {};

  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const written = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify }) as Json;
    const { $schema: _dialect, $defs, ...rest } = written;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.schemas[name] = relocate(withoutId(definition));
    const id = typeof rest['id'] === 'string' ? rest['id'] : null;
    if (id === null) return relocate(rest) as Json;
    this.schemas[id] = relocate(withoutId(rest));
    return { $ref: `#/components/schemas/${id}` };
  }

  /** The collected schemas by name. */
  sorted(): Json {
    return Object.fromEntries(Object.entries(this.schemas).sort(([a], [b]) => a.localeCompare(b)));
  }
}

/** Writes texts of addresses and forms as what they mean, and drops what says nothing to a reader: the pattern behind `date-time`, and the bounds of every whole number. */
function simplify({ jsonSchema }: { jsonSchema: Json }): void {
  const { describedAs, description, default: usual } = jsonSchema;
  if (describedAs !== undefined) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, describedAs, description === undefined ? {} : { description });
    if (usual !== undefined) jsonSchema['default'] = usual;
  }
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

function withoutId({ id: _id, ...rest }: Json): Json {
  return rest;
}

/** Rewrites `#/$defs/X` to `#/components/schemas/X`, wherever it stands. */
function relocate(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocate);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : relocate(inner),
    ]),
  );
}
