import { useRef } from 'react';
import type { EditedPage, FileEdits } from '../../../shared/page-edits.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { formatCount } from '../../ui/format.ts';
import { type DraftFile, titleOf } from '../draft-files.ts';
import styles from './edit-pages.module.css';
import { itemsOf } from './page-marks.ts';
import {
  asItIs,
  changesOf,
  leavePageOut,
  leftOut,
  movePage,
  putPageBack,
  sentPages,
  turnPage,
} from './page-order.ts';
import { A4_ASPECT, DrawnItems, PagePicture, type UnchangedPages } from './page-picture.tsx';

interface FilePagesProps {
  readonly file: DraftFile;
  /** Its pages without changes. */
  readonly pages: number;
  /** Pages of the files before it. */
  readonly offset: number;
  readonly unchanged: UnchangedPages;
  readonly change: (id: string, edits: FileEdits | undefined, said: string) => void;
  readonly onOpen: (page: number) => void;
  readonly chosen: ReadonlySet<number> | undefined;
  readonly onChoose: (page: number) => void;
  /** Page that was open just before, where the focus goes on; null for none. */
  readonly left: number | null;
}

/** Lists the pages of a file in the order in which they are sent, then those that are left out. */
export function FilePages({ file, pages, offset, unchanged, change, onOpen, left, ...rest }: FilePagesProps) {
  const words = t.send.edit;
  const sent = sentPages(file.edits, pages);
  const set = (next: FileEdits, said: string) => change(file.id, changesOf(next, pages), said);
  // Width divided by height of the pages that were drawn.
  const aspects = useRef(new Map<number, number>());
  const turn = (page: number) => turnPage(sent, page, aspects.current.get(page) ?? A4_ASPECT);
  const picture = (page: EditedPage) => (
    <span className={styles['picture']}>
      <span className={styles['thumb']}>
        <PagePicture
          unchanged={unchanged}
          number={offset + page.page}
          turn={page.turn}
          width={200}
          onAspect={(aspect) => aspects.current.set(page.page, aspect)}
        >
          <DrawnItems page={page} />
        </PagePicture>
      </span>
    </span>
  );
  return (
    <section>
      <h3>{titleOf(file)}</h3>
      <ol className={styles['pages']}>
        {sent.map((page, place) => (
          <li key={page.page} className={styles['page']}>
            <Checkbox
              aria-label={words.choose(formatCount(page.page))}
              isSelected={rest.chosen?.has(page.page) ?? false}
              onChange={() => rest.onChoose(page.page)}
            />
            {picture(page)}
            <SentPage {...{ page, place, sent, set, turn, onOpen }} isLeft={left === page.page} />
          </li>
        ))}
        {leftOut(file.edits, pages).map((page) => {
          const number = formatCount(page);
          return (
            <li key={page} className={`${styles['page']} ${styles['out']}`}>
              {picture(asItIs(page))}
              <span className={styles['name']}>{words.isOut(words.page(number))}</span>
              <Button
                aria-label={words.putBackOf(number)}
                onPress={() => set(putPageBack(sent, page), words.didPutBack(number))}
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

interface SentPageProps {
  readonly page: EditedPage;
  readonly place: number;
  readonly sent: FileEdits;
  readonly set: (next: FileEdits, said: string) => void;
  readonly turn: (page: number) => FileEdits;
  readonly onOpen: (page: number) => void;
  readonly isLeft: boolean;
}

/** Name and buttons of a page that is sent. */
function SentPage({ page: edited, place, sent, set, turn, onOpen, isLeft }: SentPageProps) {
  const words = t.send.edit;
  const { page } = edited;
  const number = formatCount(page);
  return (
    <>
      <span className={styles['name']}>{nameOf(edited)}</span>
      <Button autoFocus={isLeft} aria-label={words.changeOf(number)} onPress={() => onOpen(page)}>
        {words.change}
      </Button>
      <Button aria-label={words.turnOf(number)} onPress={() => set(turn(page), words.didTurn(number))}>
        {words.turn}
      </Button>
      <Button
        aria-label={words.upOf(number)}
        isDisabled={place === 0}
        onPress={() => set(movePage(sent, page, -1), words.didMove(number, formatCount(place)))}
      >
        {words.up}
      </Button>
      <Button
        aria-label={words.downOf(number)}
        isDisabled={place === sent.length - 1}
        onPress={() => set(movePage(sent, page, 1), words.didMove(number, formatCount(place + 2)))}
      >
        {words.down}
      </Button>
      <Button
        aria-label={words.leaveOutOf(number)}
        isDisabled={sent.length === 1}
        onPress={() => set(leavePageOut(sent, page), words.didLeaveOut(number))}
      >
        {words.leaveOut}
      </Button>
    </>
  );
}

function nameOf(edited: EditedPage): string {
  const words = t.send.edit;
  const page = words.page(formatCount(edited.page));
  const name = edited.turn === 0 ? page : words.turned(page, edited.turn);
  const count = itemsOf(edited).length;
  return count === 0 ? name : words.changed(name, formatCount(count), count === 1);
}
