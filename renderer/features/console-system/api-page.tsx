import { t } from '../../texts/administration.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import styles from './system.module.css';

const words = t.system.api;

/** Starting page for integrations and their developers. */
export function ApiPage() {
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title} />
      <PaneBody isPadded>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          <Way href="/docs" icon="report" name={words.docs} help={words.docsHelp} />
          <Way href="/openapi.json" icon="file" name={words.openapi} help={words.openapiHelp} />
          <CopyField label={words.address} value={window.location.origin} help={words.keys} />
        </div>
      </PaneBody>
    </Pane>
  );
}

function Way({ href, icon, name, help }: { href: string; icon: IconName; name: string; help: string }) {
  return (
    <div className={styles['way']}>
      <Icon name={icon} />
      <div>
        <a href={href} target="_blank" rel="noreferrer">
          {name}
        </a>
        <p className={styles['quiet']}>{help}</p>
      </div>
    </div>
  );
}
