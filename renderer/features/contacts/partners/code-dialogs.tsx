import { useState } from 'react';

import { direct, type Partner } from '../../../api/partners.ts';
import { FormDialog } from '../../../parts/forms/form-dialog.tsx';
import { FormProblem } from '../../../parts/forms/form-problem.tsx';
import { t } from '../../../texts/partners.ts';
import { TextField } from '../../../ui/field.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { usePartnerChange } from './use-partner-change.ts';

const words = t.partners;
/** Of a code with spaces. */
const MAX_LENGTH = 20;

interface CodeDialogProps {
  readonly partner: Partner;
  readonly onClose: () => void;
}

/** Asks before a page with a code goes out by phone. */
export function FaxCodeDialog({ partner, onClose }: CodeDialogProps) {
  const { id, version, organization, fax_number, code_sent } = partner;
  const phone = usePhoneFormat();
  const change = usePartnerChange(
    () => direct.challengePartner({ params: { id }, body: { version } }),
    () => {
      announce(words.faxing.done(organization));
      onClose();
    },
  );
  return (
    <FormDialog
      title={words.faxing.title(organization)}
      words={{ save: words.faxing.yes, cancel: words.faxing.no }}
      isPending={change.isPending}
      blocked={change.isStale ? words.stale.staleSentence : null}
      onSave={() => change.run(undefined)}
      onClose={onClose}
    >
      <p>{words.faxing.sentence(phone(fax_number))}</p>
      {code_sent && <Notice tone="plain">{words.faxing.again}</Notice>}
      <FormProblem error={change.error} isStale={change.isStale} words={words.stale} reload={change.reload} />
    </FormDialog>
  );
}

/** Takes the code that a partner faxed to us. */
export function TypeCodeDialog({ partner: { id, organization }, onClose }: CodeDialogProps) {
  const [code, setCode] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isMissing = code.replaceAll(/\D/gu, '').length < 8;
  const change = usePartnerChange(
    () => direct.confirmPartner({ params: { id }, body: { code: code.trim() } }),
    () => {
      announce(words.typing.done(organization));
      onClose();
    },
  );
  const submit = () => {
    setChecked(true);
    if (!isMissing) change.run(undefined);
  };
  return (
    <FormDialog
      title={words.typing.title(organization)}
      words={{ save: words.typing.confirm, cancel: words.typing.cancel }}
      isPending={change.isPending}
      blocked={null}
      onSave={submit}
      onClose={onClose}
    >
      <p>{words.typing.sentence}</p>
      <TextField
        label={words.typing.code}
        help={words.typing.help}
        error={isChecked && isMissing ? words.typing.missing : null}
        value={code}
        maxLength={MAX_LENGTH}
        inputMode="numeric"
        isMono
        autoFocus
        autoComplete="off"
        onChange={setCode}
      />
      <FormProblem error={change.error} isStale={change.isStale} words={words.stale} reload={change.reload} />
    </FormDialog>
  );
}
