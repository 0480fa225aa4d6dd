import type { z } from 'zod';
import { ERRORS } from '../../shared/errors/all.ts';

type RawIssue = z.core.$ZodRawIssue;
type Raw<C extends RawIssue['code']> = Extract<RawIssue, { code: C }>;

/** Checks a part of a request. What does not fit is said in our own words, except where a schema brings its own. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.ZodSafeParseResult<z.output<T>> {
  return schema.safeParse(value, { error: complaintAbout });
}

/** The first problem of a checked request as one sentence, e.g. `"to" is missing.` */
export function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue ? `${sentenceOn(issue)}.` : ERRORS.unreadable_request.sentence;
}

function sentenceOn(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return unknownNames(issue.keys);
  // Which one of a list it is says nothing to whoever gave the list as repeated words.
  const path = typeof issue.path.at(-1) === 'number' ? issue.path.slice(0, -1) : issue.path;
  const name = path.map(String).join('.');
  return name ? `"${name}" ${issue.message}` : `The body ${issue.message}`;
}

function unknownNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  return names.length === 1
    ? `${shown[0]} is not a field of this request`
    : `${shown.join(', ')} are not fields of this request`;
}

/** What is wrong with a value and what would fit, after its name. Told by the code of the issue, never by zod's words. */
function complaintAbout(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeComplaint(issue);
    case 'too_big':
      return sizeComplaint(issue.origin, bound('at most', 'less than', issue), issue.maximum);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return sizeComplaint(issue.origin, bound('at least', 'more than', issue), issue.minimum);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_value':
      return valueComplaint(issue);
    case 'invalid_format':
      return formatComplaint(issue);
    case 'unrecognized_keys':
      return `has fields that are not known here: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`;
    case 'invalid_union':
      return unionComplaint(issue);
    case 'invalid_key':
      return 'has a name that is not allowed here';
    case 'invalid_element':
      return 'has an entry that is not allowed here';
    case 'custom':
      return 'does not fit here';
    default:
      return issue satisfies never;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function typeComplaint({ input, expected }: Raw<'invalid_type'>): string {
  if (input === undefined) return 'is missing';
  if (Array.isArray(input) && expected !== 'object' && expected !== 'record') return 'may be given only once';
  return `must be ${TYPES[expected] ?? expected}`;
}

function bound(inclusive: string, exclusive: string, issue: { readonly inclusive?: boolean }): string {
  return issue.inclusive === false ? exclusive : inclusive;
}

function sizeComplaint(origin: string, bounds: string, size: number | bigint): string {
  if (origin === 'string') return `must have ${bounds} ${size} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${bounds} ${size} entries`;
  return `must be ${bounds} ${size}`;
}

function valueComplaint(issue: Raw<'invalid_value'>): string {
  if (issue['expected'] === 'stringbool') return 'must be true or false';
  return `must be one of ${issue.values.map(String).join(', ')}`;
}

function formatComplaint(issue: Raw<'invalid_format'>): string {
  if (issue.format === 'datetime') return 'must be a time such as 2026-10-31T08:00:00.000Z';
  if (issue.format === 'regex' && 'pattern' in issue) return `must have the form ${String(issue['pattern'])}`;
  return `must have the form "${issue.format}"`;
}

/** Every form that it could have had, with what is wrong for each. */
function unionComplaint(issue: Raw<'invalid_union'>): string {
  const forms = issue.errors.flatMap(([first]) => (first ? [first] : []));
  const wanted = forms.map((form) => (form.path.length === 0 ? form.message : sentenceOn(form)));
  if (forms.every(({ path }) => path.length === 0)) return [...new Set(wanted)].join(', or ');
  return `fits no form that is allowed here: ${[...new Set(wanted)].join('; or ')}`;
}
