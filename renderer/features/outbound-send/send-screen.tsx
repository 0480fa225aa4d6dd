import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { contextQuery, useMe } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { chooseFiles } from './documents/documents.tsx';
import { useIncoming } from './documents/incoming.ts';
import { useOfferedFiles } from './documents/offered-files.ts';
import { isEmpty } from './draft/draft.ts';
import { DraftMark } from './draft/draft-mark.tsx';
import { type SendContext, useNewFax } from './new-fax.ts';
import { NewFaxFields } from './new-fax-fields.tsx';
import { PreviewPane } from './preview/preview-pane.tsx';
import { whatHappens } from './readiness.ts';
import { SendFoot } from './send-foot.tsx';
import styles from './send-screen.module.css';

/** A fax is put together on the left; on the right stands what the far machine will print. */
export function SendScreen() {
  const me = useMe();
  const context = useQuery(contextQuery).data;
  if (!me || !context?.send) return null;
  return <NewFax key={me.principal.id} owner={me.principal.id} send={context.send} />;
}

function NewFax({ owner, send }: { owner: string; send: SendContext }) {
  const parts = useNewFax(owner, send);
  const { draft, drafts, previews, preview, sending, reason, trySending, saveState } = parts;
  const sendButton = useRef<HTMLButtonElement>(null);
  const incoming = useIncoming(drafts, send.max_file_size_mb);
  const isOver = useOfferedFiles(incoming.add);
  useActions(t.send.newFax, [
    { id: 'send', label: t.send.send, icon: 'send', keys: 'mod+enter', run: trySending },
    { id: 'choose', label: t.send.choose, icon: 'upload', keys: 'mod+o', run: chooseFiles },
  ]);
  const isSendingOff = send.fax_disabled;
  return (
    <>
      <Pane label={t.send.newFax} width="clamp(320px, 42.2%, 528px)">
        <div className={styles['form']} data-over={isOver || undefined}>
          <PaneHead title={t.send.newFax} level={1}>
            <DraftMark saveState={saveState} />
          </PaneHead>
          <PaneBody isPadded>
            {parts.isLoaded && (
              <NewFaxFields parts={parts} send={send} incoming={incoming} sendButton={sendButton} />
            )}
          </PaneBody>
          <SendFoot
            reason={reason}
            note={whatHappens({ draft, preview, isSendingOff })}
            isSending={sending.isSending}
            uploaded={sending.uploaded}
            isEmpty={isEmpty(draft)}
            canUndo={parts.cleared !== null}
            onSend={trySending}
            onClear={() => {
              sending.forget();
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
        cleanGreys={draft.cleanGreys}
        onCleanGreys={(cleanGreys) => drafts.change((now) => ({ ...now, cleanGreys }))}
      />
    </>
  );
}
