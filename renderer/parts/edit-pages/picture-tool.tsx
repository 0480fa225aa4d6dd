import { lazy, Suspense, useState } from 'react';
import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { PictureKind } from '../../../shared/page-edits.ts';
import type { Signature } from '../../api/desk.ts';
import { loadPart } from '../../api/load-part.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { SignaturePicture } from '../signatures/signature-picture.tsx';
import styles from './tool-panel.module.css';

const SignatureForm = lazy(async () => ({
  default: (await loadPart(() => import('../signatures/signature-form.tsx'))).SignatureForm,
}));

interface PictureToolProps {
  readonly kind: PictureKind;
  readonly signatures: readonly Signature[];
  readonly picture: Signature | null;
  readonly onPicture: (id: string) => void;
}

/** The signatures or stamps of the person, to choose one, and to add one that is missing. */
export function PictureTool({ kind, signatures, picture, onPicture }: PictureToolProps) {
  const words = t.send.edit;
  const [isAdding, setAdding] = useState(false);
  return (
    <div className={styles['text']}>
      {signatures.length === 0 ? (
        <p className={styles['help']}>{words.noPicture[kind]}</p>
      ) : (
        <RadioGroup className={styles['pictures']} value={picture?.id ?? null} onChange={onPicture}>
          <Label className="visually-hidden">{words.whichPicture[kind]}</Label>
          {signatures.map(({ id, name }) => (
            <Radio key={id} value={id} className={styles['own']}>
              <SignaturePicture id={id} />
              <span>{name}</span>
            </Radio>
          ))}
        </RadioGroup>
      )}
      <div>
        <Button onPress={() => setAdding(true)}>{words.addPicture[kind]}</Button>
      </div>
      {isAdding && (
        <Suspense>
          <SignatureForm kind={kind} onSaved={({ id }) => onPicture(id)} onClose={() => setAdding(false)} />
        </Suspense>
      )}
    </div>
  );
}
