import { searchTextOf } from './search-text.ts';

/** Description of what a fax is about: one visible line each, null for none. */
export interface FaxAbout {
  readonly subject: string | null;
  readonly reference: string | null;
  readonly document_type: string | null;
}

/** The same as callers give it: what is left out or empty is none, or stays as it is. */
export type GivenAbout = { readonly [K in keyof FaxAbout]?: string | null | undefined };

export const NO_ABOUT: FaxAbout = { subject: null, reference: null, document_type: null };

const KEYS = ['subject', 'reference', 'document_type'] as const satisfies (keyof FaxAbout)[];

/** Returns the values with those that are given in their place; an empty text counts as null. */
export function aboutOf(given: GivenAbout, before: FaxAbout = NO_ABOUT): FaxAbout {
  const valueOf = (key: keyof FaxAbout) => (given[key] === undefined ? before[key] : given[key] || null);
  return {
    subject: valueOf('subject'),
    reference: valueOf('reference'),
    document_type: valueOf('document_type'),
  };
}

/** Returns true when the values named in `expected` are those of `about`. */
export function matchesAbout(about: FaxAbout, expected: GivenAbout): boolean {
  return KEYS.every((key) => expected[key] === undefined || expected[key] === about[key]);
}

/** Adds subject, reference and document type to the end of the text that a search matches. */
export function withAboutText(text: string, about: FaxAbout): string {
  const added = searchTextOf(KEYS.map((key) => about[key]));
  return added === '' ? text : `${text} ${added}`;
}

/** Replaces what a fax was about in the text that a search matches. */
export function changedAboutText(text: string, before: FaxAbout, after: FaxAbout): string {
  const end = withAboutText('', before);
  return withAboutText(text.endsWith(end) ? text.slice(0, text.length - end.length) : text, after);
}

/** Returns the sentences of a change, for the history; empty when nothing changed. */
export function aboutSentences(before: FaxAbout, after: FaxAbout): string {
  return KEYS.filter((key) => before[key] !== after[key])
    .map((key) => sentenceOf(WORDS[key], after[key]))
    .join(' ');
}

const WORDS: Readonly<Record<keyof FaxAbout, string>> = {
  subject: 'Subject',
  reference: 'Reference',
  document_type: 'Document type',
};

const sentenceOf = (word: string, value: string | null) =>
  value === null ? `${word} removed.` : `${word} set to “${value}”.`;
