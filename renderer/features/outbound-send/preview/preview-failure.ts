import { sentenceOf } from '../../../api/sentence.ts';
import { PreviewProblem, type PreviewState } from './preview-store.ts';

/** Why the pages are not there, in a sentence. */
export function failureOf({ failure }: PreviewState): string {
  return failure instanceof PreviewProblem ? failure.message : sentenceOf(failure);
}
