import { useEffect, useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { access } from '../../../api/access.ts';
import { useInstallation } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { QrPicture } from '../../../ui/qr-picture.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { type Device, deviceName } from './device-queries.ts';
import styles from './devices.module.css';

const words = t.access.device;

type Code = Awaited<ReturnType<typeof access.pairing.createPairingCode>>;

interface PairDialogProps {
  /** Paired devices; null where the person may not see them. */
  readonly devices: readonly Device[] | null;
  readonly onClose: () => void;
}

/** A name, then the code for the phone, until it came in. */
export function PairDialog({ devices, onClose }: PairDialogProps) {
  const [name, setName] = useState('');
  const [code, setCode] = useState<Code | null>(null);
  // Whoever is new since the dialog was opened came in by its code.
  const [known] = useState(() => new Set(devices?.map(({ id }) => id)));
  const paired = code && devices?.find(({ id }) => !known.has(id));
  const making = useChange(
    () => access.pairing.createPairingCode({ body: name.trim() ? { device_name: name.trim() } : {} }),
    setCode,
  );
  if (paired) return <Paired device={paired} onClose={onClose} />;
  if (code) return <ShownCode key={code.code} code={code} onAgain={making.run} onClose={onClose} />;
  return (
    <ChangeDialog
      title={words.pairTitle}
      submit={words.makeCode}
      change={making}
      onSubmit={() => making.run(undefined)}
      onClose={onClose}
    >
      <p>{words.pairSentence}</p>
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={name}
        maxLength={LIMITS.displayNameLength - 10}
        autoFocus
        autoComplete="off"
        onChange={setName}
      />
    </ChangeDialog>
  );
}

/** The code in large digits and as a picture for the phone's camera, with the time it still lasts. */
function ShownCode(props: { code: Code; onAgain: (input: undefined) => void; onClose: () => void }) {
  const { code, onAgain, onClose } = props;
  const seconds = useSecondsLeft(code.expires_at);
  const address = useAddress();
  const isOver = seconds === 0;
  return (
    <Dialog
      title={words.codeTitle}
      isOpen
      onClose={onClose}
      kind="form"
      actions={
        isOver ? (
          <Button variant="primary" onPress={() => onAgain(undefined)}>
            {words.another}
          </Button>
        ) : (
          <Button onPress={onClose}>{words.done}</Button>
        )
      }
    >
      <div className={styles['code']}>
        {isOver ? (
          <Notice tone="warn" isLive title={words.over}>
            {words.overSentence}
          </Notice>
        ) : (
          <>
            <p>{words.codeSentence}</p>
            <QrPicture
              label={words.qr}
              text={JSON.stringify({ faxdesk: 1, url: address.url, code: code.code })}
            />
            <p className={styles['digits']} aria-label={words.digits([...code.code].join(' '))} role="img">
              {code.code.slice(0, 3)}
              <span />
              {code.code.slice(3)}
            </p>
            <p role="timer">{words.left(timeText(seconds))}</p>
            <p className={styles['sentence']}>{words.at(address.url)}</p>
            {address.isHere && <Notice tone="warn">{words.onlyHere}</Notice>}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Paired({ device, onClose }: { device: Device; onClose: () => void }) {
  const name = deviceName(device);
  useEffect(() => announce(words.pairedSentence(name)), [name]);
  return (
    <Dialog
      title={words.pairedTitle}
      isOpen
      onClose={onClose}
      actions={
        <Button variant="primary" autoFocus onPress={onClose}>
          {words.done}
        </Button>
      }
    >
      <Notice tone="ok">{words.pairedSentence(name)}</Notice>
    </Dialog>
  );
}

/** Returns the address at which a phone reaches this gateway. */
function useAddress(): { url: string; isHere: boolean } {
  const installation = useInstallation();
  const url = installation?.public_address ?? window.location.origin;
  return { url, isHere: /^(?:localhost|127\.|\[::1\])/u.test(new URL(url).host) };
}

const timeText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const MAX_SECONDS = 5 * 60;

/** Whole seconds until `end`; a clock here that is wrong does not shorten or lengthen a code that was made just now. */
function useSecondsLeft(end: string): number {
  const [over] = useState(() => {
    const left = (Date.parse(end) - Date.now()) / 1_000;
    const seconds = left > 0 && left <= MAX_SECONDS ? left : MAX_SECONDS;
    return performance.now() + seconds * 1_000;
  });
  const [now, setNow] = useState(() => performance.now());
  const left = Math.max(0, Math.ceil((over - now) / 1_000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [isOver]);
  return left;
}
