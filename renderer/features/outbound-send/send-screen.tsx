import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { contextQuery, useMe } from '../../api/queries.ts';
import type { EditableFiles } from '../../parts/edit-pages/page-order.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { NEW_BROADCAST } from '../../parts/new-broadcast-place.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Waits } from '../../ui/focus/waits.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { chooseFiles } from './documents/documents.tsx';
import { useIncoming } from './documents/incoming.ts';
import { useOfferedFiles } from './documents/offered-files.ts';
import { isEmpty, newDraft } from './draft/draft.ts';
import { DraftMark } from './draft/draft-mark.tsx';
import { DraftsButton } from './draft/drafts-button.tsx';
import { useGivenFax } from './given-fax.ts';
import { type NewFaxParts, type SendContext, useNewFax } from './new-fax.ts';
import { NewFaxFields } from './new-fax-fields.tsx';
import { useEncodedCall } from './number/use-encoded-call.ts';
import { PreviewPane } from './preview/preview-pane.tsx';
import { PrintedNote } from './printed/printed-note.tsx';
import { buttonNote } from './readiness.ts';
import { AnswerNote } from './resend/answer-note.tsx';
import { ResendNote } from './resend/resend-note.tsx';
import { SendFoot } from './send-foot.tsx';
import styles from './send-screen.module.css';

/** A fax is put together on the left; on the right stands what the far machine will print. */
export function SendScreen() {
  const me = useMe();
  useScreenTitle(t.send.newFax);
  const context = useQuery(contextQuery);
  if (!context.data) return <LoadProblem of={context} title={t.send.newFax} />;
  if (!me || !context.data.send) return null;
  return <NewFax key={me.principal.id} owner={me.principal.id} send={context.data.send} />;
}

function useSendActions(trySending: () => void): void {
  useActions(t.send.newFax, [
    { id: 'send', label: t.send.send, icon: 'send', keys: 'mod+enter', run: trySending },
    { id: 'choose', label: t.send.choose, icon: 'upload', keys: 'mod+o', run: chooseFiles },
  ]);
}

/** Offered until a fax is begun. */
function SeveralButton() {
  const navigate = useNavigate();
  return (
    <Button variant="plain" icon="group" onPress={() => void navigate(NEW_BROADCAST)}>
      {t.shell.sendToSeveral}
    </Button>
  );
}

/** Refused files are not in the preview. */
function editableFilesOf({ draft, drafts, preview }: NewFaxParts): EditableFiles {
  return {
    files: draft.files.filter(({ id }) => !preview.refused.has(id)),
    onFiles: (change) => drafts.change((now) => ({ ...now, files: change(now.files) })),
    onSeparate: (files, name) => drafts.putAside({ ...newDraft(), files }, name),
  };
}

/** Notes above the form: the origin of the draft, and the printed documents that wait. */
function DraftNotes({
  parts: { draft, drafts, recipient },
  problem,
}: {
  parts: NewFaxParts;
  problem: ReturnType<typeof useGivenFax>['problem'];
}) {
  return (
    <>
      <ResendNote draft={draft} number={recipient.number} problem={problem} />
      <PrintedNote draft={draft} drafts={drafts} />
      <AnswerNote draft={draft} drafts={drafts} number={recipient.number} />
    </>
  );
}

function NewFax({ owner, send }: { owner: string; send: SendContext }) {
  const parts = useNewFax(owner, send);
  const { draft, drafts, previews, preview, sending, reason, trySending, saveState } = parts;
  const sendButton = useRef<HTMLButtonElement>(null);
  const incoming = useIncoming(drafts, send.max_file_size_mb);
  const isOver = useOfferedFiles(incoming.add);
  const given = useGivenFax(drafts, send.mailboxes);
  const isLoaded = parts.isLoaded && !given.isTaking;
  const onSend = () => {
    if (isLoaded) trySending();
  };
  useSendActions(onSend);
  const encodedCall = useEncodedCall({ ...parts, options: draft.options, preview: preview.preview });
  const isSendingOff = send.fax_disabled;
  const forget = () => {
    sending.forget();
    incoming.forget();
    given.forget();
  };
  return (
    <>
      <Pane label={t.send.newFax} width="clamp(320px, 42.2%, 528px)">
        <div className={styles['form']} data-over={isOver || undefined}>
          <PaneHead title={t.send.newFax} level={1}>
            <DraftMark saveState={saveState} />
            {isEmpty(draft) && <SeveralButton />}
            <DraftsButton
              drafts={drafts}
              draft={draft}
              isDisabled={sending.isSending || !isLoaded}
              onSwitched={forget}
            />
          </PaneHead>
          <PaneBody isPadded>
            {!isLoaded && <Waits />}
            {isLoaded && (
              <NewFaxFields
                {...{ parts, send, incoming, sendButton }}
                note={<DraftNotes parts={parts} problem={given.problem} />}
              />
            )}
          </PaneBody>
          <SendFoot
            reason={reason}
            note={buttonNote({ draft, preview, isSendingOff })}
            isSending={sending.isSending}
            uploaded={sending.uploaded}
            isEmpty={isEmpty(draft)}
            canUndo={parts.cleared !== null}
            onSend={onSend}
            onClear={() => {
              forget();
              drafts.clear();
              announce(t.send.cleared);
            }}
            onUndo={() => drafts.undo()}
            sendRef={sendButton}
          />
          {isOver && <p className={styles['over']}>{t.send.dropNow}</p>}
        </div>
      </Pane>
      <PreviewPane
        state={preview}
        previews={previews}
        {...editableFilesOf(parts)}
        cleanGreys={draft.cleanGreys}
        isCallFree={parts.isCallFree}
        encodedCall={encodedCall}
        cover={parts.cover}
        sendAt={draft.options.sendAt}
        onCleanGreys={(cleanGreys) => drafts.change((now) => ({ ...now, cleanGreys }))}
      />
    </>
  );
}
