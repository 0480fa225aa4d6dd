import { type RefObject, useEffect, useRef, useState } from 'react';
import styles from './copying.module.css';
import { Icon, type IconName } from './icon.tsx';
import { keyCaps } from './keys.tsx';
import { words } from './words.ts';

interface Copying {
  /** For the element that holds the whole text, which is selected when the browser refused. */
  readonly textRef: RefObject<HTMLElement | null>;
  readonly isRefused: boolean;
  /** Label of the button. */
  readonly label: string;
  /** For the button. */
  readonly button: { readonly icon: IconName; readonly onPress: () => void; readonly onBlur: () => void };
}

/** Copies a text and reports the result; "Copied" appears only after success. Show `CopyRefused` beside the text. */
export function useCopying(text: string): Copying {
  // New with each press, so that the text is selected again each time.
  const [last, setLast] = useState<{ text: string; isCopied: boolean } | null>(null);
  const textRef = useRef<HTMLElement>(null);
  const outcome = last?.text === text ? last : null;
  useEffect(() => {
    if (outcome?.isCopied === false && textRef.current)
      window.getSelection()?.selectAllChildren(textRef.current);
  }, [outcome]);
  const isCopied = outcome?.isCopied === true;
  return {
    textRef,
    isRefused: outcome?.isCopied === false,
    label: isCopied ? words.copied : words.copy,
    button: {
      icon: isCopied ? 'check' : 'copy',
      onPress: () => void write(text).then((isCopied) => setLast({ text, isCopied })),
      // The advice after a refusal stays, because it is followed elsewhere with the keyboard or the mouse.
      onBlur: () => setLast((it) => (it?.isCopied ? null : it)),
    },
  };
}

/** Browsers may refuse, and have no clipboard at all for pages that come by http from another computer. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Shows how to copy when the browser refused it; nothing otherwise. */
export function CopyRefused({ of }: { of: Copying }) {
  if (!of.isRefused) return null;
  return (
    <p role="alert" className={styles['refused']}>
      <Icon name="alert" size={14} />
      {words.copyRefused(keyCaps('mod+c').join('+'))}
    </p>
  );
}
