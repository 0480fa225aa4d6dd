import { z } from 'zod';
import type { Random } from './random.ts';

/** The parts of a JSON Schema that a value is made from. */
export interface JsonShape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonShape>>;
  readonly items?: JsonShape;
  readonly anyOf?: readonly JsonShape[];
  readonly oneOf?: readonly JsonShape[];
  readonly allOf?: readonly JsonShape[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonShape>>;
}

const TEXTS = [
  '',
  ' ',
  'x',
  '+12025550123',
  '202-555-0123',
  '2026-11-24',
  '2026-11-24T08:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '../../etc/passwd',
  'https://127.0.0.1:9/x',
  'a@b.example',
  '<script>alert(1)</script>',
  '\u202eabc',
  '\ud83d\udce0',
  '\ud800',
  "' OR 1=1 --",
  '=1+1',
  'x'.repeat(300),
];
const NUMBERS = [0, 1, -1, 2, 7, 1.5, 100, 1e15, -1e308, 2_147_483_648];
const MOST_DEPTH = 6;

/** Returns the shape of the input that a schema takes. */
export function shapeOf(schema: z.ZodType): JsonShape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonShape;
}

/** Returns a value that fits the shape in most of its fields. */
export function valueFor(random: Random, shape: JsonShape, root: JsonShape = shape, depth = 0): unknown {
  if (depth > MOST_DEPTH || random.chance(7)) return wrongValue(random);
  const next = (inner: JsonShape) => valueFor(random, inner, root, depth + 1);
  if (shape.$ref !== undefined) return next(root.$defs?.[shape.$ref.replace('#/$defs/', '')] ?? {});
  const branches = shape.anyOf ?? shape.oneOf;
  if (branches !== undefined && branches.length > 0) return next(random.pick(branches));
  if (shape.allOf !== undefined) return Object.assign({}, ...shape.allOf.map(next)) as unknown;
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return random.pick(shape.enum);
  if (shape.examples !== undefined && random.chance(50)) return random.pick(shape.examples);
  const type = Array.isArray(shape.type) ? random.pick(shape.type as readonly string[]) : shape.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {})
          .filter(() => random.chance(80))
          .map(([name, inner]) => [name, next(inner)]),
      );
    case 'array':
      return Array.from({ length: random.int(4) }, () => next(shape.items ?? {}));
    case 'boolean':
      return random.chance(50);
    case 'integer':
    case 'number':
      return random.pick(NUMBERS);
    case 'null':
      return null;
    default:
      return random.pick(TEXTS);
  }
}

function wrongValue(random: Random): unknown {
  return random.pick<unknown>([
    null,
    true,
    [],
    {},
    [[]],
    { __proto__: 1, constructor: 1 },
    random.pick(NUMBERS),
    random.pick(TEXTS),
    'y'.repeat(20_000),
    Array.from({ length: 1_000 }, () => 'a'),
  ]);
}
