import type { z } from 'zod';
import { ERRORS } from '../../shared/errors/all.ts';

type RawIssue = z.core.$ZodRawIssue;
type Raw<C extends RawIssue['code']> = Extract<RawIssue, { code: C }>;

/** Encoding of a part of a request: JSON, or words, where a list is a word that was repeated. */
type Wire = 'json' | 'words';

/** Validates a part of a request. Problems are described in our own words, except where a schema brings its own. */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  wire: Wire = 'json',
): z.ZodSafeParseResult<z.output<T>> {
  return schema.safeParse(value, { error: (issue) => describeProblem(issue, wire), reportInput: true });
}

/** The first problem of a checked request as one sentence, e.g. `"to" is missing.` */
export function sentenceOf(error: z.ZodError, wire: Wire = 'json'): string {
  const issue = significantIssues(error.issues)[0];
  return issue ? `${describeIssue(issue, wire)}.` : ERRORS.unreadable_request.sentence;
}

/** One problem for each part of the request that does not fit: what else follows from it helps nobody. */
export function significantIssues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const byPath = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const path = issue.path.map(String).join('.');
    const before = byPath.get(path);
    if (!before || isSafeIntegerBound(before)) byPath.set(path, issue);
  }
  return [...byPath.values()];
}

/** Returns true for the bound of safe integers, which is less specific than the bound of the field. */
function isSafeIntegerBound(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'too_big') return issue.maximum === Number.MAX_SAFE_INTEGER;
  return issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER;
}

function describeIssue(issue: z.core.$ZodIssue, wire: Wire): string {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return unknownNames(issue.keys);
  if (issue.code === 'invalid_union' && issue.path.length === 0) return describeBodyForms(issue, wire);
  const isEntry = typeof issue.path.at(-1) === 'number';
  const name = (isEntry ? issue.path.slice(0, -1) : issue.path).map(String).join('.');
  if (name === '') return isEntry ? `An entry ${issue.message}` : `The body ${issue.message}`;
  // The position in a list means nothing to a caller that sent repeated words.
  return `${isEntry && wire === 'json' ? 'An entry of ' : ''}"${name}" ${issue.message}`;
}

/** Says which query names do not exist, and which do, e.g. `"colour" is not a query parameter here; there are q, limit.` */
export function parametersSentence(unknown: readonly string[], known: readonly string[]): string {
  const shown = unknown.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  const problem =
    unknown.length === 1
      ? `${shown[0]} is not a query parameter of this address`
      : `${shown.join(', ')} are not query parameters of this address`;
  return known.length === 0 ? `${problem}; it has none.` : `${problem}; it has ${known.join(', ')}.`;
}

function unknownNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  return names.length === 1
    ? `${shown[0]} is not a field of this request`
    : `${shown.join(', ')} are not fields of this request`;
}

/**
 * Describes the problem of a value and what would fit, after its name. Depends on the code of the issue, never on zod's
 * words.
 */
function describeProblem(issue: RawIssue, wire: Wire): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue, wire);
    case 'too_big':
      return sizeProblem(issue.origin, bound('at most', 'less than', issue), issue.maximum);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return sizeProblem(issue.origin, bound('at least', 'more than', issue), issue.minimum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return valueProblem(issue);
    case 'invalid_format':
      return formatProblem(issue);
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`;
    case 'invalid_union':
      return unionProblem(issue, wire);
    case 'invalid_key':
      return 'has a name that is not allowed here';
    case 'invalid_element':
      return 'has an entry that is not allowed here';
    case 'custom':
      return 'is not valid here';
    default:
      return issue satisfies never;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function typeProblem({ input, expected }: Raw<'invalid_type'>, wire: Wire): string {
  if (input === undefined) return 'is missing';
  if (Array.isArray(input) && wire === 'words') return 'can be given only once';
  const type = TYPES[expected];
  return type === undefined ? 'must be of another type' : `must be ${type}`;
}

function bound(inclusive: string, exclusive: string, issue: { readonly inclusive?: boolean }): string {
  return issue.inclusive === false ? exclusive : inclusive;
}

function sizeProblem(origin: string, bounds: string, size: number | bigint): string {
  if (origin === 'string') return `must have ${bounds} ${size} characters`;
  if (origin === 'array' || origin === 'set')
    return `must have ${bounds} ${size} ${Number(size) === 1 ? 'entry' : 'entries'}`;
  return `must be ${bounds} ${size}`;
}

function valueProblem(issue: Raw<'invalid_value'>): string {
  if (issue['expected'] === 'stringbool') return 'must be true or false';
  return valuesProblem(issue.values);
}

const valuesProblem = (values: readonly unknown[]) => `must be one of ${values.map(String).join(', ')}`;

/** A pattern would say nothing to a person: a schema with one says in words of its own what fits. */
function formatProblem(issue: Raw<'invalid_format'>): string {
  if (issue.format === 'datetime') return 'must be a time such as 2026-10-31T08:00:00.000Z';
  return 'has characters or a form that is not allowed here';
}

type Form = readonly z.core.$ZodIssue[];

/** Returns the forms that were most likely meant: those with the fewest unrecognized names and values. */
function closestForms(forms: readonly Form[]): Form[] {
  const countUnknown = (form: Form) => form.reduce((sum, issue) => sum + unknownIn(issue), 0);
  const least = Math.min(...forms.map(countUnknown));
  return forms.filter((form) => countUnknown(form) === least);
}

/** A value of another form counts less than a name of another form. A missing value says nothing about the form. */
function unknownIn(issue: z.core.$ZodIssue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  return issue.code === 'invalid_value' && issue.input !== undefined ? 0.1 : 0;
}

/** Joins the values that several forms take for one field. */
function joinValues(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const joined = new Map<string, z.core.$ZodIssue>();
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    const before = joined.get(field);
    const isMore = issue.code === 'invalid_value' && before?.code === 'invalid_value';
    const values = isMore ? [...before.values, ...issue.values] : [];
    if (isMore) joined.set(field, { ...issue, values, message: valuesProblem(values) });
    else joined.set(before ? `${field} ${joined.size}` : field, issue);
  }
  return [...joined.values()];
}

/** Describes the problem of a body that may have several forms. */
function describeBodyForms(issue: z.core.$ZodIssueInvalidUnion, wire: Wire): string {
  const firsts = closestForms(issue.errors).flatMap((form) => significantIssues(form).slice(0, 1));
  if (firsts.every(({ path, code }) => path.length === 0 && code === 'invalid_type'))
    return `The body ${eachOnce(firsts.map(({ message }) => message)).join(', or ')}`;
  return eachOnce(joinValues(firsts).map((first) => describeIssue(first, wire))).join(', or ');
}

/** Describes the problem of a field that may have several forms. */
function unionProblem(issue: Raw<'invalid_union'>, wire: Wire): string {
  const firsts = issue.errors.flatMap((form) => significantIssues(form).slice(0, 1));
  const ofItself = firsts.filter(({ path }) => path.length === 0);
  if (ofItself.length === firsts.length) return eachOnce(firsts.map(({ message }) => message)).join(', or ');
  const inside = firsts.filter(({ path }) => path.length > 0).map((first) => describeIssue(first, wire));
  return `is not valid: ${eachOnce(inside).join(', or ')}`;
}

const eachOnce = (texts: readonly string[]): string[] => [...new Set(texts)];
