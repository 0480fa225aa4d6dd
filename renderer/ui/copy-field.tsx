import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import { CopyRefused, useCopying } from './copying.tsx';

/** A text to take elsewhere, with a button that copies it. */
export function CopyField({ label, value, help }: { label: string; value: string; help?: string }) {
  const copying = useCopying(value);
  return (
    <div className={styles['field']} role="group" aria-label={label}>
      <span className={styles['label']}>{label}</span>
      <div className={styles['box']}>
        <code ref={copying.textRef} className={styles['value']} title={value}>
          {value}
        </code>
        <Button variant="plain" {...copying.button}>
          {copying.label}
        </Button>
      </div>
      <CopyRefused of={copying} />
      {help && <span className={styles['help']}>{help}</span>}
    </div>
  );
}
