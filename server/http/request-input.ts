import type { Request } from 'express';
import type { z } from 'zod';
import type { Form, RouteDefinition } from '../../shared/api/route.ts';
import { LIMITS } from '../../shared/limits.ts';
import { PAGE_TOKEN_PARAMETER } from '../../shared/page-token.ts';
import { RefusalError } from '../platform/errors.ts';
import { InvalidBodyError } from './error-handler.ts';
import { containsNul, readJsonBody, UNAUTHENTICATED_BODY_BYTES, unreadable } from './json-body.ts';
import { type FormLimits, type ReceivedForm, receiveForm, type UploadedFile } from './multipart.ts';
import { check, parametersSentence, sentenceOf, significantIssues } from './sentences.ts';
import type { UploadFolder } from './upload-file.ts';

const MAX_FILES = 50;

export interface RequestInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly fields: unknown;
  readonly files: readonly UploadedFile[];
  /** Names of form fields and of query parameters that the route does not read, as they came. */
  readonly ignored: readonly string[];
  discard(): Promise<void>;
}

/** Handling of the files of a form, and their maximum total size. */
type FileHandling = Pick<FormLimits, 'place' | 'totalBytes'>;

/** Files are only hashed, of any size that the settings could ever allow. */
export const HASH_ONLY: FileHandling = { place: null, totalBytes: LIMITS.fileSizeMb * 1024 * 1024 };

export const storedIn = (folder: UploadFolder): FileHandling => ({
  place: folder,
  totalBytes: folder.maxBytes(),
});

/** Reads and checks every part of a request by the route's schemas. */
export async function readInput(
  route: RouteDefinition,
  request: Request,
  files: FileHandling,
): Promise<RequestInput> {
  const params = route.params ? parsePlain(route.params, request.params, 404) : {};
  const { query, ignored } = readQuery(route, request);
  const body = route.body ? parseBody(route, await readJsonBody(request, bodyBytesOf(route))) : undefined;
  if (!route.form)
    return { params, query, body, fields: undefined, files: [], ignored, discard: async () => undefined };
  const received = await receiveForm(request, {
    ...files,
    files: MAX_FILES,
    digest: 'sha256',
    isMultipartOnly: true,
  });
  try {
    const unread = route.form.ignoresUnknown ? unknownFields(route.form, received) : [];
    const fields = parseFields(route.form, received, unread);
    const all = [...ignored, ...unread];
    return { params, query, body, fields, files: received.files, ignored: all, discard: received.discard };
  } catch (error) {
    await received.discard();
    throw error;
  }
}

/** Reads the query parameters that the route has. A 400 refusal for another name, except on routes of earlier releases. */
function readQuery(route: RouteDefinition, request: Request): { query: unknown; ignored: string[] } {
  const shape = route.query?.shape ?? {};
  const known: Record<string, unknown> = {};
  const unknown: string[] = [];
  // Most requests have none, and parsing takes time in each.
  if (request.url.includes('?'))
    for (const [name, value] of Object.entries(request.query)) {
      if (Object.hasOwn(shape, name)) known[name] = value;
      else if (name !== PAGE_TOKEN_PARAMETER) unknown.push(name);
    }
  if (unknown.length > 0 && !route.ignoresUnknownQuery) throw unknownParameters(unknown, Object.keys(shape));
  return { query: route.query ? parsePlain(route.query, known, 400) : {}, ignored: unknown };
}

function unknownParameters(unknown: readonly string[], known: readonly string[]): RefusalError {
  return new RefusalError('invalid_request', { sentence: parametersSentence(unknown, known) });
}

const bodyBytesOf = ({ access }: RouteDefinition): number | undefined =>
  access === 'public' ? UNAUTHENTICATED_BODY_BYTES : undefined;

/** A path that cannot name anything is a missing thing; a bad query is a 400 with a sentence. */
function parsePlain(schema: z.ZodType, value: object, status: 400 | 404): unknown {
  const hasNul = Object.values(value).flat().some(containsNul);
  const parsed = check(schema, value, 'words');
  if (parsed.success && !hasNul) return parsed.data;
  if (status === 404) throw new RefusalError('no_such_address');
  if (parsed.success) throw unreadable('a query value holds NUL');
  throw new RefusalError('invalid_request', { sentence: sentenceOf(parsed.error, 'words') });
}

function parseBody(route: RouteDefinition, value: unknown): unknown {
  if (value === undefined && route.bodyOptional) return undefined;
  if (!route.body) return undefined;
  const parsed = check(route.body, value);
  if (parsed.success) return parsed.data;
  if (route.badBody === 'sentence')
    throw new RefusalError('invalid_request', { sentence: sentenceOf(parsed.error) });
  throw new InvalidBodyError(
    significantIssues(parsed.error.issues).map((issue) => ({
      loc: ['body', ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      type: issue.code,
      msg: issue.message,
    })),
  );
}

function unknownFields({ fields: { shape } }: Form, { fields }: ReceivedForm): string[] {
  return [...new Set(fields.map(([name]) => name).filter((name) => !Object.hasOwn(shape, name)))];
}

function parseFields(form: Form, received: ReceivedForm, ignored: readonly string[]): unknown {
  const given = new Map<string, string | string[]>();
  for (const [name, value] of received.fields) {
    if (ignored.includes(name)) continue;
    const before = given.get(name);
    given.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  for (const name of optionalFields(form)) if (given.get(name) === '') given.delete(name);
  const parsed = check(form.fields, Object.fromEntries(given), 'words');
  if (!parsed.success)
    throw new RefusalError('invalid_request', { sentence: sentenceOf(parsed.error, 'words') });
  for (const [name, part] of Object.entries(form.files)) checkFiles(name, part, received);
  const unknown = received.files.find((file) => !Object.hasOwn(form.files, file.field));
  if (unknown) throw wrongFiles(`The form has no file field "${unknown.field.slice(0, 40)}".`);
  return parsed.data;
}

const optionalNames = new WeakMap<Form, readonly string[]>();

/** Returns the fields that may be left out, which browsers and other programs send empty instead. */
function optionalFields(form: Form): readonly string[] {
  const known = optionalNames.get(form);
  if (known) return known;
  const names = Object.entries(form.fields.shape)
    .filter(([, schema]) => (schema as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);
  optionalNames.set(form, names);
  return names;
}

function checkFiles(
  name: string,
  part: { required: boolean; repeated: boolean },
  received: ReceivedForm,
): void {
  const count = received.files.filter((file) => file.field === name).length;
  if (part.required && count === 0) throw wrongFiles(`Attach a file as "${name}".`);
  if (!part.repeated && count > 1) throw wrongFiles(`Attach only one file as "${name}".`);
}

function wrongFiles(sentence: string): RefusalError {
  return new RefusalError('wrong_files', { sentence });
}
