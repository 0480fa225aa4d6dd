import { LIMITS } from '../../../../shared/limits.ts';
import { randomId } from '../../../api/random-id.ts';
import { aboutLine, NOTHING_TYPED, type TypedAbout } from '../../../parts/about/about-words.ts';
import { type DraftFile, NAME_LENGTH, titleOf } from '../../../parts/draft-files.ts';
import { type GuardAnswers, NO_ANSWERS } from '../../../parts/guard/guard.ts';
import { t } from '../../../texts/index.ts';

export interface DraftOptions {
  /** As a date and time field writes it, `2026-11-21T18:30` by this computer's clock; empty means now. */
  readonly sendAt: string;
  /** Latest time to send it, written in the same way; empty for no limit. */
  readonly sendBy: string;
  /** Hours in which it is sent; empty for any time. */
  readonly sendWhen: '' | 'cheap_hours' | 'recipient_hours';
  readonly urgent: boolean;
  readonly sendNow: boolean;
  readonly byCall: boolean;
  readonly queueOnly: boolean;
  /** Other pages than the contact says; empty for those. */
  readonly pageForm: '' | 'ordinary' | 'encoded';
  /** Id of the mailbox it is sent for; empty when none was chosen. */
  readonly mailbox: string;
}

/** Received fax that a draft answers. */
export interface AnsweredFax {
  readonly id: string;
  /** E.164; null where the sender withheld it. */
  readonly from: string | null;
  readonly receivedAt: string;
}

/** The cover page as the person chose it. */
export interface DraftCover {
  /** ID of a cover page, or `none`; empty for that of the contact or the mailbox. */
  readonly choice: string;
  /** Typed values by field. */
  readonly values: Readonly<Record<string, string>>;
}

/** A fax before it is sent: everything that must not be lost. */
export interface Draft extends GuardAnswers {
  /** Idempotency key: the gateway accepts one fax for it, however often it is submitted. */
  readonly key: string;
  readonly to: string;
  /** The number that is right although no country has its code, E.164. */
  readonly allowed: string | null;
  readonly files: readonly DraftFile[];
  readonly options: DraftOptions;
  readonly about: TypedAbout;
  /** Null for a draft that answers none. */
  readonly answers: AnsweredFax | null;
  readonly cover: DraftCover;
  readonly cleanGreys: boolean;
  /** Content that was last submitted without a certain response; see `contentOf`. */
  readonly tried: string | null;
}

export const NO_OPTIONS: DraftOptions = {
  sendAt: '',
  sendBy: '',
  sendWhen: '',
  urgent: false,
  sendNow: false,
  byCall: false,
  queueOnly: false,
  pageForm: '',
  mailbox: '',
};

const USUAL_COVER: DraftCover = { choice: '', values: {} };

export function newDraft(): Draft {
  return {
    key: randomId(),
    to: '',
    ...NO_ANSWERS,
    allowed: null,
    files: [],
    options: NO_OPTIONS,
    about: NOTHING_TYPED,
    answers: null,
    cover: USUAL_COVER,
    cleanGreys: false,
    tried: null,
  };
}

/** Returns the id of the sent fax that the draft sends again; null for none. */
export const resendOf = ({ files }: Draft): string | null =>
  files.find((file) => file.resendOf !== undefined)?.resendOf ?? null;

/** Returns the document of the draft for answers that hold for it alone. */
export const documentOf = ({ files }: Draft): string => files.map(({ id }) => id).join();

export function isEmpty({ to, files, options, about, answers, cover }: Draft): boolean {
  const chosen = Object.entries(options).some(([, value]) => value !== '' && value !== false);
  const isUnaddressed = to.trim() === '' && answers === null;
  return isUnaddressed && files.length === 0 && !chosen && aboutLine(about) === null && isUsualCover(cover);
}

const isUsualCover = ({ choice, values }: DraftCover): boolean =>
  choice === '' && Object.values(values).every((value) => value.trim() === '');

/**
 * Returns the content of the request as one text: drafts with equal texts are the same fax. `number` is the typed
 * number in E.164, so that its notation makes no difference; null when it is no number.
 */
export function contentOf(
  { to, files, options, answers, cleanGreys, cover }: Draft,
  number: string | null,
): string {
  return JSON.stringify([
    number ?? to.trim(),
    files.map(({ id, title, edits }) => (edits === undefined ? [id, title] : [id, title, edits])),
    options,
    cleanGreys,
    ...(answers === null ? [] : [answers.id]),
    ...(isUsualCover(cover) ? [] : [cover]),
  ]);
}

/**
 * Returns the draft with other files. Cleaning of greys applies only to the documents it was chosen for: when one is
 * added or replaced, they are sent as they are until it is chosen again.
 */
export function withFiles(draft: Draft, files: readonly DraftFile[]): Draft {
  const known = new Set(draft.files.map(({ id }) => id));
  const isOfThese = files.length > 0 && files.every(({ id }) => known.has(id));
  return { ...draft, files, cleanGreys: draft.cleanGreys && isOfThese };
}

/**
 * Returns the draft with what a template has: its documents first, its cover page, and what the fax is about where that is
 * not typed. Number, times and the answered fax stay. A template that was used already adds nothing twice.
 */
export function withTemplate(draft: Draft, { files, about, cover }: Draft): Draft {
  const known = new Set(draft.files.map(({ id }) => id));
  const added = files
    .filter(({ id }) => !known.has(id))
    // The answer sends no earlier fax again, whatever the template was made of.
    .map(({ resendOf: _fax, resendFrom: _page, ...file }) => file);
  return {
    ...withFiles(draft, [...added, ...draft.files]),
    about: filled(draft.about, about),
    cover: {
      choice: draft.cover.choice || cover.choice,
      values: filled(draft.cover.values, cover.values),
    },
  };
}

/** The typed texts, and those of the template for the others. */
function filled<Name extends string>(
  typed: Readonly<Record<Name, string>>,
  template: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const given = Object.entries<string>(typed).filter(([, text]) => text.trim() !== '');
  return { ...typed, ...template, ...(Object.fromEntries(given) as Record<Name, string>) };
}

/** Moves a file by steps; the order stays when it is at an end already. */
export function moveFile(files: readonly DraftFile[], id: string, steps: number): readonly DraftFile[] {
  const from = files.findIndex((file) => file.id === id);
  const to = from + steps;
  const file = files[from];
  if (!file || to < 0 || to >= files.length) return files;
  return files.toSpliced(from, 1).toSpliced(to, 0, file);
}

/** Under which a draft is saved for later where nobody names it: its number and first document. */
export function suggestedName({ to, files: [first] }: Draft): string {
  const parts = [to.trim(), first ? titleOf(first) : ''].filter((part) => part !== '');
  return parts.join(', ').slice(0, NAME_LENGTH) || t.send.drafts.unnamed;
}

export const shortTitle = (text: string): string => text.trim().slice(0, LIMITS.titleLength);
