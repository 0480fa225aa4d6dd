import { lazy, type ReactNode, type RefObject, Suspense, useRef } from 'react';
import { loadPart } from '../../api/load-part.ts';
import { openFinding, partOfFinding, withAgreement } from '../../parts/guard/guard.ts';
import { GuardNotes } from '../../parts/guard/guard-notes.tsx';
import { t } from '../../texts/index.ts';
import { BEGIN, focusPart, part } from '../../ui/focus/places.ts';
import { Notice } from '../../ui/notice.tsx';
import { AboutFold } from './about/about-fold.tsx';
import { CoverFold } from './cover/cover-fold.tsx';
import { DocumentNotices } from './documents/document-notices.tsx';
import { Documents } from './documents/documents.tsx';
import type { Incoming } from './documents/incoming.ts';
import { type Draft, documentOf, withFiles } from './draft/draft.ts';
import type { NewFaxParts, SendContext } from './new-fax.ts';
import { EncodedNote } from './number/encoded-note.tsx';
import { NumberNote } from './number/number-note.tsx';
import { ToField } from './number/to-field.tsx';
import { OptionsFold } from './options-fold.tsx';
import { ScanButton } from './scan/scan-button.tsx';
import styles from './send-screen.module.css';
import { SendOutcome } from './sending/send-outcome.tsx';

/** Few have several mailboxes to send for. */
const MailboxField = lazy(async () => ({
  default: (await loadPart(() => import('./mailbox-field.tsx'))).MailboxField,
}));

interface NewFaxFieldsProps {
  readonly parts: NewFaxParts;
  readonly send: SendContext;
  readonly incoming: Incoming;
  readonly sendButton: RefObject<HTMLButtonElement | null>;
  /** Above the form: where the draft comes from. */
  readonly note?: ReactNode;
}

/** The form; it rests while the fax is handed over, so that what is sent is what is shown. */
export function NewFaxFields(props: NewFaxFieldsProps) {
  const { parts, send, incoming } = props;
  const { draft, drafts, preview, sending, mailboxes } = parts;
  const choose = useRef<HTMLButtonElement>(null);
  const refusalAt = (of: string) => (sending.problem?.part === of ? sending.problem.sentence : null);
  return (
    <div className={styles['fields']} inert={sending.isSending}>
      {props.note}
      <RecipientPart {...props} refusal={refusalAt('to')} choose={choose} />
      {mailboxes.choices.length > 0 && (
        <Suspense>
          <div {...part('mailbox')}>
            <MailboxField
              mailboxes={mailboxes}
              onChange={(mailbox) =>
                drafts.change((now) => ({ ...now, options: { ...now.options, mailbox } }))
              }
            />
          </div>
        </Suspense>
      )}
      <Documents
        files={draft.files}
        preview={preview}
        onFiles={(files) => {
          incoming.forget();
          drafts.change((now) => withFiles(now, files));
        }}
        onAdd={incoming.add}
        chooseRef={choose}
        scan={<ScanButton drafts={drafts} />}
      >
        <DocumentNotices incoming={incoming} refused={refusalAt('documents')} />
      </Documents>
      <OptionsFold
        options={draft.options}
        isSendingOff={send.fax_disabled}
        check={parts.recipient.check ?? null}
        isByLine={send.by_line}
        onChange={(options) => drafts.change((now) => ({ ...now, options }))}
      >
        <AboutFold
          value={draft.about}
          to={parts.recipient.to}
          onChange={(about) => drafts.change((now) => ({ ...now, about }))}
        />
        <CoverFold
          value={draft.cover}
          cover={parts.cover}
          onChange={(cover) => drafts.change((now) => ({ ...now, cover }))}
        />
      </OptionsFold>
      {refusalAt('more') !== null && (
        <Notice tone="danger" title={t.send.notSent} isLive>
          {refusalAt('more')}
        </Notice>
      )}
      <SendOutcome
        problem={sending.problem}
        draft={draft}
        recipient={parts.recipient}
        isSending={sending.isSending}
        onSendAsNew={parts.tryAsNew}
      />
    </div>
  );
}

function RecipientPart(
  props: NewFaxFieldsProps & { refusal: string | null; choose: RefObject<HTMLButtonElement | null> },
) {
  const { parts, send, refusal } = props;
  const { draft, drafts, sending, recipient } = parts;
  const field = useRef<HTMLInputElement>(null);
  const setTo = (value: string) => {
    if (refusal !== null) sending.forget();
    drafts.change((now) => (now.to === value ? now : { ...now, to: value }));
  };
  const takeNumber = (number: string) => {
    setTo(number);
    field.current?.focus();
  };
  return (
    <div className={styles['part']} {...BEGIN} {...part('to')}>
      <ToField
        value={draft.to}
        onChange={setTo}
        recipient={recipient}
        example={send.number_example}
        refusal={refusal}
        inputRef={field}
      />
      <NumberNote
        recipient={recipient}
        onAllow={(number) => {
          drafts.change((now) => ({ ...now, allowed: number }));
          // The question goes away, and the next one comes.
          requestAnimationFrame(() => focusPart('digits'));
        }}
        onUse={takeNumber}
        options={draft.options}
        isSendingOff={send.fax_disabled}
        onSendNow={(sendNow) => drafts.change((now) => ({ ...now, options: { ...now.options, sendNow } }))}
        onByCall={
          parts.hasProvider
            ? (byCall) => drafts.change((now) => ({ ...now, options: { ...now.options, byCall } }))
            : null
        }
      />
      <GuardPart {...props} onUse={takeNumber} />
      <EncodedNote
        recipient={recipient}
        options={draft.options}
        preview={parts.preview.preview}
        onForm={(pageForm) => drafts.change((now) => ({ ...now, options: { ...now.options, pageForm } }))}
      />
    </div>
  );
}

/** Findings about the number, with the answers kept in the draft. */
function GuardPart(
  props: NewFaxFieldsProps & {
    choose: RefObject<HTMLButtonElement | null>;
    onUse: (number: string) => void;
  },
) {
  const { parts, choose, sendButton, onUse } = props;
  const { draft, drafts, sending, recipient } = parts;
  const { to, check, open, findings, asksForCode } = recipient;
  if (to === null || check === null || (asksForCode && open?.answer === 'digits')) return null;
  const faxOf = (now: Draft) => ({ to, document: documentOf(now) });
  // The note about our own numbers says what happens, with the choice of a call.
  const isSaid = ({ check: found, action }: (typeof findings)[number]) =>
    found === 'own_number' && action === 'warn' && check.internal;
  return (
    <GuardNotes
      findings={findings.filter((finding) => !isSaid(finding))}
      answers={draft}
      fax={faxOf(draft)}
      refused={sending.problem?.part === 'guard' ? (open?.check ?? null) : null}
      onConfirm={() => {
        drafts.change((now) => ({ ...now, confirmed: to }));
        const next = openFinding(findings, { ...draft, confirmed: to }, faxOf(draft));
        // The field that was typed in goes away.
        requestAnimationFrame(() => {
          if (next !== null) focusPart(partOfFinding(next));
          else (draft.files.length === 0 ? choose : sendButton).current?.focus();
        });
      }}
      onAgree={(found, isYes) =>
        drafts.change((now) => ({ ...now, ...withAgreement(now, found, { ...faxOf(now), isYes }) }))
      }
      onUse={onUse}
    />
  );
}
