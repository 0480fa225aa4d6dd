import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Turns the contract's schemas into JSON Schema; those that have an id are collected for `#/components/schemas`. */
export function createComponents(): Components {
  return new Components();
}

export type { Components };

class Components {
  readonly schemas: Json = {};
  /** Components that callers send: closed, and described as they are sent where answers have them as well. */
  readonly #sent = new Set<string>();

  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const override = io === 'input' ? simplify : openAnswer;
    const written = z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) as Json;
    const { $schema: _dialect, $defs, ...rest } = written;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      this.#keep(name, definition, io);
    const id = typeof rest['id'] === 'string' ? rest['id'] : null;
    if (id === null) return relocate(rest) as Json;
    this.#keep(id, rest, io);
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Returns a schema with that of its reference written out, where it has one. */
  partOf(schema: Json): Json {
    const { $ref, ...own } = schema;
    const target = typeof $ref === 'string' && schemaName($ref);
    return target ? { ...(this.schemas[target] as Json), ...own } : schema;
  }

  #keep(name: string, definition: Json, io: 'input' | 'output'): void {
    if (io === 'input') this.#sent.add(name);
    else if (this.#sent.has(name)) return;
    this.schemas[name] = relocate(withoutId(definition));
  }

  /** The collected schemas by name. */
  sorted(): Json {
    return Object.fromEntries(Object.entries(this.schemas).sort(([a], [b]) => a.localeCompare(b)));
  }
}

/** Writes texts of addresses and forms as what they mean, a value or null as one type, and drops what says nothing to a reader: the pattern behind `date-time`, and the bounds of every whole number. */
function simplify({ jsonSchema }: { jsonSchema: Json }): void {
  const { describedAs, description, default: usual } = jsonSchema;
  if (describedAs !== undefined) {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
    Object.assign(jsonSchema, describedAs, description === undefined ? {} : { description });
    if (usual !== undefined) jsonSchema['default'] = usual;
  }
  const [form, none] = (jsonSchema['anyOf'] ?? []) as Json[];
  if (isPlain(form) && none?.['type'] === 'null') {
    delete jsonSchema['anyOf'];
    Object.assign(jsonSchema, { ...form, ...jsonSchema, type: [form['type'], 'null'] });
  }
  if (jsonSchema['format'] === 'date-time' || jsonSchema['format'] === 'date') delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
}

/** Returns true for a text or number without a list of its values, which can be one type of several. */
function isPlain(schema: Json | undefined): schema is Json {
  return (
    (schema?.['type'] === 'string' || schema?.['type'] === 'integer' || schema?.['type'] === 'number') &&
    !('enum' in schema) &&
    !('const' in schema) &&
    !('id' in schema)
  );
}

/** Answers may get new fields, so their objects are open to readers; the contract test closes them. */
function openAnswer(context: { jsonSchema: Json }): void {
  simplify(context);
  if (context.jsonSchema['additionalProperties'] === false) delete context.jsonSchema['additionalProperties'];
}

/**
 * Leaves of a reference only what differs from its schema: the description, a default and examples. A constraint that is
 * repeated beside a reference says nothing.
 */
export function tidyReferences(value: unknown, schemas: Json): void {
  if (Array.isArray(value)) for (const each of value) tidyReferences(each, schemas);
  if (typeof value !== 'object' || value === null) return;
  const part = value as Json;
  const target = typeof part['$ref'] === 'string' && schemaName(part['$ref']);
  if (target) {
    const { description } = (schemas[target] ?? {}) as Json;
    for (const name of Object.keys(part)) if (!OF_REFERENCES.has(name)) delete part[name];
    if (part['description'] === description) delete part['description'];
  }
  for (const each of Object.values(part)) tidyReferences(each, schemas);
}

const OF_REFERENCES = new Set(['$ref', 'description', 'default', 'examples']);
const SCHEMAS = '#/components/schemas/';
/** Returns the name of the component that a reference leads to; null for one that is no schema. */
export const schemaName = (ref: string): string | null =>
  ref.startsWith(SCHEMAS) ? ref.slice(SCHEMAS.length) : null;

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
