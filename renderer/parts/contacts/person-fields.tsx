import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/contacts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { TypedContact, useNumberProblems } from './contact-form.ts';

const words = t.contacts.form;
/** Room for the further numbers with the spaces and words that people write around them. */
const MAX_NUMBERS_LENGTH = LIMITS.contactNumbers * 40;
const MAX_TAGS_LENGTH = LIMITS.contactTags * (LIMITS.contactLengths.tag + 2);

interface PersonFieldsProps {
  readonly typed: TypedContact;
  readonly type: (change: Partial<TypedContact>) => void;
  /** True once the person tried to save: errors are shown from then on. */
  readonly isChecked: boolean;
  readonly problems: ReturnType<typeof useNumberProblems>;
}

/** Fields for the person behind the number, and for further numbers. */
export function PersonFields({ typed, type, isChecked, problems }: PersonFieldsProps) {
  const isWrong = isChecked && problems.other !== null;
  return (
    <>
      <TextField
        label={words.organization}
        value={typed.organization}
        maxLength={LIMITS.contactLengths.name}
        placeholder={words.optional}
        autoComplete="off"
        onChange={(organization) => type({ organization })}
      />
      <TextField
        label={words.tags}
        value={typed.tags}
        maxLength={MAX_TAGS_LENGTH}
        help={words.tagsHelp}
        placeholder={words.optional}
        autoComplete="off"
        onChange={(tags) => type({ tags })}
      />
      <TextField
        label={words.voice}
        type="tel"
        value={typed.voice}
        maxLength={40}
        help={words.voiceHelp}
        error={isChecked && problems.voice ? words.voiceWrong : null}
        placeholder={words.optional}
        autoComplete="off"
        onChange={(voice) => type({ voice })}
      />
      <TextArea
        label={words.otherNumbers}
        value={typed.otherNumbers}
        maxLength={MAX_NUMBERS_LENGTH}
        placeholder={words.otherNumbersHelp}
        onChange={(otherNumbers) => type({ otherNumbers })}
      />
      {isWrong && <p role="alert">{words.otherNumberWrong(problems.other ?? '')}</p>}
      <TextArea
        label={words.address}
        value={typed.address}
        maxLength={LIMITS.contactLengths.address}
        placeholder={words.optional}
        onChange={(address) => type({ address })}
      />
      <Checkbox isSelected={typed.isOptedOut} onChange={(isOptedOut) => type({ isOptedOut })}>
        {words.optedOut}
      </Checkbox>
      <TextField
        label={words.consent}
        value={typed.consent}
        maxLength={LIMITS.contactLengths.consentNote}
        placeholder={words.optional}
        autoComplete="off"
        onChange={(consent) => type({ consent })}
      />
    </>
  );
}
