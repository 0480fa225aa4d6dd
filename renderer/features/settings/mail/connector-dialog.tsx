import { SUBJECT_PLACEHOLDERS } from '../../../../shared/api/intake.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Connector } from '../../../api/intake.ts';
import { FormDialog } from '../../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../../parts/forms/form-problem.tsx';
import { t } from '../../../texts/mail-connectors.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatCount } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { type ConnectorForm, useConnectorForm } from './connector-form.ts';
import { ServerFields } from './server-fields.tsx';

const words = t.mailConnectors.form;
const MAX = LIMITS.connector;

/** A new connector, or everything of one that is there but its password, which nobody is shown. */
export function ConnectorDialog({ connector, onClose }: { connector?: Connector; onClose: () => void }) {
  const form = useConnectorForm(connector, (saved) => {
    const { added, saved: changed } = t.mailConnectors.said;
    announce(connector ? changed(saved.name) : added(saved.name));
    onClose();
  });
  const { error, isStale, isGone, isPending, reload, submit } = form;
  return (
    <FormDialog
      title={connector ? words.changeTitle(connector.name) : words.addTitle}
      words={words}
      width="wide"
      isPending={isPending}
      blocked={isGone ? words.isGone : isStale ? words.reloadFirst : null}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={form.typed.name}
        maxLength={MAX.name}
        error={form.problems.name}
        autoFocus
        autoComplete="off"
        onChange={(name) => form.type({ name })}
      />
      <ServerFields form={form} />
      <MessageFields form={form} />
      <FormProblem
        {...{ error, isStale, words, reload }}
        sentence={isGone ? words.goneSentence : undefined}
      />
    </FormDialog>
  );
}

/** From whom to whom, which faxes, and under which subject. */
function MessageFields({ form: { typed, type, problems } }: { form: ConnectorForm }) {
  return (
    <>
      <TextField
        label={words.from}
        type="email"
        help={words.fromHelp}
        value={typed.from}
        maxLength={MAX.address}
        error={problems.from}
        autoComplete="off"
        onChange={(from) => type({ from })}
      />
      <TextArea
        label={words.recipients}
        help={words.recipientsHelp(formatCount(MAX.recipients))}
        value={typed.recipients}
        error={problems.recipients}
        onChange={(recipients) => type({ recipients })}
      />
      <TextField
        label={words.number}
        type="tel"
        help={words.numberHelp}
        placeholder={words.optional}
        value={typed.number}
        maxLength={MAX.matchNumber}
        error={problems.number}
        autoComplete="off"
        onChange={(number) => type({ number })}
      />
      <TextField
        label={words.subject}
        help={words.subjectHelp(SUBJECT_PLACEHOLDERS.map((word) => `{${word}}`).join(', '))}
        value={typed.subject}
        maxLength={MAX.subject}
        error={problems.subject}
        autoComplete="off"
        onChange={(subject) => type({ subject })}
      />
      <Checkbox isSelected={typed.isOn} onChange={(isOn) => type({ isOn })}>
        {words.isOn}
      </Checkbox>
    </>
  );
}
