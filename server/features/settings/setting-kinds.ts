import { z } from 'zod';

export type SettingType = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'secret';
export type SettingGroup =
  | 'Sending'
  | 'Cloudone'
  | 'Addresses'
  | 'Access'
  | 'Limits'
  | 'Cleanup'
  | 'Audit and log';

/** `first start`: read once, then the installation owns it. `every start`: read always, and it takes precedence. */
export type EnvironmentRule = 'first start' | 'every start';

/** One setting, defined once: environment, API, console form and documentation come from it. */
export interface SettingDefinition<T> {
  /** Fits every value but null; null means not set and is allowed where the default is null. */
  readonly schema: z.ZodType<NonNullable<T>>;
  readonly default: T;
  readonly type: SettingType;
  readonly choices: readonly string[] | null;
  readonly secret: boolean;
  /** A change takes effect at the next start. */
  readonly restart: boolean;
  readonly environment: EnvironmentRule;
  readonly group: SettingGroup;
  readonly label: string;
  readonly help: string;
  /** A name of earlier releases beside the lower-case form, which is always understood. */
  readonly alias: string | null;
}

/** What the author of a setting writes. */
interface Words {
  readonly group: SettingGroup;
  readonly label: string;
  readonly help: string;
  readonly restart?: boolean;
  readonly environment?: EnvironmentRule;
  readonly alias?: string;
}

type Kind = { type: SettingType; choices?: readonly string[]; secret?: boolean };

function define<T>(
  words: Words,
  kind: Kind,
  rest: { schema: z.ZodType<NonNullable<T>>; default: T },
): SettingDefinition<T> {
  return {
    schema: rest.schema,
    default: rest.default,
    type: kind.type,
    choices: kind.choices ?? null,
    secret: kind.secret ?? false,
    restart: words.restart ?? false,
    environment: words.environment ?? 'first start',
    group: words.group,
    label: words.label,
    help: words.help,
    alias: words.alias ?? null,
  };
}

export function booleanSetting(words: Words & { default: boolean }): SettingDefinition<boolean> {
  const schema = z.boolean('must be true or false');
  return define<boolean>(words, { type: 'boolean' }, { schema, default: words.default });
}

/** A whole number from `least` to `most`. */
export function numberSetting(
  words: Words & { least: number; most: number; default: number },
): SettingDefinition<number> {
  const error = `must be a whole number from ${words.least} to ${words.most}`;
  const schema = z.int(error).min(words.least, error).max(words.most, error);
  return define<number>(words, { type: 'number' }, { schema, default: words.default });
}

export function choiceSetting<const C extends string>(
  words: Words & { choices: readonly C[]; default: C },
): SettingDefinition<C>;
export function choiceSetting<const C extends string>(
  words: Words & { choices: readonly C[]; default: null },
): SettingDefinition<C | null>;
export function choiceSetting(
  words: Words & { choices: readonly string[]; default: string | null },
): SettingDefinition<string | null> {
  const schema = z.enum(words.choices as [string, ...string[]], `must be one of ${words.choices.join(', ')}`);
  return define<string | null>(
    words,
    { type: 'choice', choices: words.choices },
    { schema, default: words.default },
  );
}

export function textSetting(
  words: Words & { schema: z.ZodType<string>; default: string },
): SettingDefinition<string>;
export function textSetting(words: Words & { schema: z.ZodType<string> }): SettingDefinition<string | null>;
export function textSetting(
  words: Words & { schema: z.ZodType<string>; default?: string },
): SettingDefinition<string | null> {
  const { schema } = words;
  return define<string | null>(words, { type: 'text' }, { schema, default: words.default ?? null });
}

/** A credential: sealed at rest, never answered, and the environment's takes precedence at every start. */
export function secretSetting(words: Words): SettingDefinition<string | null> {
  const error = 'must be 1 to 500 visible characters without spaces';
  const schema = z.string(error).regex(/^[!-~]{1,500}$/u, error);
  return define<string | null>(
    { environment: 'every start', ...words },
    { type: 'secret', secret: true },
    { schema, default: null },
  );
}

/** A list of at most 50 different texts; the environment separates them by commas. */
export function listSetting(
  words: Words & { entry: z.ZodType<string> },
): SettingDefinition<readonly string[]> {
  const schema = z
    .array(words.entry, 'must be a list')
    .max(50, 'must hold at most 50 entries')
    .refine((entries) => new Set(entries).size === entries.length, 'must not name an entry twice');
  return define<readonly string[]>(words, { type: 'list' }, { schema, default: [] });
}
