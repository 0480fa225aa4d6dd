import type { z } from 'zod';
import { FIXED_MESSAGES } from '../../shared/api/errors.ts';

type Issue = z.core.$ZodIssue;

/** The first problem of a request as one sentence, e.g. `"to" is missing.` */
export function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return FIXED_MESSAGES.unreadableBody;
  if (issue.code === 'unrecognized_keys') return unknownNames(issue.keys);
  // Which one of a list it is says nothing to whoever gave the list as repeated words.
  const path = typeof issue.path.at(-1) === 'number' ? issue.path.slice(0, -1) : issue.path;
  const name = path.map(String).join('.');
  if (!name) return `The request is not right: ${issue.message}.`;
  return `"${name}" ${complaintAbout(issue) ?? `is not right: ${issue.message}`}.`;
}

function unknownNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name.slice(0, 40)}"`);
  return names.length === 1
    ? `${shown[0]} is not a field of this request.`
    : `${shown.join(', ')} are not fields of this request.`;
}

function complaintAbout(issue: Issue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return typeComplaint(issue);
    case 'too_big':
      return sizeComplaint(issue.origin, 'at most', issue.maximum);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return sizeComplaint(issue.origin, 'at least', issue.minimum);
    case 'invalid_value':
      return valueComplaint(issue);
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-10-31T08:00:00.000Z' : null;
    default:
      return null;
  }
}

function typeComplaint(issue: Extract<Issue, { code: 'invalid_type' }>): string | null {
  if (issue.message.endsWith('received undefined')) return 'is missing';
  if (issue.message.endsWith('received array')) return 'may be given only once';
  if (issue.expected === 'number' || issue.expected === 'int') return 'must be a whole number';
  return null;
}

function sizeComplaint(origin: string, bound: string, size: number | bigint): string | null {
  if (origin === 'string') return `must have ${bound} ${size} characters`;
  if (origin === 'number' || origin === 'int') return `must be ${bound} ${size}`;
  return null;
}

function valueComplaint(issue: Extract<Issue, { code: 'invalid_value' }>): string {
  if ((issue as { expected?: unknown }).expected === 'stringbool') return 'must be true or false';
  return `must be one of ${issue.values.map(String).join(', ')}`;
}
