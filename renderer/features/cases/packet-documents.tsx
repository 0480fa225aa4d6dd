import { type DragEvent, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { beginTaking, endTaking } from '../../parts/dropped-files.ts';
import { t } from '../../texts/cases.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './cases.module.css';

const words = t.cases.form;

export interface PacketFile {
  readonly id: string;
  readonly title: string;
  readonly file: File;
}

/** The documents of a packet: added by button or drop, ordered by arrows or drag, each with its title. */
export function PacketDocuments(props: {
  files: readonly PacketFile[];
  onChange: (files: readonly PacketFile[]) => void;
}) {
  const { files, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
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
    beginTaking();
    return endTaking;
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
          <li
            key={document.id}
            className={styles['document']}
            draggable
            onDragStart={() => {
              dragged.current = i;
            }}
            onDragEnd={() => {
              dragged.current = null;
            }}
            onDrop={() => {
              if (dragged.current !== null) move(dragged.current, i);
            }}
          >
            <TextField
              label={words.documentTitle(formatCount(i + 1))}
              value={document.title}
              maxLength={LIMITS.titleLength}
              onChange={(title) => onChange(files.map((one, at) => (at === i ? { ...one, title } : one)))}
            />
            <IconButton
              icon="up"
              label={words.up(document.title)}
              isDisabled={i === 0}
              onPress={() => move(i, i - 1)}
            />
            <IconButton
              icon="down"
              label={words.down(document.title)}
              isDisabled={i === files.length - 1}
              onPress={() => move(i, i + 1)}
            />
            <IconButton
              icon="close"
              label={words.remove(document.title)}
              onPress={() => onChange(files.filter(({ id }) => id !== document.id))}
            />
          </li>
        ))}
      </ol>
      {problem !== null && (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="application/pdf,.pdf"
        aria-label={words.add}
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <div className={styles['buttons']}>
        <Button icon="plus" onPress={() => input.current?.click()}>
          {words.add}
        </Button>
      </div>
    </section>
  );
}

function checkFiles(
  count: number,
  added: readonly File[],
): { accepted: readonly File[]; refusal: string | null } {
  const other = added.find(({ name, type }) => type !== 'application/pdf' && !/\.pdf$/iu.test(name));
  const pdfs = added.filter(({ name, type }) => type === 'application/pdf' || /\.pdf$/iu.test(name));
  const accepted = pdfs.slice(0, LIMITS.caseDocuments - count);
  if (accepted.length < pdfs.length)
    return { accepted, refusal: words.tooMany(formatCount(LIMITS.caseDocuments)) };
  return { accepted, refusal: other ? words.onlyPdf(other.name) : null };
}

const packetFile = (file: File): PacketFile => ({
  id: crypto.randomUUID(),
  title: file.name.replace(/\.pdf$/iu, '').slice(0, LIMITS.titleLength),
  file,
});
