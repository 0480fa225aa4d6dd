import { z } from 'zod';
import type { SettingFormat } from '../../shared/api/settings.ts';
import type { Permission } from '../../shared/permissions.ts';
import type { PathUse } from './allowed-folders.ts';

export type SettingType = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'secret';
/** `first start`: read once, then the installation owns it. `every start`: read always, and it takes precedence. */
export type EnvironmentRule = 'first start' | 'every start';

/** One setting, defined once: environment, API, console form and documentation come from it. */
export interface SettingDefinition<T> {
  /** Fits every value but null; null means not set and is allowed where the default is null. */
  readonly schema: z.ZodType<NonNullable<T>>;
  readonly default: T;
  readonly type: SettingType;
  readonly choices: readonly string[] | null;
  /** Meaning of a text, or of each entry of a list. */
  readonly format: SettingFormat | null;
  /** Of a file or folder: where it may lie beside the folders that were allowed. */
  readonly use: PathUse | null;
  /** Of a number. */
  readonly least: number | null;
  /** Of a number, or characters of a text. */
  readonly most: number | null;
  /**
   * Pattern for a text, or each entry of a list, and the sentence for a person when it does not match; null without
   * one.
   */
  readonly rule: SettingRule | null;
  readonly secret: boolean;
  /** A change takes effect at the next start. */
  readonly restart: boolean;
  readonly environment: EnvironmentRule;
  readonly group: string;
  readonly label: string;
  readonly help: string;
  /** Returns a sentence about a valid value that a person should read; null without one. */
  warning(value: NonNullable<T>): string | null;
  /**
   * Permissions that a person needs on the whole installation to change it, because of what it opens beside the
   * settings.
   */
  readonly opens: readonly Permission[];
  /** A name of earlier releases beside the lower-case form, which is always understood. */
  readonly alias: string | null;
}

/** The pattern is one of JavaScript with the flag `u`. The schema has the last word. */
interface SettingRule {
  readonly pattern: string;
  readonly sentence: string;
}

/** Any value a setting can have. */
export type AnyValue = string | number | boolean | readonly string[] | null;

/** Settings by name. */
export type SettingDefinitions = Readonly<Record<string, SettingDefinition<AnyValue>>>;

/** A value for each of these settings. */
export type ValuesOf<S extends SettingDefinitions> = {
  readonly [N in keyof S]: S[N] extends SettingDefinition<infer T> ? T : never;
};

/** Parts of a setting that its author writes. */
interface Words {
  readonly group: string;
  readonly label: string;
  readonly help: string;
  readonly restart?: boolean;
  readonly environment?: EnvironmentRule;
  readonly alias?: string;
  /** See {@link SettingDefinition.opens}. */
  readonly opens?: readonly Permission[];
}

interface Kind {
  readonly type: SettingType;
  readonly choices?: readonly string[];
  readonly format?: SettingFormat;
  readonly use?: PathUse;
  readonly least?: number;
  readonly most?: number;
  readonly rule?: SettingRule;
  readonly secret?: boolean;
}

function define<T>(
  words: Words,
  kind: Kind,
  rest: Pick<SettingDefinition<T>, 'schema' | 'default'> & Partial<Pick<SettingDefinition<T>, 'warning'>>,
): SettingDefinition<T> {
  return {
    schema: rest.schema,
    default: rest.default,
    type: kind.type,
    choices: kind.choices ?? null,
    format: kind.format ?? null,
    use: kind.use ?? null,
    least: kind.least ?? null,
    most: kind.most ?? null,
    rule: kind.rule ?? null,
    secret: kind.secret ?? false,
    restart: words.restart ?? false,
    environment: words.environment ?? 'first start',
    group: words.group,
    label: words.label,
    help: words.help,
    warning: rest.warning ?? (() => null),
    opens: words.opens ?? [],
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
  const { least, most } = words;
  return define<number>(words, { type: 'number', least, most }, { schema, default: words.default });
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

const MAX_PATH_LENGTH = 1000;

interface TextRule {
  readonly schema: z.ZodType<string>;
  readonly format: SettingFormat;
  /** Characters. */
  readonly most?: number;
  readonly rule?: SettingRule;
  /** See {@link SettingDefinition.warning}. */
  readonly warning?: (text: string) => string | null;
}

export function textSetting(words: Words & TextRule & { default: string }): SettingDefinition<string>;
export function textSetting(words: Words & TextRule): SettingDefinition<string | null>;
export function textSetting(
  words: Words & TextRule & { default?: string },
): SettingDefinition<string | null> {
  const { schema, format, most, rule, warning } = words;
  const kind: Kind = {
    type: 'text',
    format,
    ...(most === undefined ? {} : { most }),
    ...(rule ? { rule } : {}),
  };
  const rest = { schema, default: words.default ?? null, ...(warning ? { warning } : {}) };
  return define<string | null>(words, kind, rest);
}

/** A file or folder that Faxdesk writes; `own` is the folder of the data folder that a relative path is in. */
export function pathSetting(words: Words & PathUse): SettingDefinition<string | null> {
  const { kind: format, own } = words;
  const error = `must be 1 to ${MAX_PATH_LENGTH} characters on one line`;
  const schema = z
    .string(error)
    .min(1, error)
    .max(MAX_PATH_LENGTH, error)
    .regex(/^\P{Cc}*$/u, error);
  const use: PathUse = { kind: format, own };
  return define<string | null>(
    words,
    { type: 'text', format, use, most: MAX_PATH_LENGTH },
    { schema, default: null },
  );
}

/** A credential: sealed at rest, never answered, and the environment's takes precedence at every start. */
export function secretSetting(words: Words): SettingDefinition<string | null> {
  const error = 'must be 1 to 500 visible characters without spaces';
  const schema = z.string(error).regex(/^[!-~]{1,500}$/u, error);
  return define<string | null>(
    { environment: 'every start', ...words },
    { type: 'secret', secret: true, most: 500 },
    { schema, default: null },
  );
}

/** A list of at most 50 different texts; the environment separates them by commas. */
export function listSetting(
  words: Words & {
    entry: z.ZodType<string>;
    format: SettingFormat;
    rule?: SettingRule;
    default?: readonly string[];
  },
): SettingDefinition<readonly string[]> {
  const schema = z
    .array(words.entry, 'must be a list')
    .max(50, 'must contain at most 50 entries')
    .refine((entries) => new Set(entries).size === entries.length, 'must not name an entry twice');
  const { format, rule } = words;
  const kind: Kind = { type: 'list', format, ...(rule ? { rule } : {}) };
  return define<readonly string[]>(words, kind, { schema, default: words.default ?? [] });
}
