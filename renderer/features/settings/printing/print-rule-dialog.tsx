import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '../../../../shared/limits.ts';
import { type PrintRule, printableMailboxesQuery } from '../../../api/print-rules.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { FormDialog } from '../../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../../parts/forms/form-problem.tsx';
import { t } from '../../../texts/print-rules.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ALL_MAILBOXES } from './print-rule-fields.ts';
import { usePrintRuleForm } from './print-rule-form.ts';

const words = t.printRules.form;
const MAX = LIMITS.printRule;

type Form = ReturnType<typeof usePrintRuleForm>;

/** A new print rule, or a change of one. */
export function PrintRuleDialog({ rule, onClose }: { rule?: PrintRule; onClose: () => void }) {
  const form = usePrintRuleForm(rule, (saved) => {
    const { added, saved: changed } = t.printRules.said;
    announce(rule ? changed(saved.name) : added(saved.name));
    onClose();
  });
  const { error, isStale, isGone, isPending, reload, submit, typed, type, problems } = form;
  return (
    <FormDialog
      title={rule ? words.changeTitle(rule.name) : words.addTitle}
      words={words}
      isPending={isPending}
      blocked={isGone ? words.isGone : isStale ? words.reloadFirst : null}
      onSave={submit}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        value={typed.name}
        maxLength={MAX.name}
        error={problems.name}
        autoFocus
        autoComplete="off"
        onChange={(name) => type({ name })}
      />
      <MailboxField form={form} />
      <PrinterFields form={form} />
      <TextField
        label={words.hours}
        help={words.hoursHelp}
        value={typed.hours}
        error={problems.hours}
        autoComplete="off"
        onChange={(hours) => type({ hours })}
      />
      <Checkbox isSelected={typed.isOn} onChange={(isOn) => type({ isOn })}>
        {words.isOn}
      </Checkbox>
      <FormProblem
        {...{ error, isStale, words, reload }}
        sentence={isGone ? words.goneSentence : undefined}
      />
    </FormDialog>
  );
}

function MailboxField({ form: { rule, typed, type } }: { form: Form }) {
  const known = useQuery(printableMailboxesQuery).data ?? [];
  const own = rule?.mailbox;
  const isMissing = own && !known.some(({ id }) => id === own.id);
  return (
    <Choice
      label={words.mailbox}
      options={[
        { id: ALL_MAILBOXES, label: words.allMailboxes },
        ...known.map(({ id, label }) => ({ id, label })),
        ...(isMissing ? [{ id: own.id, label: own.label ?? words.removedMailbox }] : []),
      ]}
      value={typed.mailbox}
      onChange={(mailbox) => type({ mailbox })}
    />
  );
}

function PrinterFields({ form: { typed, type, problems, check, mayCheck } }: { form: Form }) {
  return (
    <>
      <TextField
        label={words.printer}
        help={words.printerHelp}
        value={typed.printer}
        maxLength={MAX.name}
        error={problems.printer}
        autoComplete="off"
        onChange={(printer) => type({ printer })}
      />
      <TextField
        label={words.address}
        help={words.addressHelp}
        value={typed.address}
        maxLength={MAX.address}
        error={problems.address}
        autoComplete="off"
        onChange={(address) => type({ address })}
      />
      <div>
        <Button
          icon="print"
          isPending={check.isPending}
          isDisabled={!mayCheck}
          onPress={() => check.mutate()}
        >
          {t.printRules.check}
        </Button>
      </div>
      {check.data && (
        <Notice tone={check.data.ok ? 'ok' : 'warn'} isLive>
          {check.data.detail}
        </Notice>
      )}
      {check.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(check.error)}
        </Notice>
      )}
    </>
  );
}
