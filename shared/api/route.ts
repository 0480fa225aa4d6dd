import type { z } from 'zod';
import type { AuditOperation } from '../audit-operations.ts';
import type { Deprecation } from '../deprecations.ts';
import type { ErrorCode } from '../errors/all.ts';
import type { Permission } from '../permissions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` routes are open or verified by other means than a credential; `signed-in` requires any credential. */
type RouteAccess = 'public' | 'signed-in' | Permission;

interface FilePart {
  readonly description: string;
  readonly required: boolean;
  readonly repeated: boolean;
}

export interface Form {
  readonly fields: z.ZodObject;
  readonly files: Readonly<Record<string, FilePart>>;
  /**
   * True when unknown fields are ignored, and listed in the `X-Ignored` header of the response; omitted, they are
   * refused.
   */
  readonly ignoresUnknown?: true;
  /** Fields that hold JSON text, with its schema. */
  readonly jsonFields?: Readonly<Record<string, z.ZodType>>;
  /** Fields and files that are needed although the room refuses a request without them in its own words. */
  readonly needs?: readonly string[];
  /** Fields and files of which exactly one is needed. */
  readonly oneOf?: readonly string[];
}

/** A body that the route reads by itself, because it is verified first: described in the ways in which it may come. */
export interface RawBody {
  readonly json?: z.ZodType;
  /** As multipart, or url-encoded without its files. */
  readonly form?: Form;
}

/** A request header worth naming: what it holds, or also that nothing goes without it. */
export type HeaderWords = string | { readonly description: string; readonly required: true };

/** User and password that a caller without a credential of the gateway may have to present. */
export interface BasicSecurity {
  /** In the description of the interface. */
  readonly name: string;
  readonly description: string;
}

/** Successful response of a route: JSON of a schema, or bytes of a media type. */
type Answer =
  | {
      readonly status: number;
      readonly schema: z.ZodType;
      /** Second way to succeed, with the same body; omitted where there is one only. */
      readonly also?: { readonly status: number; readonly words: string };
    }
  | { readonly status: number; readonly contentType: string };

interface Audited {
  readonly operation: AuditOperation;
  /** The kind of what it is done to. */
  readonly target: string;
  /** Path parameter that contains its id; omitted when it has none yet. */
  readonly param?: string;
  /** It is done to the caller. */
  readonly own?: true;
}

/**
 * One route, written once: the Express route, the permission check, `/openapi.json`, the typed client and the access
 * test come from it. `path` uses `:name` for parameters.
 */
export interface RouteDefinition {
  readonly id: string;
  readonly room: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: RouteAccess;
  /** Holding the permission on any one resource is enough; the query then shows only what the caller may see. */
  readonly anywhere?: true;
  /**
   * True when pages request it without any action of a person, so that it does not count as activity: the session's
   * idle time continues.
   */
  readonly passive?: true;
  /**
   * True for routes of the console's window that refuse every API key, or sign a browser in with its passkey:
   * `/openapi-console.json` describes them.
   */
  readonly onlyConsole?: true;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /**
   * True on routes of earlier releases: unknown query names are ignored, and listed in the `X-Ignored` header of the
   * response; omitted, they are refused.
   */
  readonly ignoresUnknownQuery?: true;
  readonly headers?: Readonly<Record<string, HeaderWords>>;
  /** True when the room itself recognizes a repeated `Idempotency-Key`: its requests make faxes. */
  readonly ownKey?: true;
  readonly basic?: BasicSecurity;
  readonly body?: z.ZodType;
  /** True when the body may be omitted. */
  readonly bodyOptional?: boolean;
  readonly form?: Form;
  readonly rawBody?: RawBody;
  readonly answer: Answer;
  /** Meaning of a successful answer, as a sentence; omitted where the body says it. */
  readonly answerWords?: string;
  /** True when the header `Link` has the address of the next page. */
  readonly linksNext?: true;
  /** True for documents with an `ETag` of which a caller can request a part (`Range`). */
  readonly hasRanges?: true;
  /** Possible refusals beside those of every such route: `refusals.ts`. */
  readonly refusals?: readonly ErrorCode[];
  /** A body that does not fit answers 422 with a list, 400 with a sentence, or like any other failure of the route. */
  readonly badBody?: 'list' | 'sentence' | 'as any failure';
  /**
   * Marks routes for the servers of a provider and for assistants: requests from the page of another site, or to an
   * unknown host name, are refused unread.
   */
  readonly from?: 'provider' | 'assistant';
  /**
   * Operation in the security audit. Refused callers are recorded under it automatically; completed operations are
   * recorded by the room.
   */
  readonly audited?: Audited;
  readonly deprecated?: Deprecation;
}

export const defineRoute = <const R extends RouteDefinition>(route: R): R => route;

export type ParamsOf<R> = R extends { params: infer P extends z.ZodType } ? z.infer<P> : Record<never, never>;
export type QueryOf<R> = R extends { query: infer Q extends z.ZodType } ? z.infer<Q> : Record<never, never>;
export type BodyOf<R> = R extends { body: infer B extends z.ZodType } ? z.infer<B> : undefined;
export type FieldsOf<R> = R extends { form: { fields: infer F extends z.ZodType } } ? z.infer<F> : undefined;
export type AnswerOf<R> = R extends { answer: { schema: infer S extends z.ZodType } }
  ? z.infer<S>
  : Uint8Array;

/** Query as the caller passes it: fields with a default in the schema are optional. */
export type QueryInput<R> = R extends { query: infer Q extends z.ZodType }
  ? z.input<Q>
  : Record<never, never>;
export type BodyInput<R> = R extends { body: infer B extends z.ZodType } ? z.input<B> : undefined;
export type FieldsInput<R> = R extends { form: { fields: infer F extends z.ZodType } }
  ? z.input<F>
  : undefined;
