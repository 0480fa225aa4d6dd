import { type FormEvent, useId, useState } from 'react';
import { COVER_LIMITS } from '../../../shared/covers.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type { CoverPage } from '../../api/covers.ts';
import { CoverSheet } from '../../parts/covers/cover-sheet.tsx';
import { useCoverPicture } from '../../parts/covers/use-cover-picture.ts';
import { FormProblem } from '../../parts/forms/form-problem.tsx';
import { t } from '../../texts/covers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { formValuesOf, previewOf, type TypedCover, useCoverSaving } from './cover-form.ts';
import styles from './covers.module.css';
import { FieldsChoice } from './fields-choice.tsx';
import { LogoField } from './logo-field.tsx';

const words = t.covers.form;

interface CoverDialogProps {
  /** The one to change; a new one when left out. */
  readonly cover?: CoverPage;
  /** The one that a new one begins as; without its logo. */
  readonly copied?: CoverPage;
  readonly onClose: () => void;
  readonly onDone: (saved: CoverPage) => void;
}

/** Editor of a cover page that is drawn from its parts, with the page beside it as it is printed. */
export function CoverDialog({ cover, copied, onClose, onDone }: CoverDialogProps) {
  const form = useId();
  const [typed, setTyped] = useState(() => startValues(cover, copied));
  const type = (change: Partial<TypedCover>) => setTyped((before) => ({ ...before, ...change }));
  const [isChecked, setChecked] = useState(false);
  const saving = useCoverSaving(cover, (saved) => {
    announce(cover ? words.saved(saved.name) : words.added(saved.name));
    onDone(saved);
  });
  const picture = useCoverPicture(previewOf(typed, cover));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (typed.name.trim() !== '' && !saving.isStale) saving.save(typed);
  };
  const reload = async () => {
    const now = await saving.reload();
    if (now) setTyped(formValuesOf(now, now.name));
  };
  return (
    <Dialog
      title={cover ? words.editTitle(cover.name) : words.addTitle}
      isOpen
      onClose={onClose}
      kind="form"
      width="page"
      actions={
        <>
          <MainButton
            type="submit"
            form={form}
            isPending={saving.isPending}
            reason={saving.isStale ? words.reloadFirst : null}
          >
            {words.save}
          </MainButton>
          <Button onPress={onClose}>{words.cancel}</Button>
        </>
      }
    >
      <div className={styles['editor']}>
        <form id={form} className={styles['form']} onSubmit={submit} noValidate>
          <Parts {...{ typed, type, isChecked }} />
          <FormProblem error={saving.error} isStale={saving.isStale} words={words} reload={reload} />
        </form>
        <div className={styles['preview']} role="group" aria-label={words.preview} tabIndex={0}>
          <h3 className={styles['label']}>{words.preview}</h3>
          <CoverSheet {...picture} alt={t.covers.picture(typed.name || words.addTitle)} />
          <p className={styles['quiet']}>{words.previewHelp}</p>
        </div>
      </div>
    </Dialog>
  );
}

function startValues(cover: CoverPage | undefined, copied: CoverPage | undefined): TypedCover {
  if (!copied) return formValuesOf(cover, cover?.name ?? '');
  return { ...formValuesOf(copied, words.copyName(copied.name)), logo: null };
}

/** Fields of the form, in the order of the page. */
function Parts(props: {
  typed: TypedCover;
  type: (change: Partial<TypedCover>) => void;
  /** Somebody tried to save. */
  isChecked: boolean;
}) {
  const { typed, type, isChecked } = props;
  return (
    <>
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={typed.name}
        maxLength={LIMITS.displayNameLength}
        error={isChecked && typed.name.trim() === '' ? words.nameMissing : null}
        autoFocus
        autoComplete="off"
        onChange={(name) => type({ name })}
      />
      <TextField
        label={words.heading}
        help={words.headingHelp}
        value={typed.title}
        maxLength={COVER_LIMITS.title}
        autoComplete="off"
        onChange={(title) => type({ title })}
      />
      <LogoField logo={typed.logo} onChange={(logo) => type({ logo })} />
      <FieldsChoice order={typed.order} shown={typed.shown} onChange={type} />
      <TextArea
        label={words.text}
        help={words.textHelp}
        value={typed.text}
        maxLength={COVER_LIMITS.text}
        onChange={(text) => type({ text })}
      />
      <TextArea
        label={words.notice}
        help={words.noticeHelp}
        value={typed.notice}
        maxLength={COVER_LIMITS.text}
        onChange={(notice) => type({ notice })}
      />
    </>
  );
}
