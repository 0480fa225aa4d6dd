import { type FormEvent, useId } from 'react';
import { SUBJECT_WORDS } from '../../../../shared/api/intake.ts';
import { LIMITS } from '../../../../shared/limits.ts';
import type { Connector } from '../../../api/intake.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/mail-connectors.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { formatCount } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { type ConnectorForm, useConnectorForm } from './connector-form.ts';
import styles from './connectors.module.css';
import { ServerFields } from './server-fields.tsx';

const words = t.mailConnectors.form;
const MOST = LIMITS.connector;

/** A new connector, or everything of one that is there but its password, which nobody is shown. */
export function ConnectorDialog({ connector, onClose }: { connector?: Connector; onClose: () => void }) {
  const id = useId();
  const form = useConnectorForm(connector, (saved) => {
    const { added, saved: changed } = t.mailConnectors.said;
    announce(connector ? changed(saved.name) : added(saved.name));
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.submit();
  };
  return (
    <Dialog
      title={connector ? words.changeTitle(connector.name) : words.addTitle}
      isOpen
      onClose={onClose}
      width="wide"
      kind="form"
      actions={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            variant="primary"
            type="submit"
            form={id}
            isPending={form.isPending}
            isDisabled={form.isStale || form.isGone}
          >
            {words.save}
          </Button>
        </>
      }
    >
      <form id={id} className={styles['form']} onSubmit={submit} noValidate>
        <TextField
          label={words.name}
          value={form.typed.name}
          maxLength={MOST.name}
          error={form.problems.name}
          autoFocus
          autoComplete="off"
          onChange={(name) => form.type({ name })}
        />
        <ServerFields form={form} />
        <MessageFields form={form} />
        <Problem form={form} />
      </form>
    </Dialog>
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
        maxLength={MOST.address}
        error={problems.from}
        autoComplete="off"
        onChange={(from) => type({ from })}
      />
      <TextArea
        label={words.recipients}
        help={words.recipientsHelp(formatCount(MOST.recipients))}
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
        maxLength={MOST.matchNumber}
        error={problems.number}
        autoComplete="off"
        onChange={(number) => type({ number })}
      />
      <TextField
        label={words.subject}
        help={words.subjectHelp(SUBJECT_WORDS.map((word) => `{${word}}`).join(', '))}
        value={typed.subject}
        maxLength={MOST.subject}
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

function Problem({ form: { error, isStale, isGone, reload } }: { form: ConnectorForm }) {
  if (error === null) return null;
  if (isStale)
    return (
      <Notice
        tone="warn"
        isLive
        title={words.staleTitle}
        action={<Button onPress={() => void reload()}>{words.reload}</Button>}
      >
        {words.staleSentence}
      </Notice>
    );
  return (
    <Notice tone="danger" isLive>
      {isGone ? words.goneSentence : sentenceOf(error)}
    </Notice>
  );
}
