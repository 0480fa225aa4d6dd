import { type FocusEvent, type KeyboardEvent, type ReactNode, type Ref, useMemo, useState } from 'react';
import { GridList } from 'react-aria-components/GridList';
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { type DraftFile, titleOf } from '../../../parts/draft-files.ts';
import type { PreviewState } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { moveFile, shortTitle } from '../draft/draft.ts';
import { DocumentLine } from './document-line.tsx';
import { rowsOf } from './document-rows.ts';
import styles from './documents.module.css';

export interface DocumentsProps {
  readonly files: readonly DraftFile[];
  readonly preview: PreviewState;
  readonly onFiles: (files: readonly DraftFile[]) => void;
  readonly onAdd: (files: readonly File[]) => void;
  readonly chooseRef: Ref<HTMLButtonElement>;
  /** Another source of pages, beside the choice of a file. */
  readonly scan?: ReactNode;
  /** Notices about all documents together. */
  readonly children?: ReactNode;
}

/** The documents in their order: arrows choose one, F2 titles it, Delete removes it, Alt with an arrow moves it, as the grip does. */
export function DocumentList({ files, preview, onFiles }: DocumentsProps) {
  const [edited, setEdited] = useState<string | null>(null);
  const rows = useMemo(() => rowsOf(files, preview, edited), [files, preview, edited]);
  const { dragAndDropHooks } = useOrder(files, onFiles);
  const finish = (file: DraftFile, title: string | null) => {
    setEdited(null);
    if (title === null) return;
    const named = { ...file, title: shortTitle(title) };
    onFiles(files.map((it) => (it.id === file.id ? named : it)));
  };
  const remove = (file: DraftFile) => {
    onFiles(files.filter(({ id }) => id !== file.id));
    announce(t.send.removed(titleOf(file)));
  };
  const shift = (file: DraftFile, steps: number) => {
    const ordered = moveFile(files, file.id, steps);
    onFiles(ordered);
    announce(t.send.moved(titleOf(file), ordered.indexOf(file) + 1, files.length));
  };
  const keys = useRowKeys(files, { rename: ({ id }) => setEdited(id), remove, shift });
  return (
    <div {...keys}>
      <GridList
        className={styles['list']}
        aria-label={t.send.documents}
        items={rows}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        disallowTypeAhead
      >
        {(row) => (
          <DocumentLine
            row={row}
            onEdit={() => setEdited(row.id)}
            onTitle={(title) => finish(row.file, title)}
            onRemove={() => remove(row.file)}
          />
        )}
      </GridList>
    </div>
  );
}

interface RowActions {
  readonly rename: (file: DraftFile) => void;
  readonly remove: (file: DraftFile) => void;
  readonly shift: (file: DraftFile, steps: number) => void;
}

/** The keys of the chosen document, which are listed under `?` as well. For what is around the rows. */
function useRowKeys(files: readonly DraftFile[], { rename, remove, shift }: RowActions) {
  const [chosen, setChosen] = useState<string | null>(null);
  const file = files.find(({ id }) => id === chosen);
  const words = t.send.keys;
  const of = (act: (it: DraftFile) => void) => ({
    isDisabled: file === undefined,
    run: () => file && act(file),
  });
  useActions(t.send.documents, [
    { id: 'rename-document', label: words.rename, keys: 'f2', ...of(rename) },
    { id: 'remove-document', label: words.remove, keys: 'delete', ...of(remove) },
    { id: 'document-up', label: words.up, keys: 'alt+arrowup', ...of((it) => shift(it, -1)) },
    { id: 'document-down', label: words.down, keys: 'alt+arrowdown', ...of((it) => shift(it, 1)) },
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = files.find(({ id }) => id === rowOf(event.target));
    if (!row || event.target instanceof HTMLInputElement) return;
    if (event.key === 'F2') rename(row);
    else if (event.key === 'Delete') remove(row);
    else if (event.altKey && event.key === 'ArrowUp') shift(row, -1);
    else if (event.altKey && event.key === 'ArrowDown') shift(row, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    onKeyDownCapture: onKeyDown,
    onFocus: ({ target }: FocusEvent) => setChosen(rowOf(target)),
    onBlur: () => setChosen(null),
  };
}

/** The id of the document in whose row something is. */
function rowOf(target: EventTarget): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role="row"]') : null;
  return row?.dataset['key'] ?? null;
}

/** Ordering by drag, and by keyboard from the grip. */
function useOrder(files: readonly DraftFile[], onFiles: DocumentsProps['onFiles']) {
  return useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    renderDropIndicator: (target) => <DropIndicator target={target} className={styles['indicator']} />,
    onReorder({ keys, target }) {
      const moved = files.filter(({ id }) => keys.has(id));
      const rest = files.filter(({ id }) => !keys.has(id));
      const index = rest.findIndex(({ id }) => id === target.key);
      if (index === -1) return;
      const ordered = rest.toSpliced(target.dropPosition === 'after' ? index + 1 : index, 0, ...moved);
      onFiles(ordered);
      const [first] = moved;
      if (first) announce(t.send.moved(titleOf(first), ordered.indexOf(first) + 1, ordered.length));
    },
  });
}
