import { useRef, useState } from 'react';
import { t } from '../../texts/covers.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { TypedCover } from './cover-form.ts';
import styles from './covers.module.css';
import { readLogo } from './logo-file.ts';

const words = t.covers.form;

/** The logo of a page: chosen, replaced or removed. */
export function LogoField(props: { logo: TypedCover['logo']; onChange: (logo: TypedCover['logo']) => void }) {
  const { logo, onChange } = props;
  const chooser = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File) => {
    try {
      onChange(await readLogo(file));
      setProblem(null);
      announce(words.logoChosen(file.name));
    } catch {
      setProblem(words.notPicture(file.name));
    }
  };
  const remove = () => {
    chooser.current?.focus();
    onChange(null);
    setProblem(null);
    announce(words.logoRemoved);
  };
  return (
    <div role="group" aria-label={words.logo}>
      <p className={styles['label']}>{words.logo}</p>
      <p className={styles['quiet']}>{words.logoHelp}</p>
      <div className={styles['line']}>
        <FileButton
          ref={chooser}
          icon="upload"
          fieldLabel={words.logo}
          accept="image/png,image/jpeg"
          onFiles={([file]) => file && void take(file)}
        >
          {logo === null ? words.chooseLogo : words.otherLogo}
        </FileButton>
        {logo !== null && <Button onPress={remove}>{words.removeLogo}</Button>}
        {logo !== null && logo !== 'kept' && <span className={styles['quiet']}>{logo.name}</span>}
      </div>
      {problem !== null && (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
    </div>
  );
}
