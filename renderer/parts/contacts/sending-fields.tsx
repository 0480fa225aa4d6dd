import { LIMITS } from '../../../shared/limits.ts';
import { t } from '../../texts/contacts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { CoverChoice } from '../covers/cover-choice.tsx';
import styles from './contact-dialog.module.css';
import { hoursProblemOf, type TypedContact, zoneProblemOf } from './contact-form.ts';

const words = t.contacts.form;
/** Characters of the allowed hours as people write them. */
const MAX_HOURS_LENGTH = 60 * LIMITS.contactHours;

/** Fields for how and when faxes go to the contact. */
export function SendingFields(props: {
  typed: TypedContact;
  type: (change: Partial<TypedContact>) => void;
  /** Somebody tried to save. */
  isChecked: boolean;
}) {
  const { typed, type, isChecked } = props;
  return (
    <>
      <CoverChoice
        label={words.cover}
        none={words.noCover}
        help={words.coverHelp}
        value={typed.cover}
        onChange={(cover) => type({ cover })}
      />
      <TextField
        label={words.hours}
        value={typed.hours}
        maxLength={MAX_HOURS_LENGTH}
        help={words.hoursHelp}
        placeholder={words.anyTime}
        error={isChecked && hoursProblemOf(typed) ? words.hoursWrong : null}
        autoComplete="off"
        onChange={(hours) => type({ hours })}
      />
      <TextField
        label={words.timeZone}
        value={typed.timeZone}
        maxLength={LIMITS.contactLengths.timeZone}
        help={words.timeZoneHelp}
        placeholder={words.ofOffice}
        error={isChecked && zoneProblemOf(typed) ? words.timeZoneWrong : null}
        autoComplete="off"
        onChange={(timeZone) => type({ timeZone })}
      />
      <div>
        <Checkbox isSelected={typed.namesSent} onChange={(namesSent) => type({ namesSent })}>
          {words.references}
        </Checkbox>
        <p className={styles['help']}>{words.referencesHelp}</p>
      </div>
    </>
  );
}
