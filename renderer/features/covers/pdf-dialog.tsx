import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { type CoverPage, covers, coversChanged } from '../../api/covers.ts';
import { isRefused } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { t } from '../../texts/covers.ts';
import { TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './covers.module.css';

const words = t.covers.pdf;
const form = t.covers.form;

/** A cover page that is a PDF with form fields: a new one, or another name and PDF of one. */
export function PdfDialog(props: {
  cover?: CoverPage;
  onClose: () => void;
  onDone: (saved: CoverPage) => void;
}) {
  const { cover, onClose, onDone } = props;
  const [name, setName] = useState(cover?.name ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [isChecked, setChecked] = useState(false);
  const saving = usePdfSaving(cover, (saved) => {
    announce(cover ? form.saved(saved.name) : form.added(saved.name));
    onDone(saved);
  });
  const hasFile = file !== null || cover !== undefined;
  const submit = () => {
    setChecked(true);
    if (name.trim() !== '' && hasFile) saving.run({ name: name.trim(), file });
  };
  return (
    <FormDialog
      title={cover ? words.replaceTitle(cover.name) : words.addTitle}
      words={form}
      isPending={saving.isPending}
      blocked={saving.isStale ? form.reloadFirst : null}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label={form.name}
        help={form.nameHelp}
        value={name}
        maxLength={LIMITS.displayNameLength}
        error={isChecked && name.trim() === '' ? form.nameMissing : null}
        autoFocus
        autoComplete="off"
        onChange={setName}
      />
      <PdfField {...{ file, setFile }} isMissing={isChecked && !hasFile} />
      <FormProblem error={saving.error} isStale={saving.isStale} words={form} reload={saving.reload} />
    </FormDialog>
  );
}

function PdfField(props: { file: File | null; setFile: (file: File) => void; isMissing: boolean }) {
  const { file, setFile, isMissing } = props;
  const [other, setOther] = useState<string | null>(null);
  const take = (chosen: File) => {
    const isPdf = chosen.type === 'application/pdf' || /\.pdf$/iu.test(chosen.name);
    setOther(isPdf ? null : chosen.name);
    if (isPdf) setFile(chosen);
  };
  const problem = other !== null ? words.notPdf(other) : isMissing ? words.none : null;
  return (
    <div role="group" aria-label={words.file}>
      <p className={styles['label']}>{words.file}</p>
      <p className={styles['quiet']}>{words.sentence}</p>
      <div className={styles['line']}>
        <FileButton
          icon="upload"
          fieldLabel={words.file}
          accept="application/pdf,.pdf"
          onFiles={([chosen]) => chosen && take(chosen)}
        >
          {file === null ? words.choose : words.other}
        </FileButton>
        {file !== null && <span className={styles['quiet']}>{file.name}</span>}
      </div>
      {problem !== null && (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
    </div>
  );
}

/** Saves a new PDF, or the name and then the PDF of one; after a failure between them the rest is saved by the next try. */
function usePdfSaving(cover: CoverPage | undefined, onDone: (saved: CoverPage) => void) {
  const read = useRef({ name: cover?.name ?? '', version: cover?.version ?? 0 });
  const saving = useMutation({
    mutationFn: async ({ name, file }: { name: string; file: File | null }) => {
      const upload = file && { file: [{ name: file.name, content: file }] };
      if (!cover) return covers.createCover({ fields: { name }, files: upload ?? {} });
      const params = { id: cover.id };
      let saved = cover;
      if (name !== read.current.name) {
        saved = await covers.changeCover({ params, body: { name, version: read.current.version } });
        read.current = saved;
      }
      if (!upload) return saved;
      return covers.replaceCoverFile({ params, fields: { version: read.current.version }, files: upload });
    },
    onSuccess: async (saved) => {
      await coversChanged();
      onDone(saved);
    },
  });
  return {
    run: (typed: { name: string; file: File | null }) => {
      if (!saving.isPending) saving.mutate(typed);
    },
    isPending: saving.isPending,
    error: saving.error,
    isStale: isRefused(saving.error, 'stale'),
    reload: async () => {
      if (!cover) return;
      read.current = await covers.getCover({ params: { id: cover.id } });
      saving.reset();
    },
  };
}
