import { z } from 'zod';
import { isRecord, wireText } from '../wire-values.ts';

/** An error body of the vendor, whatever its form. */
interface WireError {
  /** The message, then the fields that are named as wrong; may be empty. */
  readonly words: string;
  /** The HTTP status that the body itself names, or null. */
  readonly status: number | null;
}

const text = wireText.catch(null);

const violations = z
  .object({ fieldViolations: z.array(z.object({ field: z.string(), description: z.string() })) })
  .transform(({ fieldViolations }) => fieldViolations)
  .catch([]);

const facts = z.object({
  message: text,
  title: text,
  detail: text,
  code: text,
  status: text,
  details: z.unknown().optional(),
});

/** The statuses behind the words of the vendor's newer bodies; any other word names none. */
const statusWords: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
};

/**
 * Reads the vendor's error body: `{code, error, message, details}` as its fax API documents it, the same facts within
 * `error` as its other APIs answer, or a problem document (RFC 9457). Null for a body that is none of them.
 */
export function errorOf(body: unknown): WireError | null {
  if (!isRecord(body)) return null;
  const { data } = facts.safeParse(isRecord(body['error']) ? body['error'] : body);
  if (data === undefined) return null;
  const { message, title, detail, code, status, details } = data;
  const said = message || [title, detail].filter(Boolean).join(': ');
  if (said === '' && message !== '') return null;
  const named = fieldViolationsOf(details).map(({ field, description }) => `${field}: ${description}`);
  return { words: [said, ...named].filter(Boolean).join('; '), status: statusOf(code) ?? statusOf(status) };
}

/** The documented `details` is an object; within `error` it is a list of them. */
function fieldViolationsOf(details: unknown) {
  return (Array.isArray(details) ? details : [details]).flatMap((entry) => violations.parse(entry));
}

function statusOf(value: string | null | undefined): number | null {
  if (!value) return null;
  return /^[45]\d\d$/u.test(value) ? Number(value) : (statusWords[value.toUpperCase()] ?? null);
}
