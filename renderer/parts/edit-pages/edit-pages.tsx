import { useState } from 'react';
import type { FileEdits } from '../../../shared/page-edits.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { type DraftFile, titleOf } from '../draft-files.ts';
import type { Preview } from '../previews/preview-run.ts';
import { ChosenPagesBar } from './chosen-pages.tsx';
import styles from './edit-pages.module.css';
import { FilePages } from './file-pages.tsx';
import { PageEditor } from './page-editor.tsx';
import { changePage } from './page-marks.ts';
import { areSameEdits, changesOf, type EditableFiles, pageEditsOf, sentPages } from './page-order.ts';
import { type ChosenPages, toggled } from './split-files.ts';

/** A page of a file by the id of the file. */
interface PlacedPage {
  readonly fileId: string;
  readonly page: number;
}

/** Leaves pages out, turns them, puts them in another order, and opens one to draw on it. The files are not changed. */
export function EditPages({
  files,
  onFiles,
  onSeparate,
  preview,
  onClose,
}: EditableFiles & { preview: Preview; onClose: () => void }) {
  const words = t.send.edit;
  const [previewId, setPreviewId] = useState(preview.preview_id);
  const [open, setOpen] = useState<PlacedPage | null>(null);
  const [left, setLeft] = useState<PlacedPage | null>(null);
  const [chosen, setChosen] = useState<ChosenPages>(new Map());
  const { change, undo, canUndo, forget } = useChanges({ files, onFiles });
  const unchanged = { previewId, onLost: () => setPreviewId(preview.preview_id) };
  const counts = files.map((_, i) => preview.documents[i]?.file_pages ?? 0);
  const leave = () => {
    setLeft(open);
    setOpen(null);
  };
  const placed = open && findPage({ files, counts }, open);
  return (
    <Dialog
      title={placed ? words.pageTitle(formatCount(placed.edited.page), titleOf(placed.file)) : words.title}
      width="page"
      helpPage="changing-pages#on-the-screen"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button isDisabled={!canUndo} onPress={undo}>
            {words.undo}
          </Button>
          {placed && <Button onPress={leave}>{words.back}</Button>}
          <Button onPress={onClose}>{t.ui.close}</Button>
        </>
      }
    >
      {placed ? (
        <PageEditor
          key={`${placed.file.id}-${placed.edited.page}`}
          page={placed.edited}
          number={placed.number}
          unchanged={unchanged}
          result={resultOf({ files, counts }, { preview, placed })}
          onChange={(page, said) => {
            const next = changePage(placed.sent, page.page, () => page);
            change(placed.file.id, changesOf(next, placed.pages), said);
          }}
        />
      ) : (
        <div className={styles['files']}>
          <p>{words.sentence}</p>
          <ChosenPagesBar
            {...{ files, onFiles, onSeparate, counts, chosen }}
            onDone={(hasNewFiles) => {
              setChosen(new Map());
              forget();
              if (hasNewFiles) onClose();
            }}
          />
          {files.map((file, i) => (
            <FilePages
              key={file.id}
              {...{ file, change, unchanged }}
              pages={counts[i] ?? 0}
              offset={sumOf(counts.slice(0, i))}
              left={left?.fileId === file.id ? left.page : null}
              chosen={chosen.get(file.id)}
              onChoose={(page) => setChosen((now) => toggled(now, file.id, page))}
              onOpen={(page) => setOpen({ fileId: file.id, page })}
            />
          ))}
        </div>
      )}
    </Dialog>
  );
}

/** Changes the pages of a file, and takes changes back one after the other. */
function useChanges({ files, onFiles }: Pick<EditableFiles, 'files' | 'onFiles'>) {
  const [before, setBefore] = useState<readonly (readonly DraftFile[])[]>([]);
  return {
    canUndo: before.length > 0,
    forget: () => setBefore([]),
    change: (id: string, edits: FileEdits | undefined, said: string) => {
      setBefore([...before, files]);
      onFiles((now) => now.map((file) => (file.id === id ? withEdits(file, edits) : file)));
      announce(said);
    },
    undo: () => {
      const last = before.at(-1);
      if (last === undefined) return;
      setBefore(before.slice(0, -1));
      onFiles((now) => now.map((file) => withEdits(file, last.find(({ id }) => id === file.id)?.edits)));
      announce(t.send.edit.undone);
    },
  };
}

function withEdits({ edits: _before, ...file }: DraftFile, edits: FileEdits | undefined): DraftFile {
  return edits === undefined ? file : { ...file, edits };
}

interface CountedFiles {
  readonly files: readonly DraftFile[];
  /** Pages of each file without changes. */
  readonly counts: readonly number[];
}

/** Returns the page with its place among the pages that are sent; null for one that is not sent. */
function findPage({ files, counts }: CountedFiles, { fileId, page }: PlacedPage) {
  const index = files.findIndex(({ id }) => id === fileId);
  const file = files[index];
  if (!file) return null;
  const pages = counts[index] ?? 0;
  const sent = sentPages(file.edits, pages);
  const place = sent.findIndex((one) => one.page === page);
  const edited = sent[place];
  if (!edited) return null;
  return { file, index, pages, sent, place, edited, number: sumOf(counts.slice(0, index)) + page };
}

/** Returns the page in the preview of the present changes; null while the preview has others. */
function resultOf(
  { files, counts }: CountedFiles,
  { preview, placed }: { preview: Preview; placed: { index: number; place: number } },
) {
  if (!areSameEdits(preview.page_edits, pageEditsOf(files))) return null;
  const before = files.slice(0, placed.index).map(({ edits }, i) => sentPages(edits, counts[i] ?? 0).length);
  return { preview, number: sumOf(before) + placed.place + 1 };
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
