import type { ReactNode } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { FileButton } from '../../ui/file-button.tsx';
import { ArchiveFileError } from './archive-reader.ts';
import styles from './system.module.css';

interface ArchiveSectionProps {
  readonly words: { readonly title: string; readonly sentence: string; readonly file: string };
  /** Words of the button. */
  readonly label: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onFile: (file: File) => void;
  readonly children: ReactNode;
}

/** Section of the page that begins with the choice of an archive file. */
export function ArchiveSection(props: ArchiveSectionProps) {
  const { words, label, isPending, error, onFile, children } = props;
  return (
    <section aria-label={words.title} className={styles['column']}>
      <h2 className={styles['heading']}>{words.title}</h2>
      <p className={styles['quiet']}>{words.sentence}</p>
      <p>
        <FileButton
          accept=".zip,application/zip"
          fieldLabel={words.file}
          isPending={isPending}
          onFiles={([file]) => file && onFile(file)}
        >
          {label}
        </FileButton>
      </p>
      {error !== null && <p role="alert">{archiveSentence(error)}</p>}
      {children}
    </section>
  );
}

/** Returns the sentence to show for an archive that could not be read or handed over. */
export const archiveSentence = (error: Error): string =>
  error instanceof ArchiveFileError ? error.message : sentenceOf(error);
