import type { z } from 'zod';
import type { Reconciliation } from '../../../shared/api/outbound-shapes.ts';
import { t } from '../../texts/index.ts';
import type { Fax } from '../fax-state.ts';

export type Answer = 'all' | 'some' | 'nothing' | 'not reached' | 'provider id';

/** Answers to *Did it arrive?* with their keys, in order. */
export const ANSWERS = [
  { answer: 'all', keys: '1', icon: 'check' },
  { answer: 'some', keys: '2', icon: 'warn' },
  { answer: 'nothing', keys: '3', icon: 'close' },
  { answer: 'not reached', keys: '4', icon: 'clock' },
] as const satisfies readonly { answer: Exclude<Answer, 'provider id'>; keys: string; icon: string }[];

interface AnswerWords {
  /** The chosen answer; null where the field says it. */
  readonly chosen: string | null;
  readonly label: string;
  readonly help: string;
  /** Error for an empty field; null where it may be empty. */
  readonly empty: string | null;
  /** Label of the button that records it. */
  readonly record: string;
}

/** Returns the words of the second step of an answer. */
export function wordsOf(answer: Answer): AnswerWords {
  const words = t.fax.confirmation;
  const note = { label: words.note, help: words.noteHelp, empty: words.noteMissing };
  switch (answer) {
    case 'all':
      return { chosen: words.answers.all, ...note, record: words.recordArrived };
    case 'some':
      return { chosen: words.answers.some, ...note, record: words.recordIncomplete };
    case 'nothing':
      return { chosen: words.answers.nothing, ...note, record: words.recordMissing };
    case 'not reached':
      return {
        chosen: words.answers['not reached'],
        label: words.tried,
        help: words.triedHelp,
        empty: null,
        record: words.recordNotReached,
      };
    case 'provider id':
      return {
        chosen: null,
        label: words.idLabel,
        help: words.idHelp,
        empty: words.idMissing,
        record: words.askProvider,
      };
  }
}

/** Facts that a person entered beside the answer. */
export interface Entered {
  /** The note, or the provider's id. */
  readonly text: string;
  /** Pages that arrived; null while unknown. */
  readonly pages: number | null;
  /** Minutes until the question comes back. */
  readonly minutes: number;
}

/** Returns the answer as the gateway takes it, against the version the person looked at. */
export function decisionOf(
  answer: Answer,
  { delivery_version }: Pick<Fax, 'delivery_version'>,
  { text, pages, minutes }: Entered,
): z.infer<typeof Reconciliation> {
  const note = text.trim();
  switch (answer) {
    case 'all':
      return { outcome: 'success', note, delivery_version };
    case 'some':
      return {
        outcome: 'failed',
        note,
        ...(pages === null ? {} : { pages_arrived: pages }),
        delivery_version,
      };
    case 'nothing':
      return { outcome: 'failed', note, pages_arrived: 0, delivery_version };
    case 'not reached':
      return {
        outcome: 'not_reached',
        ...(note === '' ? {} : { note }),
        ask_again_at: new Date(Date.now() + minutes * 60_000).toISOString(),
        delivery_version,
      };
    case 'provider id':
      return { provider_sid: note, delivery_version };
  }
}
