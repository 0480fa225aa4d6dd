import { UNKNOWN_NUMBER } from '../../../../shared/api/inbound-shapes.ts';
import { client } from '../../../api/client.ts';
import { type InboundFax, inboundQuery } from '../../../api/inbound.ts';
import { queryClient } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { typedAbout } from '../../../parts/about/about-words.ts';
import { type DraftFile } from '../../../parts/draft-files.ts';
import { isOpenable } from '../../../parts/received/use-openable.ts';
import { t } from '../../../texts/index.ts';
import { formatDayAndTime } from '../../../ui/format.ts';
import { type Draft, newDraft } from '../draft/draft.ts';
import type { ResendProblem } from './earlier-fax.ts';

/** Received fax that is answered, or whose pages are passed on. */
export interface ReceivedRequest {
  readonly id: string;
  readonly isAnswer: boolean;
}

/**
 * Returns true when the draft is begun from this fax already, e.g. after going back and pressing again. One with a number is
 * not that of a fax to pass on: it could be the sender's.
 */
export const isDraftFor = ({ answers, to, files }: Draft, { id, isAnswer }: ReceivedRequest): boolean => {
  if (isAnswer) return answers?.id === id;
  return answers === null && to.trim() === '' && files.some(({ receivedAs }) => receivedAs === id);
};

/**
 * Makes a draft from a received fax: its pages, what it is about and, for an answer, the number of its sender. The draft is
 * null when the fax is gone, and has no document when that cannot be opened.
 */
export async function readReceivedFax({
  id,
  isAnswer,
  phone,
}: ReceivedRequest & {
  readonly phone: (number: string) => string;
}): Promise<{ readonly draft: Draft | null; readonly problem: ResendProblem | null }> {
  const words = t.send.answer;
  try {
    const fax = await queryClient.fetchQuery({ ...inboundQuery(id), staleTime: 0 });
    const from = fax.fr === UNKNOWN_NUMBER ? null : fax.fr;
    const draft = {
      ...newDraft(),
      to: isAnswer && from !== null ? phone(from) : '',
      about: typedAbout(fax),
      answers: isAnswer ? { id, from, receivedAt: fax.received_at } : null,
    };
    const { file, problem } = await readPages(fax);
    if (file !== null) return { draft: { ...draft, files: [file] }, problem: null };
    return { draft, problem: { title: words.noPages, sentence: problem ?? '' } };
  } catch (error) {
    return { draft: null, problem: { title: t.send.resend.notFilledIn, sentence: sentenceOf(error) } };
  }
}

/** Reads the pages of a received fax as a document of a draft; a sentence when they cannot be opened. */
export async function readPages(
  fax: InboundFax,
): Promise<{ readonly file: DraftFile | null; readonly problem: string | null }> {
  if (!isOpenable(fax)) return { file: null, problem: t.send.answer.notOpenable };
  try {
    const bytes = await client.inbound.inboundPdf({ params: { id: fax.id }, query: { purpose: 'open' } });
    return { file: documentOf(fax, bytes), problem: null };
  } catch (error) {
    return { file: null, problem: sentenceOf(error) };
  }
}

function documentOf(fax: InboundFax, bytes: Uint8Array): DraftFile {
  return {
    id: randomId(),
    name: `${t.send.answer.fileName(formatDayAndTime(fax.received_at))}.pdf`.replaceAll(/[/:\\]/gu, '-'),
    title: '',
    content: new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }),
    receivedAs: fax.id,
  };
}
