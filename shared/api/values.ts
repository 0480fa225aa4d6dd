import { z } from 'zod';
import { LIMITS } from '../limits.ts';

/** Shapes that every room uses. */
export const Id = z.string().min(1).max(LIMITS.idLength).meta({ id: 'Id', description: 'id, opaque text' });
export const Time = z.iso
  .datetime({ precision: 3 })
  .meta({ id: 'Time', description: 'ISO 8601 UTC with milliseconds' });
/** A time with any offset, as callers send it. */
export const AnyTime = z.iso
  .datetime({ offset: true })
  .meta({ id: 'AnyTime', description: 'ISO 8601 with an offset or `Z`' });
/** Query value of lists, for programs that follow changes by polling. */
export const UpdatedSince = AnyTime.describe(
  'only what changed at this time or later, in the same order; continue with `next_cursor`, even after an empty page',
);
export const OptionalTime = Time.nullable().meta({
  id: 'OptionalTime',
  description: 'ISO 8601 UTC with milliseconds; null if it has not happened',
});
export const IdParams = z.strictObject({ id: Id });
export const Cursor = z.string().max(500);
const { least, most, default: usual } = LIMITS.listLimit;
export const ListLimit = z.coerce.number().int().min(least).max(most).default(usual);
/**
 * JSON Schema by which a text that travels in an address or a form is described: by what it means, not by the text. It
 * takes the place of what would be written for the schema.
 */
const describedAs = (jsonSchema: Readonly<Record<string, unknown>>) => ({ describedAs: jsonSchema });
/** A form field of a browser or script: `true`, `1`, `on` and `yes` mean true. */
export const FormFlag = z
  .stringbool({
    truthy: ['true', '1', 'on', 'yes'],
    falsy: ['false', '0', 'off', 'no', ''],
  })
  .meta(describedAs({ type: 'boolean' }));
const listOf = (given: string | readonly string[]): readonly string[] =>
  typeof given === 'string' ? [given] : given;
const OneOrMore = z.union([z.string(), z.array(z.string())]);
/** A form field that may come several times; always a list. */
export const formList = (item: z.ZodString, most: number) =>
  OneOrMore.transform((given) => [...listOf(given)])
    .pipe(z.array(item).max(most))
    .default([]);
const textList = (maxLength: number) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength },
  maxItems: LIMITS.listLimit.most,
});
/** A query value that may come several times, or once with commas. */
export const queryList = <const T extends readonly [string, ...string[]]>(values: T) =>
  OneOrMore.transform((given) => listOf(given).flatMap((one) => one.split(',')))
    .pipe(z.array(z.enum(values)))
    .describe('one or more; repeat the parameter or use commas')
    .meta(describedAs({ type: 'array', items: { type: 'string', enum: values } }));
/** A form field whose text is JSON of this shape. */
export const jsonText = <T extends z.ZodType>(shape: T, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(shape)
    .meta(describedAs({ type: 'string', maxLength }));
/** Several words, repeated or with commas. */
export const wordList = (maxLength: number) =>
  OneOrMore.transform((given) => listOf(given).flatMap((one) => one.split(',')))
    .pipe(z.array(z.string().min(1).max(maxLength)).min(1).max(LIMITS.listLimit.most))
    .meta(describedAs(textList(maxLength)));
/** Several ids, repeated or with commas. */
export const IdList = OneOrMore.transform((given) => listOf(given).flatMap((one) => one.split(',')))
  .pipe(z.array(Id).min(1).max(LIMITS.listLimit.most))
  .describe(
    'only these ids; repeat the parameter or use commas; items that do not match the filter are left out',
  )
  .meta(describedAs(textList(LIMITS.idLength)));
/** A provider, or `sip`. Only the gateway has the list of providers; its `/openapi.json` contains it under this id. */
export const BackendName = z.string().min(1).max(LIMITS.idLength).meta({ id: 'Backend' });
/** The same of received faxes, or `import`, `internal` or `test`. */
export const InboundBackendName = z.string().min(1).max(LIMITS.idLength).meta({ id: 'InboundBackend' });
const DOCUMENT_PURPOSES = ['open', 'print', 'download'] as const;
export type DocumentPurpose = (typeof DOCUMENT_PURPOSES)[number];
/** Purpose of reading a document, for the security audit. */
export const DocumentQuery = z.strictObject({
  purpose: z
    .enum(DOCUMENT_PURPOSES)
    .optional()
    .describe(
      'purpose, recorded in the security audit; otherwise `download` with a key and `open` in a browser',
    ),
});
export const Version = z.number().int().min(1).meta({
  id: 'Version',
  description: 'goes up by one at each change; a change sends the one that was read last',
});
/** Body of a change that needs only the version of its item. */
export const VersionIn = z.strictObject({ version: Version }).meta({ id: 'VersionIn' });
/** Query of the lists that leave out test faxes. */
export const IncludeTest = FormFlag.optional().describe(
  'true also returns test faxes; left out, only a test key sees them, and it sees no others',
);

/** Answer of a change that has nothing else to report. */
export const Done = z.strictObject({ ok: z.literal(true) }).meta({ id: 'Done' });

export const NextCursor = z
  .string()
  .nullable()
  .meta({ id: 'NextCursor', description: '`cursor` of the next page; null on the last page' });
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), next_cursor: NextCursor });
