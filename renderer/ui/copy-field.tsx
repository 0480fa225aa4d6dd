import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { words } from './words.ts';

/** A text to take elsewhere, with a button that copies it. */
export function CopyField({ label, value, help }: { label: string; value: string; help?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(value).then(() => setCopied(true));
  };
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      <span className={styles['label']}>{label}</span>
      <div className={styles['box']}>
        <code className={styles['value']} title={value}>
          {value}
        </code>
        <Button
          variant="plain"
          icon={copied ? 'check' : 'copy'}
          onPress={copy}
          onBlur={() => setCopied(false)}
        >
          {copied ? words.copied : words.copy}
        </Button>
      </div>
      {help && <span className={styles['help']}>{help}</span>}
    </div>
  );
}
