import type { z } from 'zod';
import type {
  AnswerOf,
  BodyInput,
  FieldsInput,
  ParamsOf,
  QueryInput,
  RouteDefinition,
} from '../api/route.ts';

/** A file to upload. In a browser a `File`'s own content and name, in Node `openAsBlob(path)`. */
interface NamedFile {
  readonly name: string;
  readonly content: Blob;
}

type None = Record<never, never>;
type OptionalWhenEmpty<K extends string, V> = None extends V ? { [N in K]?: V } : { [N in K]: V };
type FilesOf<F> = { [N in keyof F]: F[N] extends { required: true } ? N : never }[keyof F];
type FileInputs<F> = { readonly [N in FilesOf<F>]: readonly NamedFile[] } & {
  readonly [N in Exclude<keyof F, FilesOf<F>>]?: readonly NamedFile[];
};

type ParamsPart<R> = R extends { params: z.ZodType } ? { params: ParamsOf<R> } : None;
type QueryPart<R> = R extends { query: z.ZodType } ? OptionalWhenEmpty<'query', QueryInput<R>> : None;
type BodyPart<R> = R extends { body: z.ZodType }
  ? R extends { bodyOptional: true }
    ? { body?: BodyInput<R> }
    : { body: BodyInput<R> }
  : None;
type FormPart<R> = R extends { form: { files: infer F } }
  ? { fields: FieldsInput<R>; files: FileInputs<F> }
  : None;

/** Options of a call beside the parts of its route. */
interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Everything a route takes. */
export type InputOf<R> = ParamsPart<R> & QueryPart<R> & BodyPart<R> & FormPart<R> & CallOptions;

/** A route as a function; its argument may be left out when nothing in it is required. */
type CallOf<R> =
  None extends InputOf<R>
    ? (input?: InputOf<R>) => Promise<AnswerOf<R>>
    : (input: InputOf<R>) => Promise<AnswerOf<R>>;

/** A room's routes as functions. */
export type RoomClient<T> = { readonly [N in keyof T]: CallOf<T[N]> };

/** The parts of any input, for code that treats all routes alike. */
export interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, readonly NamedFile[]>>;
}

export type AnyRoute = RouteDefinition;
