import { sentenceOf } from '../../../api/sentence.ts';
import { PreviewProblem, type PreviewState } from './preview-store.ts';

/** Returns a sentence on why the preview failed. */
export function failureOf({ failure }: PreviewState): string {
  return failure instanceof PreviewProblem ? failure.message : sentenceOf(failure);
}
