import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { direct, type Partner, partnersChanged } from '../../../api/partners.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/partners.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { usePhoneFormat } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { CameraScan, hasCamera } from './card/camera-scan.tsx';
import { readCardFile } from './card/read-card-file.ts';
import { groupedFingerprint } from './fingerprint.ts';
import styles from './partners.module.css';

const words = t.partners.adding;

type Added = Awaited<ReturnType<typeof direct.addPartner>>;

/** A card that is pasted, scanned or in a file; what is on it is shown before the partner is added. */
export function AddPartnerDialog(props: { onClose: () => void; onAdded: (partner: Partner) => void }) {
  const [text, setText] = useState('');
  const [checked, setChecked] = useState<Added | null>(null);
  if (checked)
    return <CheckedCard {...props} text={text} checked={checked} onBack={() => setChecked(null)} />;
  return <GivenCard {...props} text={text} setText={setText} onChecked={setChecked} />;
}

function GivenCard(props: {
  text: string;
  setText: (text: string) => void;
  onChecked: (checked: Added) => void;
  onClose: () => void;
}) {
  const { text, setText, onChecked, onClose } = props;
  const form = useId();
  const checking = useMutation({
    mutationFn: (card: string) => direct.addPartner({ body: { card, check_only: true } }),
    onSuccess: onChecked,
  });
  const check = (card: string) => {
    if (card.trim() !== '' && !checking.isPending) checking.mutate(card.trim());
  };
  const take = (card: string) => {
    setText(card);
    check(card);
  };
  const isMissing = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check(text);
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
        <OtherWays onCard={take} />
        {checking.error !== null && (
          <Notice tone="danger" isLive>
            {sentenceOf(checking.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

/** Takes the card from a file, a picture or the camera. */
function OtherWays({ onCard }: { onCard: (card: string) => void }) {
  const [isScanning, setScanning] = useState(false);
  const reading = useMutation({
    mutationFn: async (file: File) => ({ name: file.name, card: await readCardFile(file) }),
    onSuccess: ({ card }) => card !== null && onCard(card),
  });
  const scanned = (card: string) => {
    setScanning(false);
    onCard(card);
  };
  const { data: read } = reading;
  return (
    <>
      <div className={styles['ways']}>
        <FileButton
          icon="upload"
          isPending={reading.isPending}
          fieldLabel={words.file}
          accept="text/plain,image/*,.txt"
          onFiles={([file]) => file && reading.mutate(file)}
        >
          {words.choose}
        </FileButton>
        {hasCamera() && (
          <Button icon="eye" onPress={() => setScanning(!isScanning)}>
            {isScanning ? words.stopScan : words.scan}
          </Button>
        )}
      </div>
      {read?.card === null && (
        <Notice tone="warn" isLive>
          {words.nothingIn(read.name)}
        </Notice>
      )}
      {isScanning && <CameraScan onFound={scanned} />}
    </>
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
