import { lazy, Suspense, useRef } from 'react';
import { CHOOSABLE_FILES } from '../../../../shared/document-types.ts';
import { loadPart } from '../../../api/load-part.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { part } from '../../../ui/focus/places.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Keys } from '../../../ui/keys.tsx';
import type { DocumentsProps } from './document-list.tsx';
import styles from './documents.module.css';

/** Ordering by drag is large and needed only once there is something to order. */
const loadList = () => loadPart(() => import('./document-list.tsx'));
const DocumentList = lazy(async () => ({ default: (await loadList()).DocumentList }));

/** Loads in advance what the form needs later, so that a gateway that goes away meanwhile does not matter. */
export function loadDocumentList(): void {
  loadList().catch(() => undefined);
}

/** List of the files of the fax: their order, titles and details. */
export function Documents(props: DocumentsProps) {
  const { files, preview, onAdd, chooseRef, scan, children } = props;
  const input = useRef<HTMLInputElement>(null);
  const pages = preview.preview?.pages ?? null;
  return (
    <section className={styles['documents']} aria-label={t.send.documents}>
      <div className={styles['head']}>
        <h2 className={styles['label']}>{t.send.documents}</h2>
        {files.length > 0 && (
          <span className={styles['count']}>{t.send.documentCount(files.length, pages)}</span>
        )}
      </div>
      <div className={styles['box']} {...part('documents')}>
        <Suspense>{files.length > 0 && <DocumentList {...props} />}</Suspense>
        <div className={styles['drop']}>
          <Icon name="upload" />
          <span className={styles['dropWords']}>
            {t.send.drop}
            <span className={styles['kinds']}>{t.send.kinds}</span>
          </span>
          <Button ref={chooseRef} variant="link" onPress={() => input.current?.click()}>
            {t.send.choose}
          </Button>
          <span className={styles['keys']}>
            <Keys of="mod+o" />
          </span>
          <span className={styles['scan']}>{scan}</span>
        </div>
      </div>
      {children}
      <input
        ref={input}
        id="send-files"
        type="file"
        multiple
        hidden
        accept={CHOOSABLE_FILES.join()}
        onChange={({ currentTarget }) => {
          onAdd([...(currentTarget.files ?? [])]);
          // The same file may be chosen again after it was removed.
          currentTarget.value = '';
        }}
      />
    </section>
  );
}

/** Opens the file chooser of the page, wherever the focus is. */
export function chooseFiles(): void {
  document.getElementById('send-files')?.click();
}
