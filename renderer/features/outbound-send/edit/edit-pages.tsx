import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileEdits } from '../../../../shared/page-edits.ts';
import { client } from '../../../api/client.ts';
import { openedAddress } from '../../../api/page-token.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatCount } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { type DraftFile, titleOf } from '../draft/draft.ts';
import type { Preview } from '../preview/preview-run.ts';
import styles from './edit-pages.module.css';
import {
  changesOf,
  type EditableFiles,
  leavePageOut,
  leftOut,
  movePage,
  putPageBack,
  sentPages,
  turnPage,
} from './page-order.ts';

/** Leaves pages out, turns them and puts them in another order. The document itself is not changed. */
export function EditPages({
  files,
  onFiles,
  previewId,
  onClose,
}: EditableFiles & { previewId: string; onClose: () => void }) {
  const words = t.send.edit;
  const [first] = useState(previewId);
  const [before, setBefore] = useState<readonly (readonly DraftFile[])[]>([]);
  const unchanged = useQuery({
    queryKey: ['unchanged-pages', first],
    gcTime: 0,
    queryFn: () =>
      client.outbound.redrawPreview({
        params: { id: first },
        query: { wait: 'false' },
        body: { clean_greys: false, page_edits: null },
      }),
  });
  const change = (id: string, edits: FileEdits | undefined, said: string) => {
    setBefore([...before, files]);
    onFiles((now) => now.map((file) => (file.id === id ? withEdits(file, edits) : file)));
    announce(said);
  };
  const undo = () => {
    const last = before.at(-1);
    if (last === undefined) return;
    setBefore(before.slice(0, -1));
    onFiles((now) => now.map((file) => withEdits(file, last.find(({ id }) => id === file.id)?.edits)));
    announce(words.undone);
  };
  return (
    <Dialog
      title={words.title}
      width="wide"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t.ui.close}</Button>
          <Button isDisabled={before.length === 0} onPress={undo}>
            {words.undo}
          </Button>
        </>
      }
    >
      <p>{words.sentence}</p>
      {unchanged.data && (
        <div className={styles['files']}>
          {files.map((file, i) => (
            <FilePages key={file.id} {...{ file, change }} index={i} preview={unchanged.data} />
          ))}
        </div>
      )}
      <LoadProblem of={unchanged} />
    </Dialog>
  );
}

const withEdits = (file: DraftFile, edits: FileEdits | undefined): DraftFile => ({ ...file, edits });

interface FilePagesProps {
  readonly file: DraftFile;
  readonly index: number;
  readonly preview: Preview;
  readonly change: (id: string, edits: FileEdits | undefined, said: string) => void;
}

function FilePages({ file, index, preview, change }: FilePagesProps) {
  const words = t.send.edit;
  const pages = preview.documents[index]?.pages ?? 0;
  const offset = preview.documents.slice(0, index).reduce((sum, document) => sum + document.pages, 0);
  const sent = sentPages(file.edits, pages);
  const set = (next: FileEdits, said: string) => change(file.id, changesOf(next, pages), said);
  const picture = (page: number, turn: number) => (
    <span className={styles['picture']}>
      <img
        src={openedAddress(`/fax/preview/${encodeURIComponent(preview.preview_id)}/${offset + page}.png`)}
        alt=""
        loading="lazy"
        style={{ transform: `rotate(${turn}deg)` }}
      />
    </span>
  );
  return (
    <section>
      <h3>{titleOf(file)}</h3>
      <ol className={styles['pages']}>
        {sent.map(({ page, turn }, place) => {
          const name = words.page(formatCount(page));
          return (
            <li key={page} className={styles['page']}>
              {picture(page, turn)}
              <span className={styles['name']}>{turn === 0 ? name : words.turned(name, turn)}</span>
              <Button
                aria-label={words.turnOf(name)}
                onPress={() => set(turnPage(sent, page), words.didTurn(name))}
              >
                {words.turn}
              </Button>
              <Button
                aria-label={words.upOf(name)}
                isDisabled={place === 0}
                onPress={() => set(movePage(sent, page, -1), words.didMove(name, formatCount(place)))}
              >
                {words.up}
              </Button>
              <Button
                aria-label={words.downOf(name)}
                isDisabled={place === sent.length - 1}
                onPress={() => set(movePage(sent, page, 1), words.didMove(name, formatCount(place + 2)))}
              >
                {words.down}
              </Button>
              <Button
                aria-label={words.leaveOutOf(name)}
                isDisabled={sent.length === 1}
                onPress={() => set(leavePageOut(sent, page), words.didLeaveOut(name))}
              >
                {words.leaveOut}
              </Button>
            </li>
          );
        })}
        {leftOut(file.edits, pages).map((page) => {
          const name = words.page(formatCount(page));
          return (
            <li key={page} className={`${styles['page']} ${styles['out']}`}>
              {picture(page, 0)}
              <span className={styles['name']}>{words.isOut(name)}</span>
              <Button
                aria-label={words.putBackOf(name)}
                onPress={() => set(putPageBack(sent, page), words.didPutBack(name))}
              >
                {words.putBack}
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
