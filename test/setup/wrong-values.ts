import { z } from 'zod';

/** A part of a JSON Schema, as far as a wrong value can be made from it. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

const LONG = 'x'.repeat(20_000);
/**
 * Values that are valid for hardly any field: other types, too short, too long, unknown words, invisible characters.
 */
const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e15,
  '',
  ' ',
  'no such word',
  LONG,
  'a\u0007b',
  'a\u202eb',
  '2026-13-45',
  [],
  [1],
  [null],
  [''],
  [LONG],
  ['a', 'a'],
  [[]],
  Array.from({ length: 500 }, () => 'a'),
  {},
  { nonsense: 1 },
  { '': 1 },
];

/** Whole bodies that are wrong, or wrong in one field, each with the field that is wrong; null for the body itself. */
export function* wrongBodies(schema: z.ZodType): Generator<readonly [field: string | null, body: unknown]> {
  const shape = shapeOf(schema);
  for (const value of [[], 'text', 1, true, null, {}]) yield [null, value];
  for (const form of formsOf(shape, shape)) {
    const fitting = sampleOf(form, shape);
    if (typeof fitting !== 'object' || fitting === null) continue;
    yield ['nonsense', { ...fitting, nonsense: 1 }];
    yield ['nonsense', { ...fitting, nonsense: 1, more: 2 }];
    yield* wrongFields(form, shape, fitting as Record<string, unknown>);
  }
}

/** The names of the fields of an object. */
export const fieldsOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape);

function* wrongFields(
  form: Shape,
  whole: Shape,
  fitting: Record<string, unknown>,
): Generator<readonly [string, unknown]> {
  for (const [name, field] of Object.entries(form.properties ?? {})) {
    const { [name]: _left, ...without } = fitting;
    if (form.required?.includes(name)) yield [name, without];
    for (const value of WRONG) yield [name, { ...fitting, [name]: value }];
    for (const inner of formsOf(field, whole)) {
      const item = inner.type === 'array' && inner.items ? resolved(inner.items, whole) : inner;
      if (!item.properties) continue;
      const sample = sampleOf(item, whole) as Record<string, unknown>;
      for (const [, wrong] of wrongFields(item, whole, sample))
        yield [name, { ...fitting, [name]: item === inner ? wrong : [wrong] }];
      const more = { ...sample, nonsense: 1 };
      yield [name, { ...fitting, [name]: item === inner ? more : [more] }];
    }
  }
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
}

function resolved(shape: Shape, whole: Shape): Shape {
  const name = shape.$ref?.split('/').at(-1);
  return name === undefined ? shape : (whole.$defs?.[name] ?? whole);
}

/** Every form that a value may have. */
function formsOf(shape: Shape, whole: Shape): Shape[] {
  const own = resolved(shape, whole);
  const choices = own.anyOf ?? own.oneOf;
  return choices ? choices.flatMap((choice) => formsOf(choice, whole)) : [own];
}

/** Returns a value that is valid as far as the schema expresses it. */
function sampleOf(shape: Shape, whole: Shape): unknown {
  const own = resolved(shape, whole);
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum[0];
  if (own.examples) return own.examples[0];
  const choices = own.anyOf ?? own.oneOf;
  if (choices?.[0]) return sampleOf(choices[0], whole);
  const type = typeof own.type === 'string' ? own.type : own.type?.[0];
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(own.properties ?? {})
        .filter(([name]) => own.required?.includes(name))
        .map(([name, field]) => [name, sampleOf(field, whole)]),
    );
  if (type === 'array') return own.minItems && own.items ? [sampleOf(own.items, whole)] : [];
  if (type === 'integer' || type === 'number') return own.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (own.format === 'date-time') return '2026-11-22T08:00:00.000Z';
  const patterns = [own, ...(own.allOf ?? [])].map(({ pattern }) => pattern ?? '');
  if (patterns.some((pattern) => pattern.startsWith('^https?:'))) return 'http://a';
  if (patterns.some((pattern) => pattern.includes('+@['))) return 'a@example.org';
  return 'a'.repeat(own.minLength ?? 1);
}
