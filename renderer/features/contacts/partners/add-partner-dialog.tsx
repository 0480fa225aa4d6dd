import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';

import { direct, type Partner, partnersChanged } from '../../../api/partners.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/partners.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { groupedFingerprint } from './fingerprint.ts';
import styles from './partners.module.css';

const words = t.partners.adding;

type Added = Awaited<ReturnType<typeof direct.addPartner>>;

/** A pasted card; what is on it is shown before the partner is added. */
export function AddPartnerDialog(props: { onClose: () => void; onAdded: (partner: Partner) => void }) {
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Added | null>(null);
  if (checked)
    return <CheckedCard {...props} text={text} checked={checked} onBack={() => setChecked(null)} />;
  return <PastedCard {...props} text={text} setText={setText} onChecked={setChecked} />;
}

function PastedCard(props: {
  text: string;
  setText: (text: string) => void;
  onChecked: (checked: Added) => void;
  onClose: () => void;
}) {
  const { text, setText, onChecked, onClose } = props;
  const form = useId();
  const checking = useMutation({
    mutationFn: () => direct.addPartner({ body: { card: text.trim(), check_only: true } }),
    onSuccess: onChecked,
  });
  const isMissing = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isMissing && !checking.isPending) checking.mutate();
  };
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      kind="form"
      actions={
        <>
          <MainButton
            type="submit"
            form={form}
            isPending={checking.isPending}
            reason={isMissing ? words.missing : null}
          >
            {words.check}
          </MainButton>
          <Button onPress={onClose}>{words.cancel}</Button>
        </>
      }
    >
      <form id={form} className={styles['stack']} onSubmit={submit} noValidate>
        <p>{words.sentence}</p>
        <TextArea
          label={words.text}
          placeholder={words.hint}
          rows={6}
          value={text}
          autoFocus
          autoComplete="off"
          spellCheck="false"
          onChange={setText}
        />
        {checking.error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(checking.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

function CheckedCard(props: {
  text: string;
  checked: Added;
  onBack: () => void;
  onClose: () => void;
  onAdded: (partner: Partner) => void;
}) {
  const { text, checked, onBack, onClose, onAdded } = props;
  const { card } = checked;
  const phone = usePhoneFormat();
  const adding = useMutation({
    mutationFn: () => direct.addPartner({ body: { card: text.trim() } }),
    onSuccess: async ({ sentence, partner }) => {
      await partnersChanged();
      announce(sentence);
      if (partner) onAdded(partner);
    },
  });
  return (
    <Dialog
      title={words.checkedTitle}
      isOpen
      onClose={onClose}
      kind="form"
      actions={
        <>
          <MainButton autoFocus reason={null} isPending={adding.isPending} onPress={() => adding.mutate()}>
            {words.add}
          </MainButton>
          <Button onPress={onBack}>{words.back}</Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <FactList wordWidth={104}>
          <Fact name={t.partners.card.organization}>{card.organization}</Fact>
          <Fact name={t.partners.card.number}>
            <span dir="ltr">{phone(card.fax_number)}</span>
          </Fact>
          <Fact name={t.partners.card.address}>{card.endpoint}</Fact>
          <Fact name={t.partners.card.fingerprint} isMono>
            {groupedFingerprint(card.fingerprint)}
          </Fact>
        </FactList>
        <p>{words.checkedSentence}</p>
        {adding.error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(adding.error)}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
