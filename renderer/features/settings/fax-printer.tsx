import { useQuery } from '@tanstack/react-query';
import { isAtGateway } from '../../api/at-gateway.ts';
import { printerQuery } from '../../api/printing.ts';
import entries from '../../parts/entries/entries.module.css';
import { AddPrinter } from '../../parts/fax-printer/add-printer.tsx';
import { t } from '../../texts/fax-printer.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './settings.module.css';

const words = t.faxPrinter;

/** Adds the fax printer to computers, below its settings. */
export function FaxPrinter() {
  const { data: printer } = useQuery(printerQuery);
  if (printer === undefined) return null;
  const { uri, network_uri: networkUri, problem } = printer;
  const isLocal = networkUri === null || isAtGateway();
  const address = isLocal ? uri : networkUri;
  return (
    <section className={styles['part']} aria-label={words.title}>
      <div className={entries['head']}>
        <h3 className={styles['title']}>{words.title}</h3>
      </div>
      {problem !== null && <Notice tone="danger">{problem}</Notice>}
      <p className={styles['sentence']}>
        {address === null ? words.off : isLocal ? words.atGateway : words.inNetwork}
      </p>
      {address !== null && <AddPrinter key={address} uri={address} />}
    </section>
  );
}
