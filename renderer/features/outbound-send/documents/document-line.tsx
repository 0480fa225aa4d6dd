import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { GridListItem } from 'react-aria-components/GridList';
import { isPictureName } from '../../../../shared/document-types.ts';
import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import type { DocumentRow } from './document-rows.ts';
import styles from './documents.module.css';

const LARGE_BYTES = 1_000_000;
const percent = new Intl.NumberFormat(navigator.language, { style: 'percent' });

interface DocumentLineProps {
  readonly row: DocumentRow;
  readonly onEdit: () => void;
  /** The new title; null leaves it. */
  readonly onTitle: (title: string | null) => void;
  readonly onRemove: () => void;
}

/** One document: grip, title, file, pages, and what is wrong with it. */
export function DocumentLine({ row, onEdit, onTitle, onRemove }: DocumentLineProps) {
  const { file, title, refusal, isEdited } = row;
  const facts = t.send.fileFacts(file.name, formatBytes(file.content.size));
  return (
    <GridListItem id={row.id} textValue={title} className={styles['row']}>
      <AriaButton slot="drag" className={styles['grip']} aria-label={t.send.grip(title)}>
        <Icon name="grip" />
      </AriaButton>
      <Icon name={isPictureName(file.name) ? 'image' : 'file'} />
      <div className={styles['words']}>
        {isEdited ? (
          <TitleField row={row} onTitle={onTitle} />
        ) : (
          <AriaButton className={styles['title']} aria-label={t.send.rename(title)} onPress={onEdit}>
            <span title={t.send.renameHint}>{title}</span>
          </AriaButton>
        )}
        <div className={styles['facts']}>
          <span className={styles['cut']} title={facts}>
            {facts}
          </span>
          <RowProgress row={row} />
        </div>
      </div>
      <Pages row={row} />
      <IconButton isSmall icon="close" label={t.send.remove(title)} onPress={onRemove} />
      {refusal !== null && <p className={styles['refusal']}>{refusal}</p>}
    </GridListItem>
  );
}

function TitleField({ row, onTitle }: Pick<DocumentLineProps, 'row' | 'onTitle'>) {
  const [text, setText] = useState(row.title);
  const [isLeft, setLeft] = useState(false);
  const leave = (title: string | null) => {
    if (isLeft) return;
    setLeft(true);
    onTitle(title);
  };
  return (
    <TextField
      label={t.send.rename(row.file.name)}
      isLabelHidden
      autoFocus
      value={text}
      onChange={setText}
      onFocus={({ target }) => target.select()}
      onBlur={() => leave(text === row.title ? null : text)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave(text === row.title ? null : text);
        else if (event.key === 'Escape') leave(null);
        else event.continuePropagation();
      }}
    />
  );
}

/** Moves only by bytes that are sent and pages that are drawn. */
function RowProgress({ row: { title, file, uploaded, pages, read } }: { row: DocumentRow }) {
  if (uploaded !== null)
    return file.content.size >= LARGE_BYTES ? (
      <span className={styles['progress']}>
        <Progress label={t.send.uploadProgress} part={uploaded} />
      </span>
    ) : null;
  if (pages === null || pages < 2 || read === pages) return null;
  return (
    <span className={styles['progress']}>
      <Progress label={t.send.readProgress(title)} part={read / pages} />
    </span>
  );
}

function Pages({ row: { refusal, uploaded, pages, read } }: { row: DocumentRow }) {
  if (refusal !== null)
    return (
      <StateWord tone="danger" icon="alert">
        {t.send.cannotBeFaxed}
      </StateWord>
    );
  if (uploaded !== null && uploaded < 1)
    return <span className={styles['going']}>{t.send.uploading(percent.format(uploaded))}</span>;
  if (uploaded !== null) return <span className={styles['going']}>{t.send.reading}</span>;
  if (pages === null) return <span />;
  if (read < pages && pages > 1)
    return <span className={styles['going']}>{t.send.pagesRead(formatCount(read), formatCount(pages))}</span>;
  return <span className={styles['pages']}>{t.send.pageCount(formatCount(pages), pages === 1)}</span>;
}
