import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { DESK_LIMITS } from '../../../shared/desk.ts';
import { PICTURE_KINDS, type PictureKind } from '../../../shared/page-edits.ts';
import { desk, type Signature, signaturesQuery } from '../../api/desk.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/signatures.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { blobOf, smallPicture } from '../pictures/small-picture.ts';
import { clearPad, DrawingPad } from './drawing-pad.tsx';
import styles from './signatures.module.css';

const words = t.signatures;
/** A photo of a whole sheet keeps enough of the signature on it. */
const PHOTO = { width: 2400, height: 2400 };
const PHOTO_BYTES = 2_000_000;

interface ChosenPicture {
  readonly name: string;
  readonly picture: Blob;
}

/** Adds a signature or stamp: drawn here, or a picture of it. */
export function SignatureForm(props: {
  /** Left out where the person chooses it. */
  kind?: PictureKind;
  onSaved: (signature: Signature) => void;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<PictureKind>(props.kind ?? 'signature');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const [isDrawn, setDrawn] = useState(false);
  const pad = useRef<HTMLCanvasElement>(null);
  const save = useSaving(props);
  const missing =
    name.trim() === '' ? words.nameMissing : chosen === null && !isDrawn ? words.pictureMissing : null;
  return (
    <FormDialog
      title={words.formTitle[kind]}
      words={{ save: words.save, cancel: words.cancel }}
      isPending={save.isPending}
      blocked={missing}
      onSave={() => save.mutate({ name: name.trim(), kind, picture: chosen?.picture ?? pad.current })}
      onClose={props.onClose}
    >
      {save.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(save.error)}
        </Notice>
      )}
      {props.kind === undefined && (
        <RadioCards
          label={words.kind}
          options={PICTURE_KINDS.map((id) => ({ id, label: words.kinds[id] }))}
          value={kind}
          onChange={setKind}
        />
      )}
      <TextField
        label={words.name}
        autoFocus
        autoComplete="off"
        maxLength={DESK_LIMITS.pictureName}
        value={name}
        onChange={setName}
      />
      <p className={styles['quiet']}>{words.draw}</p>
      <DrawingPad canvas={pad} chosen={chosen} onStroke={() => setDrawn(true)} />
      <PictureChoice
        isEmpty={chosen === null && !isDrawn}
        onChosen={(picture) => {
          setChosen(picture);
          setDrawn(false);
        }}
        onClear={() => {
          if (pad.current) clearPad(pad.current);
          setChosen(null);
          setDrawn(false);
          announce(words.cleared);
        }}
      />
    </FormDialog>
  );
}

/** Chooses a picture in place of the drawing, or empties the drawing area. */
function PictureChoice(props: {
  isEmpty: boolean;
  onChosen: (picture: ChosenPicture) => void;
  onClear: () => void;
}) {
  const chooser = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File) => {
    try {
      props.onChosen({ name: file.name, picture: await smallPicture(file, PHOTO, PHOTO_BYTES) });
      setProblem(null);
      announce(words.chosen(file.name));
    } catch {
      setProblem(words.notPicture(file.name));
    }
  };
  return (
    <>
      <div className={styles['line']}>
        <FileButton
          ref={chooser}
          icon="upload"
          fieldLabel={words.choose}
          accept="image/png,image/jpeg"
          onFiles={([file]) => file && void take(file)}
        >
          {words.choose}
        </FileButton>
        <Button
          isDisabled={props.isEmpty}
          onPress={() => {
            chooser.current?.focus();
            setProblem(null);
            props.onClear();
          }}
        >
          {words.clear}
        </Button>
      </div>
      {problem !== null && (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
    </>
  );
}

function useSaving({ onSaved, onClose }: { onSaved: (signature: Signature) => void; onClose: () => void }) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (typed: {
      name: string;
      kind: PictureKind;
      picture: Blob | HTMLCanvasElement | null;
    }) => {
      const { name, kind, picture } = typed;
      if (picture === null) throw new Error('The drawing area is there while the form is.');
      const content = picture instanceof Blob ? picture : await blobOf(picture, 'image/png');
      const file = [{ name: 'picture', content }];
      return desk.addSignature({ fields: { name, kind }, files: { file } });
    },
    networkMode: 'always',
    onSuccess: async (signature) => {
      announce(words.added(signature.name));
      await queries.invalidateQueries(signaturesQuery);
      onSaved(signature);
      onClose();
    },
  });
}
