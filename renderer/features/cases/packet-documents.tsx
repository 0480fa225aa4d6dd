import { type DragEvent, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { randomId } from '../../api/random-id.ts';
import { startHandlingDrops, stopHandlingDrops } from '../../parts/dropped-files.ts';
import { t } from '../../texts/cases.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './cases.module.css';

const words = t.cases.form;

export interface PacketFile {
  readonly id: string;
  readonly title: string;
  readonly file: File;
}

/** List of the documents of a packet, each with its title: people add them by button or drop, and order them by arrows or drag. */
export function PacketDocuments(props: {
  files: readonly PacketFile[];
  onChange: (files: readonly PacketFile[]) => void;
}) {
  const { files, onChange } = props;
  const dragged = useRef<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const add = (added: readonly File[]) => {
    const { accepted, refusal } = checkFiles(files.length, added);
    setProblem(refusal);
    if (accepted.length > 0) onChange([...files, ...accepted.map(packetFile)]);
  };
  const move = (from: number, to: number) => {
    const moved = files[from];
    if (!moved || to < 0 || to >= files.length) return;
    const rest = files.filter((_, i) => i !== from);
    onChange([...rest.slice(0, to), moved, ...rest.slice(to)]);
  };
  useEffect(() => {
    startHandlingDrops();
    return stopHandlingDrops;
  }, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) add([...event.dataTransfer.files]);
  };
  return (
    <section
      className={styles['drop']}
      aria-label={words.documents}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <h3>{words.documents}</h3>
      <p className={styles['quiet']}>{words.drop}</p>
      <ol className={styles['documents']}>
        {files.map((document, i) => (
          <DocumentRow
            key={document.id}
            title={document.title}
            index={i}
            count={files.length}
            onTitle={(title) => onChange(files.map((file, at) => (at === i ? { ...file, title } : file)))}
            onMove={(to) => move(i, to)}
            onDragStart={() => {
              dragged.current = i;
            }}
            onDropped={() => {
              if (dragged.current !== null) move(dragged.current, i);
              dragged.current = null;
            }}
            onRemove={() => onChange(files.filter(({ id }) => id !== document.id))}
          />
        ))}
      </ol>
      {problem !== null && (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
      <div className={styles['buttons']}>
        <FileButton icon="plus" fieldLabel={words.add} accept="application/pdf,.pdf" isMultiple onFiles={add}>
          {words.add}
        </FileButton>
      </div>
    </section>
  );
}

/** One document: its title, and buttons that move or remove it. */
function DocumentRow(props: {
  title: string;
  index: number;
  count: number;
  onTitle: (title: string) => void;
  onMove: (to: number) => void;
  onDragStart: () => void;
  onDropped: () => void;
  onRemove: () => void;
}) {
  const { title, index, count, onTitle, onMove, onDragStart, onDropped, onRemove } = props;
  return (
    <li className={styles['document']} draggable onDragStart={onDragStart} onDrop={onDropped}>
      <TextField
        label={words.documentTitle(formatCount(index + 1))}
        value={title}
        maxLength={LIMITS.titleLength}
        onChange={onTitle}
      />
      <IconButton
        icon="up"
        label={words.up(title)}
        isDisabled={index === 0}
        onPress={() => onMove(index - 1)}
      />
      <IconButton
        icon="lower"
        label={words.down(title)}
        isDisabled={index === count - 1}
        onPress={() => onMove(index + 1)}
      />
      <IconButton icon="close" label={words.remove(title)} onPress={onRemove} />
    </li>
  );
}

const isPdf = ({ name, type }: File) => type === 'application/pdf' || /\.pdf$/iu.test(name);

/** Returns the PDFs that fit into the packet, and a sentence for the person about files that were left out, or null. */
function checkFiles(
  count: number,
  added: readonly File[],
): { accepted: readonly File[]; refusal: string | null } {
  const other = added.find((file) => !isPdf(file));
  const pdfs = added.filter(isPdf);
  const accepted = pdfs.slice(0, LIMITS.caseDocuments - count);
  if (accepted.length < pdfs.length)
    return { accepted, refusal: words.tooMany(formatCount(LIMITS.caseDocuments)) };
  return { accepted, refusal: other ? words.onlyPdf(other.name) : null };
}

const packetFile = (file: File): PacketFile => ({
  id: randomId(),
  title: file.name.replace(/\.pdf$/iu, '').slice(0, LIMITS.titleLength),
  file,
});
