import type { Ref } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/index.ts';
import { TextField } from '../../ui/field.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import type { TypedAbout } from './about-words.ts';
import { useAboutWords } from './use-about-words.ts';

/** Fields for subject, reference and document type. */
export function AboutFields(props: {
  value: TypedAbout;
  onChange: (value: TypedAbout) => void;
  firstRef?: Ref<HTMLInputElement>;
}) {
  const { value, onChange, firstRef } = props;
  const { reference, types } = useAboutWords();
  const { subject, reference: referenceLength, documentType } = LIMITS.about;
  return (
    <>
      <TextField
        label={t.fax.about.subject}
        value={value.subject}
        maxLength={subject}
        autoComplete="off"
        onChange={(text) => onChange({ ...value, subject: text })}
        {...(firstRef ? { inputRef: firstRef } : {})}
      />
      <TextField
        label={reference}
        value={value.reference}
        maxLength={referenceLength}
        autoComplete="off"
        onChange={(text) => onChange({ ...value, reference: text })}
      />
      <SuggestField
        label={t.fax.about.type}
        value={value.document_type}
        suggestions={types}
        maxLength={documentType}
        onChange={(text) => onChange({ ...value, document_type: text })}
      />
    </>
  );
}
