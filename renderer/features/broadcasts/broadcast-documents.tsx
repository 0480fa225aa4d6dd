import { useEffect } from 'react';
import { useMe } from '../../api/queries.ts';
import { randomId } from '../../api/random-id.ts';
import { type DraftFile, titleOf } from '../../parts/draft-files.ts';
import { EditPagesButton } from '../../parts/edit-pages/edit-pages-button.tsx';
import type { EditableFiles } from '../../parts/edit-pages/page-order.ts';
import { failureOf, type PreviewState, usePreview } from '../../parts/previews/preview-store.ts';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { ENDS } from '../../ui/focus/places.ts';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './broadcasts.module.css';

const words = t.broadcasts.form;
const DRAWING = { cleanGreys: false, to: null, byCall: false, headerName: null } as const;

/** Returns the preview of the files as every recipient gets them; it ends with the form. */
export function useBroadcastPreview(files: readonly DraftFile[]) {
  const owner = useMe()?.principal.id ?? '';
  const { store, ...state } = usePreview(`${owner} broadcast`);
  useEffect(() => store.setInput(files, DRAWING), [store, files]);
  // Without files the gateway drops the preview.
  useEffect(() => () => store.setInput([], DRAWING), [store]);
  return { state, retry: () => store.retry() };
}

/** The files of the fax, with their pages and what is wrong with them; their pages can be changed. */
export function BroadcastDocuments(props: {
  files: readonly DraftFile[];
  preview: ReturnType<typeof useBroadcastPreview>;
  onFiles: EditableFiles['onFiles'];
}) {
  const { files, onFiles } = props;
  const { state, retry } = props.preview;
  const { preview, phase } = state;
  const add = (added: readonly File[]) =>
    onFiles((now) => [
      ...now,
      ...added.map((content) => ({ id: randomId(), name: content.name, title: '', content })),
    ]);
  return (
    <section aria-label={words.documents} className={styles['form']}>
      <h3>{words.documents}</h3>
      {files.length > 0 && (
        <ul className={styles['documents']}>
          {files.map((file) => (
            <DocumentRow
              key={file.id}
              {...{ file, state }}
              onRemove={() => onFiles((now) => now.filter(({ id }) => id !== file.id))}
            />
          ))}
        </ul>
      )}
      {phase === 'failed' && (
        <Notice
          tone="danger"
          title={t.send.printFailed}
          isLive
          action={<Button onPress={retry}>{t.send.tryAgain}</Button>}
        >
          {failureOf(state)}
        </Notice>
      )}
      <div className={styles['buttons']}>
        <FileButton icon="plus" fieldLabel={words.addDocuments} isMultiple onFiles={add}>
          {words.addDocuments}
        </FileButton>
        {preview && (
          <EditPagesButton
            files={files.filter(({ id }) => !state.refused.has(id))}
            onFiles={onFiles}
            onSeparate={null}
            preview={preview}
            isDisabled={!preview.complete}
          />
        )}
      </div>
    </section>
  );
}

/** One file: its name, how many of its pages are sent, and why it cannot be faxed. */
function DocumentRow(props: { file: DraftFile; state: PreviewState; onRemove: () => void }) {
  const { file, state, onRemove } = props;
  const refusal = state.refused.get(file.id) ?? null;
  const at = state.files.indexOf(file.id);
  const pages = state.preview?.documents[at]?.pages;
  return (
    <li className={styles['document']}>
      <span className={styles['name']}>{titleOf(file)}</span>
      {refusal === null && pages !== undefined && (
        <span className={styles['quiet']}>{t.send.pages(formatCount(pages), pages === 1)}</span>
      )}
      <Button {...ENDS} variant="plain" onPress={onRemove}>
        {words.remove(file.name)}
      </Button>
      {refusal !== null && (
        <p className={styles['refusal']} role="alert">
          {refusal}
        </p>
      )}
    </li>
  );
}
