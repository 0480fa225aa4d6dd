import { NO_COVER } from '../../../../shared/covers.ts';
import { client } from '../../../api/client.ts';
import { faxQuery } from '../../../api/outbound.ts';
import { queryClient } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { typedAbout } from '../../../parts/about/about-words.ts';
import { type DraftFile } from '../../../parts/draft-files.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/index.ts';
import { formatCount } from '../../../ui/format.ts';
import { type Draft, NO_OPTIONS, newDraft, resendOf, shortTitle } from '../draft/draft.ts';
import type { Mailbox } from '../mailboxes.ts';

/** A fax that is to be sent again. */
export interface EarlierFax {
  readonly id: string;
  /** First page to send again, such as the first that is missing. */
  readonly fromPage: number;
}

/** The part of an earlier fax that could not be filled in, with the reason. */
export interface ResendProblem {
  readonly title: string;
  readonly sentence: string;
}

/** Returns true when the draft is this fax already, e.g. after going back and pressing again. */
export function isDraftOf(draft: Draft, { id, fromPage }: EarlierFax): boolean {
  return resendOf(draft) === id && draft.files.some((file) => file.resendFrom === fromPage);
}

/**
 * Makes a draft of a fax that was sent: its number, the document as it was sent, its mailbox and options. Where
 * something is missing, the draft is null when the fax is gone, and has no document when that cannot be opened.
 */
export async function readEarlierFax({
  id,
  fromPage,
  mailboxes = [],
  phone,
}: EarlierFax & {
  readonly mailboxes: readonly Mailbox[] | undefined;
  readonly phone: (number: string) => string;
}): Promise<{ readonly draft: Draft | null; readonly problem: ResendProblem | null }> {
  try {
    const fax = await queryClient.fetchQuery({ ...faxQuery(id), staleTime: 0 });
    const mailbox = mailboxes.find(({ label }) => label === fax.mailbox)?.id ?? '';
    const options = {
      ...NO_OPTIONS,
      urgent: fax.urgent,
      byCall: fax.send_by_call,
      // Encoded pages of which a try failed are chosen again only by a person.
      pageForm: fax.page_form === 'ordinary' ? ('ordinary' as const) : NO_OPTIONS.pageForm,
      mailbox,
    };
    // Its document begins with its own.
    const cover = { choice: NO_COVER, values: {} };
    const draft = { ...newDraft(), to: phone(fax.to), options, about: typedAbout(fax), cover };
    return await readDocument(fax, fromPage).then(
      (file) => ({ draft: { ...draft, files: [file] }, problem: null }),
      (error: unknown) => ({
        draft,
        problem: { title: t.send.resend.noDocument, sentence: sentenceOf(error) },
      }),
    );
  } catch (error) {
    return { draft: null, problem: { title: t.send.resend.notFilledIn, sentence: sentenceOf(error) } };
  }
}

async function readDocument(fax: Fax, fromPage: number): Promise<DraftFile> {
  const bytes = await client.outbound.faxDocument({
    params: { id: fax.id },
    query: { purpose: 'open', ...(fromPage === 1 ? {} : { from_page: fromPage }) },
  });
  return {
    id: randomId(),
    name: nameOf(fax, fromPage),
    title: shortTitle(fax.titles.filter((title) => title !== '').join(', ')),
    content: new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }),
    resendOf: fax.id,
    resendFrom: fromPage,
  };
}

/** The file's name; its content is a PDF by now. */
function nameOf({ document }: Fax, fromPage: number): string {
  const name = document.file_name.replace(/\.[a-z0-9]{1,5}$/iu, '') || document.file_name;
  const part = t.send.resend.pages(formatCount(fromPage), formatCount(document.pages));
  return fromPage === 1 ? `${name}.pdf` : `${name} (${part}).pdf`;
}
